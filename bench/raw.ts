/**
 * The floor: SQLite alone, driven as directly as Node allows, with the tables of the real store and the same journal
 * mode, and none of our code between.
 */
import { DatabaseSync } from 'node:sqlite';
import { jsonIn } from '../src/core/json.ts';
import type { EventRow } from '../src/core/store.ts';
import { unpackText } from '../src/store/rows.ts';
import { migrate } from '../src/store/schema.ts';
import { processorTimer } from './measure.ts';

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
  const event = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)');
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

/**
 * What no reader of a journal can do without, in milliseconds of the processor: all rows and blobs of the first run in a
 * file, in the fastest form that Node's SQLite has, the bodies parsed, the blobs unpacked and, where they are JSON, parsed.
 */
export function readRaw(file: string): number {
  using database = new DatabaseSync(file);
  const events = database.prepare('SELECT * FROM events WHERE run_key = 1 ORDER BY seq');
  const blobs = database.prepare(
    'SELECT data FROM run_blobs JOIN blobs ON blobs.key = blob_key WHERE run_key = 1',
  );
  events.setReturnArrays(true);
  blobs.setReturnArrays(true);
  const taken = processorTimer();
  for (const row of events.all()) JSON.parse(String(Object.values(row)[bodyColumn]));
  for (const row of blobs.all()) {
    const text = unpackText(Object.values(row)[0]);
    if (text.startsWith('{"')) jsonIn(text);
  }
  return taken();
}

const bodyColumn = 7;
