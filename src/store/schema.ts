/** The tables, the migrations and the SQL of the store. The version is SQLite's own `user_version`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { deflateSync, inflateSync } from 'node:zlib';
import { z } from 'zod';
import type { EventKind } from '../core/event.ts';
import type { EventRow } from '../core/store.ts';

export const schemaVersion = 3;

/** `versions/N.sql` brings a file from version N - 1 to N. One that has been released is never edited. */
function stepTo(version: number): string {
  return readFileSync(join(import.meta.dirname, 'versions', `${version}.sql`), 'utf8');
}

export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

/** Two processes may come here at once: the version is read again under the lock. */
export function migrate(database: DatabaseSync): void {
  if (versionOf(database) >= schemaVersion) return;
  database.exec('BEGIN IMMEDIATE');
  try {
    for (let version = versionOf(database) + 1; version <= schemaVersion; version += 1) {
      database.exec(stepTo(version));
    }
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
    database.exec('COMMIT');
  } catch (error) {
    // SQLite itself rolls back when the disk is full.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** What both tables with owners have. */
export const ownerColumns = {
  owner_pid: z.number().nullable(),
  owner_started_at: z.string().nullable(),
  heartbeat_at: z.number().nullable(),
  epoch: z.number(),
};

export const runColumns = z.object({
  ...ownerColumns,
  key: z.number(),
  id: z.string(),
  created_at: z.number(),
  parent_key: z.number().nullable(),
  parent_seq: z.number().nullable(),
  summary: z.string(),
  ended: z.number(),
  hidden: z.number(),
});
export type RunRecord = z.infer<typeof runColumns>;

type EventColumns = [number, number, string, number | null, number, EventKind, string];

/** By hand and not by zod: a resume reads thousands of these. The table is STRICT, so the types hold. */
export function toEventRow(columns: unknown): EventRow {
  const [seq, atMs, branch, ordinal, attempt, kind, body] = columns as EventColumns;
  return { seq, atMs, branch, ordinal, attempt, kind, body };
}

export type Statements = ReturnType<typeof statementsOf>;

export function statementsOf(database: DatabaseSync) {
  const sql = (text: string): StatementSync => database.prepare(text);
  /** Rows as lists of their columns, which are made several times as fast as objects. */
  const lists = (text: string): StatementSync => {
    const statement = sql(text);
    statement.setReturnArrays(true);
    return statement;
  };
  return {
    begin: sql('BEGIN IMMEDIATE'),
    commit: sql('COMMIT'),
    rollback: sql('ROLLBACK'),

    insertRun:
      sql(`INSERT INTO runs (id, created_at, parent_key, parent_seq, summary, owner_pid, owner_started_at,
      heartbeat_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    runById: sql('SELECT * FROM runs WHERE id = ?'),
    runByKey: sql('SELECT * FROM runs WHERE key = ?'),
    listRuns: sql('SELECT * FROM runs WHERE hidden = 0 ORDER BY key DESC LIMIT ?'),
    setSummary: sql('UPDATE runs SET summary = ? WHERE key = ?'),
    setEnded: sql('UPDATE runs SET ended = ? WHERE key = ?'),

    takeOver: sql(
      `UPDATE runs SET owner_pid = ?, owner_started_at = ?, heartbeat_at = ?, epoch = ? WHERE key = ?`,
    ),
    release: sql('UPDATE runs SET owner_pid = NULL, owner_started_at = NULL WHERE id = ? AND epoch = ?'),
    hush: sql('DELETE FROM whispers WHERE run_key = ?'),
    hushOwner: sql('DELETE FROM whispers WHERE run_key = (SELECT key FROM runs WHERE id = ? AND epoch = ?)'),
    heartbeat: sql('UPDATE runs SET heartbeat_at = ? WHERE id = ? AND epoch = ?'),
    epochOf: sql('SELECT epoch FROM runs WHERE key = ?'),

    insertEvent: sql('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)'),
    eventsBetween: lists(`SELECT seq, at, branch, ordinal, attempt, kind, body FROM events
      WHERE run_key = ? AND seq > ? AND seq <= ? ORDER BY seq`),
    lastEvent: sql('SELECT seq, at FROM events WHERE run_key = ? ORDER BY seq DESC LIMIT 1'),

    insertBlob: sql('INSERT OR IGNORE INTO blobs (hash, data) VALUES (?, ?)'),
    referToBlob: sql('INSERT OR IGNORE INTO run_blobs SELECT ?, key FROM blobs WHERE hash = ?'),
    blobs: sql('SELECT hash, data FROM blobs WHERE hash IN (SELECT value FROM json_each(?))'),

    hide: sql('UPDATE runs SET hidden = 1 WHERE key = ?'),
    childOf: sql('SELECT key FROM runs WHERE parent_key = ? LIMIT 1'),
    deleteBlobs: sql(`DELETE FROM blobs WHERE key IN (
      SELECT blob_key FROM run_blobs WHERE run_key = $key
      EXCEPT SELECT blob_key FROM run_blobs WHERE run_key <> $key)`),
    deleteRun: [
      sql('DELETE FROM run_blobs WHERE run_key = ?'),
      sql('DELETE FROM events WHERE run_key = ?'),
      sql('DELETE FROM mail WHERE run_key = ?'),
      sql('DELETE FROM whispers WHERE run_key = ?'),
      sql('DELETE FROM runs WHERE key = ?'),
    ],

    insertMail: sql('INSERT INTO mail (run_key, at, kind, text) VALUES (?, ?, ?, ?)'),
    mailAfter: sql('SELECT * FROM mail WHERE run_key = ? AND id > ? ORDER BY id'),

    publish: sql(`INSERT INTO whispers SELECT key, epoch, ? FROM runs WHERE id = ? AND epoch = ?
      ON CONFLICT DO UPDATE SET epoch = excluded.epoch, text = excluded.text`),
    tail: sql(`SELECT text FROM whispers WHERE run_key = ? AND epoch = ? AND text <> ''`),
  };
}

/** Below this many characters, compressing costs more than it saves. */
const compressFrom = 1536;

export function packText(text: string): string | Uint8Array {
  if (text.length < compressFrom) return text;
  const packed = deflateSync(text, { level: 1 });
  return packed.byteLength < Buffer.byteLength(text) ? packed : text;
}

export function unpackText(data: unknown): string {
  if (typeof data === 'string') return data;
  if (data instanceof Uint8Array) return inflateSync(data).toString('utf8');
  throw new Error('The store holds a blob of unknown form.');
}
