/**
 * The floor: SQLite alone, driven as directly as Node allows, with the tables of the real store and the same
 * journal mode, and none of our code between.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { EventRow } from '../src/core/store.ts';
import { migrate } from '../src/store/schema.ts';

export type RawStore = {
  readonly database: DatabaseSync;
  readonly insertEvent: StatementSync;
  insert(row: EventRow): void;
};

export function openRaw(file: string, synchronous: 'NORMAL' | 'FULL' = 'NORMAL'): RawStore {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous};`);
  migrate(database);
  const insertEvent = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  return {
    database,
    insertEvent,
    insert: ({ seq, atMs, branch, ordinal, attempt, kind, body }) => {
      insertEvent.run(1, seq, atMs, branch, ordinal, attempt, kind, body);
    },
  };
}
