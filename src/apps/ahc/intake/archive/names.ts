/**
 * Which names of an archive may become files: relative, plain, each once, on every file system. One that may not makes
 * the whole archive one that nobody unpacks. Knows no format.
 */
import { BadArchive } from '../../../../core/folder-archive.ts';

/** Of an archive of tools: what is real has a few hundred files and some megabytes. */
export type ArchiveLimits = {
  readonly files: number;
  readonly bytes: number;
  /** How many times larger than its archive the content may be, where it is more than a megabyte. */
  readonly ratio: number;
};

export const usualLimits: ArchiveLimits = { files: 20_000, bytes: 512 * 1024 * 1024, ratio: 200 };

export type Unpacked = Readonly<Record<string, Uint8Array>>;

/** `./a/b` as `a/b`. Throws `BadArchive`. */
export function safeName(name: string): string {
  const plain = name.replace(/^(?:\.\/)+/, '');
  const shown = JSON.stringify(name.slice(0, 100));
  if (plain.startsWith('/') || /^[a-z]:/i.test(plain)) throw new BadArchive(`${shown} is an absolute name.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no name may hold.
  if (/[\\\x00-\x1f\x7f]/.test(plain) || !plain.isWellFormed()) {
    throw new BadArchive(`${shown} holds characters that no name may hold.`);
  }
  const parts = plain.split('/');
  if (parts.some((part) => part === '..' || part === '.')) {
    throw new BadArchive(`${shown} leads out of its folder.`);
  }
  if (
    parts.some((part) => part === '' || new TextEncoder().encode(part).length > 200) ||
    plain.length > 1000
  ) {
    throw new BadArchive(`${shown} has a part that is empty or too long.`);
  }
  return plain;
}

/** Throws `BadArchive` where two names would be one file somewhere, or a file would have to be a folder too. */
export function refuseCollisions(names: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const folded = foldedName(name);
    const other = seen.get(folded);
    if (other !== undefined) {
      throw new BadArchive(`${JSON.stringify(other)} and ${JSON.stringify(name)} would be one file.`);
    }
    seen.set(folded, name);
  }
  for (const name of names) {
    const parts = foldedName(name).split('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const file = seen.get(parts.slice(0, depth).join('/'));
      if (file !== undefined) throw new BadArchive(`${JSON.stringify(file)} is a file and a folder at once.`);
    }
  }
}

function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Throws `BadArchive` where there is more than anybody publishes. */
export function refuseBombs(
  { files, bytes, packed }: { readonly files: number; readonly bytes: number; readonly packed: number },
  limits: ArchiveLimits,
): void {
  if (files > limits.files) throw new BadArchive(`It holds more than ${limits.files} files.`);
  if (bytes > limits.bytes) throw new BadArchive(`Its content is larger than ${limits.bytes} bytes.`);
  if (bytes > 1024 * 1024 && bytes > packed * limits.ratio) {
    throw new BadArchive(`Its content is more than ${limits.ratio} times as large as itself.`);
  }
}
