/** Writes results into files of the user's: each file is whole or absent, and none is overwritten unasked. */
import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { UnavailableError, UserError } from '../core/errors.ts';
import { rejectLinks } from '../io/no-links.ts';
import { fullDisk, makeFolder, writeFileAtomicSync } from '../io/write-whole.ts';
import { printDocument, type Shell } from './contract.ts';

export type OutFile = { readonly path: string; readonly text: string | Uint8Array };

/** All names are looked at before the first file is written. Below a folder, no part of a path may be a link. */
export function writeFiles(
  files: readonly OutFile[],
  { force, folder }: { readonly force: boolean; readonly folder?: string },
): void {
  for (const { path } of files) {
    if (folder !== undefined) rejectLinks(dirname(folder), relative(dirname(folder), path));
    assertNotExists(path, force);
  }
  for (const { path, text } of files) {
    try {
      writeFileAtomicSync(path, text);
    } catch (error) {
      throw explainWriteError(error, path);
    }
  }
}

/** Standard output gets the bytes as they are, but a terminal must not obey what a model wrote. */
export function writeDocument(
  shell: Shell,
  text: OutFile['text'],
  { out, force }: { readonly out?: string; readonly force: boolean },
): void {
  if (out === undefined) {
    printDocument(shell.out, typeof text === 'string' ? text : new TextDecoder().decode(text));
    return;
  }
  const path = resolve(shell.folder, out);
  writeFiles([{ path, text }], { force });
  shell.err.write(`Written: ${path}\n`);
}

/** What is no file, a device say, would be replaced by one: that is never meant. */
export function assertNotExists(path: string, force: boolean): void {
  let existing: Stats | undefined;
  try {
    existing = statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw explainWriteError(error, path);
  }
  if (!existing) return;
  if (!existing.isFile()) {
    throw new UserError({
      code: 'file-is-folder',
      what: `${path} is ${existing.isDirectory() ? 'a folder' : 'no file'}; nothing was written.`,
      fix: 'Name a file. What is to be printed is printed where no file is named.',
    });
  }
  if (force) return;
  throw new UserError({
    code: 'file-exists',
    what: `${path} exists already; nothing was written.`,
    fix: 'Name another place, or add --force to replace it.',
  });
}

/** Before what costs something is begun, whose results are to go there. */
export function makeOutFolder(path: string): void {
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw explainWriteError(error, path);
  }
}

/** A path is the user's mistake; a full disk is not. */
function explainWriteError(error: unknown, path: string): Error {
  const failure = error instanceof Error ? error : new Error(String(error));
  const noRoom = fullDisk['code' in failure ? String(failure.code) : ''];
  const what = `${path} cannot be written.`;
  if (noRoom === undefined) {
    const why = `${failure.message}.`;
    return new UserError({ code: 'file-unwritable', what, why, fix: 'Name another place.' });
  }
  const fix = 'What was there before is untouched. Make room, then try again.';
  return new UnavailableError({ code: 'file-unwritable', what, why: noRoom, fix });
}

/** A name out of a stranger's store as that of a file: it may be a path. */
export function asFileName(id: string): string {
  return id
    .slice(0, 100)
    .replaceAll(/[^\w.-]/g, '_')
    .replace(/^\.+/, '_');
}
