/**
 * What small databases of Polya's own (the turns of requests, the accounts of the practice site) have in common: one
 * transaction, and what it means to a person when the disk is full or closed. Knows no table.
 */
import type { DatabaseSync } from 'node:sqlite';
import { ExplainedError, UnavailableError } from '../core/errors.ts';

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

/** SQLite's own errors become what is missing; any other is thrown as it is. */
export function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ExplainedError || !(error instanceof Error) || !('errcode' in error)) throw error;
    throw new UnavailableError({
      what: `${file} cannot be read or written.`,
      why: `SQLite says: ${error.message}.`,
      fix: 'See that the disk has room and that the folder is yours, then try again.',
    });
  }
}
