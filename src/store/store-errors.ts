/** What SQLite's errors mean to a person: a full disk, a file that is no database, no right to write. */
import { ExplainedError, JournalError, UnavailableError } from '../core/errors.ts';

const primaryCode = 0xff;

export function explainStoreError(error: unknown, file: string): unknown {
  if (error instanceof ExplainedError) return error;
  switch (codeOf(error)) {
    case 13:
      return new UnavailableError({
        code: 'disk-full-was-journaled-before',
        what: `The disk of ${file} is full; what was journaled before is whole.`,
        fix: 'Make room, then go on with `polya runs resume ID`.',
      });
    case 10:
      return new UnavailableError({
        code: 'disk-cannot-written-or-read',
        what: `The disk of ${file} cannot be written or read; what was journaled before is whole.`,
        ...(error instanceof Error ? { why: `SQLite says: ${error.message}.` } : {}),
        fix: 'See that it has room and is in order, then go on with `polya runs resume ID`.',
      });
    case 5:
      return new UnavailableError({
        code: 'been-locked-by-another-process',
        what: `${file} has been locked by another process for too long.`,
        fix: 'See which process holds it, and try again.',
      });
    case 8:
    case 14:
      return new UnavailableError({
        code: 'cannot-opened-for-writing',
        what: `${file} cannot be opened for writing.`,
        fix: 'Check who owns the folder, or name another one with POLYA_HOME.',
      });
    case 11:
    case 26:
      return new JournalError({
        code: 'no-database-can-read',
        what: `${file} is no database that can be read.`,
        fix: 'Restore it from a backup, or move it away; a new one is made at the next run.',
      });
    default:
      return error;
  }
}

/** Another process holds a lock; it may be worth another try. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === 5;
}

/** The file or its folder may not be written; it may still be readable. */
export function isUnwritable(error: unknown): boolean {
  const code = codeOf(error);
  return code === 8 || code === 14;
}

/** SQLite's primary result code, or null where the error is not SQLite's. */
function codeOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & primaryCode;
}
