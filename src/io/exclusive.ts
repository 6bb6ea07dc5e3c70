/** Small SQLite databases of Polya's own: how a file is made, one transaction, and what its errors mean to a person. */
import { chmodSync, statSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { ExplainedError, UnavailableError } from '../core/errors.ts';
import { createPrivate, rejectLinks } from './no-links.ts';
import { makeFolder } from './write-whole.ts';

/**
 * Work of one process at a time. SQLite blocks the process while it waits for `file`, so `work` is synchronous. No part of the
 * path below the folder `below` may be a link; default: the file.
 */
export async function withFileLock(file: string, work: () => void, child = dirname(file)): Promise<void> {
  // Loaded here: most commands take no lock.
  const { DatabaseSync } = await import('node:sqlite');
  explainLockError(file, () => {
    rejectLinks(child, relative(child, file));
    makeFolder(dirname(file));
    makePrivate(file);
    // Its end rolls back, which ends the lock.
    using lock = new DatabaseSync(file, { timeout: 10_000 });
    lock.exec('BEGIN EXCLUSIVE');
    work();
  });
}

/**
 * Made where it is missing, and its user's alone; SQLite gives those that it makes beside it the same mode. Throws `UserError`
 * for a link.
 */
export function makePrivate(file: string): void {
  rejectLinks(dirname(file), basename(file));
  try {
    // One that exists is never opened here: closing it would let go of the locks that SQLite holds in this process.
    if (createPrivate(file)) return;
    const { mode, uid } = statSync(file);
    if (uid === process.getuid?.() && (mode & 0o077) !== 0) chmodSync(file, 0o600);
  } catch {
    // What is wrong with the place, SQLite will find and say.
  }
}

/** All or nothing. SQLite itself rolls back when the disk is full: then there is nothing left to roll back. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Errors of SQLite and of the file system become what is missing; any other is thrown as it is. */
export function explainLockError<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExplainedError || !(error instanceof Error)) throw error;
    if (!('errcode' in error || 'syscall' in error)) throw error;
    throw new UnavailableError({
      code: 'database-unusable',
      what: `${file} cannot be read or written.`,
      why: `${error.message}.`,
      fix: 'See that the disk has room and that the folder is yours, then try again.',
    });
  }
}
