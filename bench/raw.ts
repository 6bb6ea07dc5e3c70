/**
 * The floor: SQLite alone, driven as directly as Node allows, with the tables of the real store and the same journal
 * mode, and none of our code between.
 */
import { DatabaseSync } from 'node:sqlite';
import type { EventRow } from '../src/core/store.ts';
import { migrate } from '../src/store/schema.ts';

export type RawStore = {
  readonly database: DatabaseSync;
  /** One row by itself, several in one transaction. */
  insertTogether(rows: readonly EventRow[]): void;
} & Disposable;

export function openRaw(file: string, synchronous: 'NORMAL' | 'FULL' = 'NORMAL'): RawStore {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous};`);
  migrate(database);
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const event = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const insert = ({ seq, atMs, branch, ordinal, attempt, kind, body }: EventRow): void => {
    event.run(1, seq, atMs, branch, ordinal, attempt, kind, body);
  };
  return {
    database,
    insertTogether: (rows) => {
      if (rows.length > 1) begin.run();
      for (const row of rows) insert(row);
      if (rows.length > 1) commit.run();
    },
    [Symbol.dispose]: () => database.close(),
  };
}
