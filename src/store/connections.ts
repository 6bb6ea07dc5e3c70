/**
 * The connections of one process to a store's file. Until the first write the file is only read: nothing is made beside it,
 * and it is not brought up to date. It knows no statement of the store.
 */
import { closeSync, existsSync, lstatSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { errorOf } from '../core/errors.ts';
import { identityIn, renewIdentity } from './identity.ts';
import { assertOwnStore } from './recognise.ts';
import { linkFound, newerStoreError } from './refusals.ts';
import { addMissingTables, inTransaction, migrate, schemaVersion, versionOf } from './schema.ts';
import { isBusy, notAFile, restrictPermissions, unwritableError } from './store-errors.ts';

const inMemory = ':memory:';
const timeout = 15_000;

export type ConnectionOptions<Connection> = {
  readonly file: string;
  /** Prepares what is asked of a database. */
  prepare(database: DatabaseSync): Connection;
  /** Called before the first write, which makes a missing file. */
  beforeWriting?(): void;
  /** Called when the file is there and still empty. */
  onCreated?(): void;
  /** Called when the log beside the file is there, and before anything is written into it. */
  onLog?(identity: string): void;
  /** Called by each process that begins to write: whether the store may have a new identity. */
  onRenewal?(before: string, after: string): boolean;
};

type Reader<Connection> = {
  readonly database: DatabaseSync;
  readonly connection: Connection;
  /** What the file was like when it was opened. */
  readonly stamp: string;
};

export class Connections<Connection> {
  readonly #options: ConnectionOptions<Connection>;
  #reader: Reader<Connection> | null = null;
  #writer: { readonly database: DatabaseSync; readonly connection: Connection } | null = null;

  /** Throws `JournalError` or `UnavailableError` for a file that is no store, or cannot be read. */
  constructor(options: ConnectionOptions<Connection>) {
    this.#options = options;
    const { file, beforeWriting } = options;
    if (file === inMemory) {
      this.writeConnection();
      return;
    }
    if (!beforeWriting && !existsSync(dirname(file))) throw unwritableError(file);
    if (!isEmpty(file)) this.#readerNow();
  }

  /** May be done twice: another process may have begun to write meanwhile. */
  read<T>(work: (connection: Connection) => T): T {
    if (this.#writer) return work(this.#writer.connection);
    for (let attempt = 1; ; attempt += 1) {
      const { connection, stamp } = this.#readerNow();
      const isUnchanged = () => attempt === 10 || fileStamp(this.#options.file) === stamp;
      try {
        const result = work(connection);
        if (isUnchanged()) return result;
      } catch (error) {
        if (isUnchanged()) throw error;
      }
    }
  }

  /** Opened when it is first asked for. Throws `JournalError` where the file is another program's, or of a newer Polya. */
  writeConnection(): { readonly database: DatabaseSync; readonly connection: Connection } {
    this.#writer ??= this.#openWriter();
    return this.#writer;
  }

  close(): void {
    this.#closeReader();
    if (this.#writer?.database.isOpen) this.#writer.database.close();
  }

  #readerNow(): Reader<Connection> {
    const { file, prepare } = this.#options;
    const stamp = fileStamp(file);
    if (this.#reader?.stamp === stamp && !isBeforeFirstCommit(this.#reader)) return this.#reader;
    this.#closeReader();
    const database = isEmpty(file) ? emptyDatabase() : openReadOnly(file);
    try {
      const connection = prepare(database);
      // A log that went meanwhile would look the same when another comes.
      this.#reader = { database, connection, stamp: fileStamp(file) === stamp ? stamp : 'changing' };
      return this.#reader;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  #closeReader(): void {
    if (this.#reader?.database.isOpen) this.#reader.database.close();
    this.#reader = null;
  }

  #openWriter() {
    const { file, prepare, beforeWriting, onCreated, onLog, onRenewal } = this.#options;
    if (file === inMemory) {
      const database = emptyDatabase();
      return { database, connection: prepare(database) };
    }
    beforeWriting?.();
    // Before it is opened for writing, which changes it.
    if (!isEmpty(file) && versionOf(this.#readerNow().database) > schemaVersion)
      throw newerStoreError('use another folder (`POLYA_HOME`)');
    this.#closeReader();
    makePrivate(file);
    const database = new DatabaseSync(file, { timeout });
    try {
      guard(database);
      // Locked: of several processes that start at once each would record what another has changed meanwhile.
      if (isEmpty(file)) inTransaction(database, () => sizeOf(file) === 0 && onCreated?.());
      enableWal(database);
      // The first read makes the log of a new store.
      versionOf(database);
      inTransaction(database, () => onLog?.(identityIn(database)));
      database.exec('PRAGMA synchronous = NORMAL');
      migrate(database);
      if (onRenewal) renewIdentity(database, onRenewal);
      return { database, connection: prepare(database) };
    } catch (error) {
      database.close();
      throw error;
    }
  }
}

/** What SQLite itself finds wrong with a file; empty where nothing is. */
export function findIntegrityErrors(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  let database: DatabaseSync | undefined;
  try {
    database = openReadOnly(file);
    const rows = database.prepare('PRAGMA integrity_check(20)').all();
    return rows.map((row) => String(row.integrity_check)).filter((issue) => issue !== 'ok');
  } catch (error) {
    return [errorOf(error).message];
  } finally {
    database?.close();
  }
}

/** Empty where the store has no identity yet. What cannot be read is none that anybody has recorded. */
export function readIdentity(file: string): string {
  if (isEmpty(file)) return '';
  try {
    using database = openReadOnly(file);
    return identityIn(database);
  } catch {
    return 'unreadable';
  }
}

/** Throws what SQLite says, or `JournalError` where it is no store of Polya. */
export function openReadOnly(file: string): DatabaseSync {
  rejectLinks(file);
  // A pipe would keep its reader waiting.
  if (!(statSync(file, { throwIfNoEntry: false })?.isFile() ?? true)) throw notAFile(file);
  const database = new DatabaseSync(hasLog(file) ? file : immutableUrl(file), { readOnly: true, timeout });
  try {
    guard(database);
    const { isEmpty } = assertOwnStore(database, file);
    if (isEmpty) {
      database.close();
      return emptyDatabase();
    }
    database.exec('PRAGMA temp_store = MEMORY');
    addMissingTables(database);
    return database;
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}

/** Of no file: what a store is like before its first run. */
function emptyDatabase(): DatabaseSync {
  const database = new DatabaseSync(inMemory);
  migrate(database);
  return database;
}

/** What stands in the schema of a file calls no function that could change anything. */
function guard(database: DatabaseSync): void {
  database.exec('PRAGMA trusted_schema = OFF');
}

/** Throws `UserError`: whoever made a link would choose which file is read or changed. */
function rejectLinks(file: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) {
    const part = `${file}${end}`;
    if (lstatSync(part, { throwIfNoEntry: false })?.isSymbolicLink()) throw linkFound(part);
  }
}

/** Where no process writes, SQLite need not make the files beside it by which processes share a log. */
function immutableUrl(file: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return url;
}

/** Another process has made the log and no table yet. Its first commit does not change the stamp. */
function isBeforeFirstCommit({ database, stamp }: Reader<unknown>): boolean {
  return stamp.startsWith('log') && database.location() === null;
}

/** The file alone would lack the rows in the log. */
function hasLog(file: string): boolean {
  return ['-wal', '-journal'].some((end) => sizeOf(`${file}${end}`) > 0);
}

/** Changes when the file is replaced or written, and when a process begins to write a log beside it. */
function fileStamp(file: string): string {
  if (hasLog(file)) return `log ${statSync(file, { throwIfNoEntry: false })?.ino}`;
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : 'missing';
}

function isEmpty(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return !found || (found.isFile() && found.size === 0 && !hasLog(file));
}

/** A link that leads in a circle has none. */
function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

/** Makes a missing file, and closes one of an earlier version to others. */
function makePrivate(file: string): void {
  rejectLinks(file);
  try {
    // One that exists is never opened here: closing it would let go of the locks that SQLite holds in this process.
    if (existsSync(file)) for (const end of ['', '-wal', '-shm']) restrictPermissions(`${file}${end}`);
    else closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // What is wrong with the path, SQLite will find and say.
  }
}

/** Changing the journal mode does not wait for other processes as everything else does: it has to be tried again. */
function enableWal(database: DatabaseSync): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (attempt === 500 || !isBusy(error)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
