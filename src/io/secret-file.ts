/**
 * A secret of the user in a file of the user's: read only where nobody else can read it.
 * What stands in it never gets into an error. Knows nothing of what the secret is for.
 */
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { UserError } from '../core/errors.ts';
import { isMissing } from './plain-file.ts';

/** Trimmed; null where there is no such file or nothing in it. `noun` is what the errors call it. */
export function readSecretFile(file: string, noun: string): string | null {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    if (isMissing(error)) return null;
    throw unreadable(file, noun);
  }
  try {
    const { mode } = fstatSync(handle);
    if ((mode & 0o077) !== 0) throw tooOpen(file, noun, mode);
    return readFileSync(handle, 'utf8').trim() || null;
  } catch (error) {
    throw error instanceof UserError ? error : unreadable(file, noun);
  } finally {
    closeSync(handle);
  }
}

function tooOpen(file: string, noun: string, mode: number): UserError {
  return new UserError({
    code: 'secret-file-open',
    what: `The ${noun} in ${file} can be read or changed by others on this machine (mode ${(mode & 0o777).toString(8)}).`,
    why: 'Whoever has it can act as you.',
    fix: `Run \`chmod 600 ${file}\`.`,
  });
}

function unreadable(file: string, noun: string): UserError {
  return new UserError({
    code: 'file-unreadable',
    what: `The ${noun} in ${file} cannot be read.`,
    fix: 'Look whether it is a file, and yours.',
  });
}
