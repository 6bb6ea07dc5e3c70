/** Writes a file beside its place, syncs and moves it: readers find the old or the new one, also after a crash. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

type AtomicWriteOptions = {
  /** The mode of the file; default: that of the user's own files. */
  readonly mode?: number;
  readonly folderMode?: number;
  /** False: it is not handed to the disk at once, and a power failure may lose it. Default: true. */
  readonly isLasting?: boolean;
};

/** Throws what the system says. */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array,
  options: AtomicWriteOptions = {},
) {
  const draft = draftOf(file, options);
  try {
    await writeFile(draft, content, openFlags(options));
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The same for a caller that has nothing else to do meanwhile: what a command leaves at its end. */
export function writeFileAtomicSync(
  file: string,
  content: string | Uint8Array,
  options: AtomicWriteOptions = {},
): void {
  const draft = draftOf(file, options);
  try {
    writeFileSync(draft, content, openFlags(options));
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function openFlags({ mode = 0o666, isLasting = true }: AtomicWriteOptions) {
  return { flag: 'wx', mode, flush: isLasting };
}

/** Its folder is there afterwards. */
function draftOf(file: string, { folderMode }: AtomicWriteOptions): string {
  makeFolder(dirname(file), { mode: folderMode });
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

/** Whether it was made now; one that is there already stays as it is. Throws what the system says. */
export function makeFolder(path: string, { mode = 0o777 }: { readonly mode?: number } = {}): boolean {
  const folder = resolve(path);
  if (isFolder(folder)) return false;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), { mode });
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    // Another process may have been faster.
    if (isFolder(folder)) return false;
    throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
