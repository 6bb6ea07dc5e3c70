/**
 * Writes results into files of the user's: none that exists is overwritten unasked, and each file is there whole or not
 * at all. It knows nothing of what stands in them.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UnavailableError, UserError } from '../core/errors.ts';
import { makeFolder } from '../index.ts';

export type OutFile = { readonly path: string; readonly text: string | Uint8Array };

/** All names are looked at before the first file is written. */
export function writeFiles(files: readonly OutFile[], { force }: { readonly force: boolean }): void {
  const inTheWay = force ? undefined : files.find(({ path }) => existsSync(path));
  if (inTheWay) throw existing(inTheWay.path);
  for (const file of files) {
    try {
      writeWhole(file);
    } catch (error) {
      throw explained(error, file.path);
    }
  }
}

function writeWhole({ path, text }: OutFile): void {
  makeFolder(dirname(path));
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = openSync(draft, 'wx');
    try {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

function existing(path: string): UserError {
  return new UserError({
    what: `${path} exists already; nothing was written.`,
    fix: 'Name another place, or add --force to replace it.',
  });
}

/** A path is the user's mistake; a full disk is not. */
function explained(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const fullDisk: Readonly<Record<string, string>> = {
    ENOSPC: 'The disk is full.',
    EDQUOT: 'The quota of disk space is used up.',
    EFBIG: 'The file would be larger than this process may write.',
  };
  const explanation = {
    what: `${path} cannot be written.`,
    why: fullDisk[code] ?? (error instanceof Error ? `${error.message}.` : String(error)),
  };
  if (fullDisk[code]) {
    const fix = 'What was there before is untouched. Make room, then try again.';
    return new UnavailableError({ ...explanation, fix });
  }
  return new UserError({ ...explanation, fix: 'Name another place.' });
}
