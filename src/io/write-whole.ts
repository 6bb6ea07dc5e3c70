/**
 * A file is written beside its place, handed to the disk and moved there: a reader finds all of it or what was there
 * before, also after a kill or a power failure.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';

export type WholeOptions = {
  /** Of the file; default: what a user's own files get. */
  readonly mode?: number;
  /** Of folders that have to be made. */
  readonly folderMode?: number;
  /** False: it is not handed to the disk at once, and a power failure may lose it. Default: true. */
  readonly isLasting?: boolean;
};

/** Throws what the system says. */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  options: WholeOptions = {},
): Promise<void> {
  const draft = draftOf(file, options);
  try {
    const handle = await open(draft, 'wx', options.mode ?? 0o666);
    try {
      await handle.writeFile(content);
      if (options.isLasting ?? true) await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The same for whoever has nothing else to do meanwhile: what a command leaves at its end. */
export function writeWholeSync(file: string, content: string | Uint8Array, options: WholeOptions = {}): void {
  const draft = draftOf(file, options);
  try {
    const handle = openSync(draft, 'wx', options.mode ?? 0o666);
    try {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      for (let written = 0; written < bytes.length; ) written += writeSync(handle, bytes, written);
      if (options.isLasting ?? true) fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Its folder is there afterwards. */
function draftOf(file: string, { folderMode }: WholeOptions): string {
  makeFolder(dirname(file), folderMode === undefined ? {} : { mode: folderMode });
  // A long name has no room for what is added to it.
  const name = basename(file).slice(0, 50);
  return join(dirname(file), `.${name}.${randomBytes(6).toString('hex')}.tmp`);
}

/** Codes of the system that say that there is no room, in words. */
export const fullDisk: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full.',
  EDQUOT: 'The quota of disk space is used up.',
  EFBIG: 'The file would be larger than this process may write.',
};
