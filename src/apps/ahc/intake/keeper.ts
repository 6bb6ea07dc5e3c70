/** Writes what is missing in a workspace and leaves alone what is there; tells afterwards which was which. */
import type { Folder } from '../../../core/io.ts';

export class Keeper {
  readonly folder: Folder;
  readonly written: string[] = [];
  readonly kept: string[] = [];

  constructor(folder: Folder) {
    this.folder = folder;
  }

  /** True where it was missing. `content` is made only then. */
  async add(
    name: string,
    content: string | Uint8Array | (() => string | Uint8Array),
    mode?: number,
  ): Promise<boolean> {
    if ((await this.folder.readBytes(name)) !== null) {
      this.kept.push(name);
      return false;
    }
    const made = typeof content === 'function' ? content() : content;
    await this.folder.write(name, made, mode === undefined ? {} : { mode });
    this.written.push(name);
    return true;
  }

  /** Ours alone, and made anew each time: written where it differs. */
  async renew(name: string, content: string): Promise<void> {
    if ((await this.folder.read(name)) === content) {
      this.kept.push(name);
      return;
    }
    await this.folder.write(name, content);
    this.written.push(name);
  }

  /**
   * Many small files of one kind that can be had again, a few at once; told as one by whoever adds them. One that a power
   * failure left empty counts as missing.
   */
  async fill(folder: string, files: Readonly<Record<string, Uint8Array>>): Promise<number> {
    const there = await this.folder.sizes(folder);
    const missing = Object.entries(files).filter(([name, { length }]) => !isThere(there.get(name), length));
    for (let at = 0; at < missing.length; at += atOnce) {
      const some = missing.slice(at, at + atOnce);
      await Promise.all(
        some.map(([name, bytes]) => this.folder.write(`${folder}/${name}`, bytes, { isLasting: false })),
      );
    }
    return missing.length;
  }
}

/** What its user changed is there. */
export function isThere(size: number | undefined, lengthAsItCame: number): boolean {
  return size !== undefined && (size > 0 || lengthAsItCame === 0);
}

const atOnce = 16;
