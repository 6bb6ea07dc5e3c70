/** The tables, the migrations and the SQL of the store. The version is SQLite's own `user_version`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { capped, maxBodyBytes, maxSummaryBytes } from './rows.ts';

export const schemaVersion = 6;

/** `versions/N.sql` brings a file from version N - 1 to N. One that has been released is never edited. */
const steps = Array.from({ length: schemaVersion }, (_, at) =>
  readFileSync(join(import.meta.dirname, 'versions', `${at + 1}.sql`), 'utf8'),
);

function stepTo(version: number): string {
  const step = steps[version - 1];
  if (step === undefined) throw new Error(`There is no version ${version} of the tables.`);
  return step;
}

export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

/** Two processes may come here at once: the version is read again under the lock. */
export function migrate(database: DatabaseSync): void {
  if (versionOf(database) >= schemaVersion) return;
  inTransaction(database, () => {
    applyVersions(database, versionOf(database), schemaVersion);
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
}

export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // SQLite itself rolls back when the disk is full.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

export function applyVersions(database: DatabaseSync, from: number, to: number): void {
  for (let version = from + 1; version <= to; version += 1) {
    // A file may have been set back to an earlier version by hand.
    if (version !== 4 || !hasSummaryColumns(database)) database.exec(stepTo(version));
  }
}

/** The tables that an older file lacks are empty for this connection: reading a file does not change it. */
export function addMissingTables(database: DatabaseSync): void {
  for (const [name, version] of [
    ['whispers', 2],
    ['run_sets', 3],
  ] as const) {
    const found = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name);
    if (!found) database.exec(stepTo(version).replace('CREATE TABLE', 'CREATE TEMP TABLE'));
  }
}

function hasSummaryColumns(database: DatabaseSync): boolean {
  return database.prepare(`SELECT 1 FROM pragma_table_info('events') WHERE name = 'sum'`).get() !== undefined;
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
  // An id steers no terminal, wherever it is shown.
  id: z.string().regex(/^[^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+$/u),
  created_at: z.number().min(0).max(8.64e15),
  parent_key: z.number().nullable(),
  parent_seq: z.number().nullable(),
  summary: z.string(),
  ended: z.number(),
  hidden: z.number(),
});
export type RunRecord = z.infer<typeof runColumns>;

export type Statements = ReturnType<typeof statementsOf>;

const runFields = `key, id, created_at, parent_key, parent_seq, ended, hidden, owner_pid, owner_started_at, heartbeat_at, epoch,
  ${capped('summary', maxSummaryBytes)} AS summary`;

export function statementsOf(database: DatabaseSync) {
  const isSummed = hasSummaryColumns(database);
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
    runById: sql(`SELECT ${runFields} FROM runs WHERE id = ?`),
    runByKey: sql(`SELECT ${runFields} FROM runs WHERE key = ?`),
    listRuns: sql(`SELECT ${runFields} FROM runs WHERE hidden = 0 ORDER BY key DESC LIMIT ?`),
    listOpen: sql(`SELECT ${runFields} FROM runs WHERE hidden = 0 AND ended = 0 ORDER BY key DESC LIMIT ?`),
    listOldest: sql(`SELECT ${runFields} FROM runs WHERE hidden = 0 ORDER BY key`),
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

    insertEvent: sql(`INSERT INTO events (run_key, seq, at, branch, ordinal, attempt, kind, body
      ${isSummed ? ', sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)' : ') VALUES (?, ?, ?, ?, ?, ?, ?, ?)'}`),
    eventsBetween: lists(`SELECT seq, at, branch, ordinal, attempt, kind,
      ${capped('body', maxBodyBytes)}, ${isSummed ? 'sum' : 'NULL'} FROM events
      WHERE run_key = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?`),
    lastEvent: sql('SELECT seq, at FROM events WHERE run_key = ? ORDER BY seq DESC LIMIT 1'),

    insertBlob: sql('INSERT OR IGNORE INTO blobs (hash, data) VALUES (?, ?)'),
    referToBlob: sql('INSERT OR IGNORE INTO run_blobs SELECT ?, key FROM blobs WHERE hash = ?'),
    blobs: lists(
      `SELECT hash, ${capped('data', maxBodyBytes)} FROM blobs WHERE hash IN (SELECT value FROM json_each(?))`,
    ),
    blobNames: lists('SELECT hash FROM run_blobs JOIN blobs ON key = blob_key WHERE run_key = ?'),

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
    skipMail: sql(`INSERT INTO mail (id, run_key, at, kind, text) SELECT ?, -1, 0, '', ''
      WHERE coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'mail'), 0) < ?`),
    forgetMail: sql('DELETE FROM mail WHERE id = ? AND run_key = -1'),
    mailAfter: sql('SELECT * FROM mail WHERE run_key = ? AND id > ? ORDER BY id'),

    publish: sql(`INSERT INTO whispers SELECT key, epoch, ? FROM runs WHERE id = ? AND epoch = ?
      ON CONFLICT DO UPDATE SET epoch = excluded.epoch, text = excluded.text`),
    tail: sql(`SELECT text FROM whispers WHERE run_key = ? AND epoch = ? AND text <> ''`),
  };
}
