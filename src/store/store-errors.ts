/** What SQLite's errors mean to a person: a full disk, a file that is no database, no right to write. */
import { chmodSync, existsSync, statSync } from 'node:fs';
import { z } from 'zod';
import { ExplainedError, errorOf, JournalError, UnavailableError } from '../core/errors.ts';

/** `runId`: the run that was being written; null where nothing was begun that could be gone on with. */
export function explainStoreError(error: unknown, file: string, runId: string | null = null): unknown {
  if (error instanceof ExplainedError) return error;
  const goOn = runId ? `go on with \`polya resume ${runId}\`.` : 'try again: nothing was begun.';
  if (codeOf(error) !== null && existsSync(file) && !statSync(file).isFile()) return notAFile(file);
  switch (codeOf(error)) {
    case 13:
      return new UnavailableError({
        code: 'disk-full',
        what: `The disk of ${file} is full; what was journaled before is whole.`,
        fix: `Make room, then ${goOn}`,
      });
    case 10:
      return new UnavailableError({
        code: 'disk-failed',
        what: `The disk of ${file} cannot be written or read; what was journaled before is whole.`,
        why: error instanceof Error ? `SQLite says: ${error.message}.` : undefined,
        fix: `See that it has room and is in order, then ${goOn}`,
      });
    case 5:
      return new UnavailableError({
        code: 'database-locked',
        what: `${file} cannot be locked: another process holds it, or its file system has no locks.`,
        why: 'Some file systems, of networks and of shared folders mostly, have no locks that work: there it looks locked, though no process holds it.',
        fix: 'See which process holds it (`fuser FILE`), and try again. If none does, name a folder on a local disk with POLYA_HOME.',
      });
    case 8:
    case 14:
      return unwritableError(file);
    case 11:
    case 26:
      return new JournalError({
        code: 'database-unreadable',
        what: `${file} is no database that can be read.`,
        fix: '`polya store check --salvage FOLDER` copies what is whole. Else restore it from a backup, or move it away; a new one is made at the next run.',
      });
    default:
      return error;
  }
}

export function notAFile(file: string): JournalError {
  return new JournalError({
    code: 'database-unreadable',
    what: `${file} is no database: something else than a file has its name.`,
    fix: 'Move it away, and restore the database from a backup; without one, a new one is made at the next run.',
  });
}

export function unwritableError(file: string): UnavailableError {
  return new UnavailableError({
    code: 'database-read-only',
    what: `${file} cannot be opened for writing.`,
    fix: 'Check who owns the folder, or name another one with POLYA_HOME.',
  });
}

/** What a damaged file makes of reading: rows of other types, half a schema, text that is no JSON. */
export function explainReadError(error: unknown, file: string): unknown {
  const explained = explainStoreError(error, file, null);
  if (explained !== error || !(isCorruption(error) || codeOf(error) === 1)) return explained;
  return new JournalError({
    code: 'database-damaged',
    what: `${file} is damaged: ${errorOf(error).message.split('\n')[0]}.`,
    fix: '`polya store check` says what is whole, `polya store check --salvage FOLDER` copies it.',
  });
}

/** What is read is not what was written: told by SQLite, by a number beyond all that we write, by a shape or by no JSON. */
export function isCorruption(error: unknown): boolean {
  if (error instanceof z.ZodError || error instanceof SyntaxError) return true;
  if (error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE') return true;
  return [10, 11, 26].includes(codeOf(error) ?? 0);
}

/** Another process holds a lock; it may be worth another try. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === 5;
}

/** SQLite's primary result code, or null where the error is not SQLite's. */
function codeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}

/** A file of an earlier version was open to others. What its owner may do with it stays: it may be read-only on purpose. */
export function restrictPermissions(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile() || found.uid !== process.getuid?.()) return;
  if ((found.mode & 0o077) !== 0) chmodSync(file, found.mode & 0o700);
}
