/** The store on `node:sqlite`: one file in WAL mode that several processes share. It does not interpret events. */
import { DatabaseSync } from 'node:sqlite';
import { JournalError, UserError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type {
  AppendBatch,
  EventRow,
  Mail,
  MailKind,
  NewRun,
  NewSet,
  Owner,
  Ownership,
  RunRow,
  SetOwnership,
  SetRow,
  Store,
} from '../core/store.ts';
import { livingOwner } from './owner.ts';
import {
  migrate,
  packText,
  type RunRecord,
  runColumns,
  type Statements,
  schemaVersion,
  statementsOf,
  toEventRow,
  unpackText,
  versionOf,
} from './schema.ts';
import { type SetTable, setTable } from './set-table.ts';
import { explainStoreError, isBusy, isUnwritable, makePrivate, openForReading } from './store-errors.ts';

export type SqliteStoreOptions = {
  /** The path of the database file; its folder must exist. `:memory:` is for benches only. */
  readonly file: string;
  readonly now: () => number;
};

/** A missing file is made. A file of a newer Polya, and one that may not be written, are opened for reading only. */
export function openSqliteStore({ file, now }: SqliteStoreOptions): Store {
  let database: DatabaseSync | undefined;
  try {
    makePrivate(file);
    database = new DatabaseSync(file, { timeout: 15_000 });
    const isNewer = versionOf(database) > schemaVersion;
    if (!isNewer) {
      enterWal(database);
      database.exec('PRAGMA synchronous = NORMAL');
      migrate(database);
    }
    return new SqliteStore(database, now, isNewer);
  } catch (error) {
    database?.close();
    const readable = isUnwritable(error) ? openForReading(file) : null;
    if (readable) return new SqliteStore(readable, now, false);
    throw explainStoreError(error, file);
  }
}

/** Changing the journal mode does not wait for other processes as everything else does: it has to be tried again. */
function enterWal(database: DatabaseSync): void {
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

class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #now: () => number;
  readonly #isNewer: boolean;
  readonly #run: Statements;
  readonly #sets: SetTable;
  /** By run: its key and the last number appended. Only the owner appends, so what it remembers holds. */
  readonly #owned = new Map<string, { key: number; lastSeq: number; epoch: number }>();
  #isFull = false;

  constructor(database: DatabaseSync, now: () => number, isNewer: boolean) {
    this.#database = database;
    this.#now = now;
    this.#isNewer = isNewer;
    this.#run = statementsOf(database);
    this.#sets = setTable(database, now);
  }

  async create(run: NewRun, first: AppendBatch): Promise<Ownership> {
    return this.#write(() => {
      if (this.#record(run.id))
        throw new UserError({ code: 'run-exists', what: `There is a run ${run.id} already.` });
      const parent = run.parent ? this.#required(run.parent.run) : null;
      if (parent && (run.parent?.seq ?? 0) > this.#lastOf(parent).seq)
        throw new Error(`${run.id}: its parent ${parent.id} has no event ${run.parent?.seq}`);
      const { pid, startedAt } = run.owner;
      const fork = [parent?.key ?? null, run.parent?.seq ?? null] as const;
      const summary = JSON.stringify(run.summary);
      this.#run.insertRun.run(run.id, run.createdAtMs, ...fork, summary, pid, startedAt, this.#now());
      const { key } = this.#required(run.id);
      const lastSeq = this.#insertBatch(run.id, { key, lastSeq: run.parent?.seq ?? 0 }, first);
      this.#owned.set(run.id, { key, lastSeq, epoch: 1 });
      return { runId: run.id, epoch: 1, owner: run.owner };
    }, first.durable);
  }

  async acquire(runId: string, owner: Owner): Promise<Ownership> {
    return this.#write(() => {
      const record = this.#unowned(runId);
      const epoch = record.epoch + 1;
      this.#run.takeOver.run(owner.pid, owner.startedAt, this.#now(), epoch, record.key);
      this.#owned.set(runId, { key: record.key, lastSeq: this.#lastOf(record).seq, epoch });
      return { runId, epoch, owner };
    });
  }

  async release({ runId, epoch }: Ownership): Promise<void> {
    this.#write(() => {
      this.#run.hushOwner.run(runId, epoch);
      this.#run.release.run(runId, epoch);
    });
    if (this.#owned.get(runId)?.epoch === epoch) this.#owned.delete(runId);
  }

  async heartbeat({ runId, epoch }: Ownership): Promise<void> {
    const { changes } = this.#write(() => this.#run.heartbeat.run(this.#now(), runId, epoch));
    if (Number(changes) === 0) throw lostError(runId);
  }

  async append({ runId, epoch }: Ownership, batch: AppendBatch): Promise<void> {
    const owned = this.#owned.get(runId);
    if (owned?.epoch !== epoch) throw lostError(runId);
    owned.lastSeq = this.#write(() => {
      if (this.#run.epochOf.get(owned.key)?.epoch !== epoch) throw lostError(runId);
      return this.#insertBatch(runId, owned, batch);
    }, batch.durable);
  }

  async events(runId: string, afterSeq = 0): Promise<readonly EventRow[]> {
    const rows: EventRow[] = [];
    for (const { key, fromSeq, toSeq } of this.#segments(this.#required(runId))) {
      if (toSeq <= afterSeq) continue;
      const found = this.#run.eventsBetween.all(key, Math.max(fromSeq, afterSeq), toSeq);
      for (const row of found) rows.push(toEventRow(row));
    }
    return rows;
  }

  async blobs(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const { hash, data } of this.#run.blobs.all(JSON.stringify(hashes))) {
      found.set(String(hash), unpackText(data));
    }
    return found;
  }

  async get(runId: string): Promise<RunRow | null> {
    const record = this.#record(runId);
    return record && !record.hidden ? this.#toRunRow(record) : null;
  }

  async list({ limit = -1 }: { limit?: number } = {}): Promise<readonly RunRow[]> {
    return this.#run.listRuns.all(limit).map((row) => this.#toRunRow(runColumns.parse(row)));
  }

  async delete(runId: string): Promise<void> {
    this.#write(() => {
      const record = this.#unowned(runId);
      this.#run.hide.run(record.key);
      this.#sweep(record);
    });
  }

  async post(runId: string, { kind, text, atMs }: Omit<Mail, 'id'>): Promise<void> {
    this.#write(() => this.#run.insertMail.run(this.#required(runId).key, atMs, kind, text));
  }

  async mail(runId: string, afterId: number): Promise<readonly Mail[]> {
    return this.#run.mailAfter.all(this.#required(runId).key, afterId).map((row) => ({
      id: Number(row.id),
      atMs: Number(row.at),
      kind: String(row.kind) as MailKind,
      text: String(row.text),
    }));
  }

  async publish({ runId, epoch }: Ownership, text: string): Promise<void> {
    const { changes } = this.#write(() => this.#run.publish.run(text, runId, epoch));
    if (Number(changes) === 0) throw lostError(runId);
  }

  async tail(runId: string): Promise<string | null> {
    const record = this.#required(runId);
    if (!livingOwner(record, this.#now())) return null;
    const said = this.#run.tail.get(record.key, record.epoch);
    return said ? String(said.text) : null;
  }

  async createSet(set: NewSet): Promise<SetOwnership> {
    return this.#write(() => this.#sets.create(set));
  }

  async acquireSet(setId: string, owner: Owner, plan: JsonObject): Promise<SetOwnership> {
    return this.#write(() => this.#sets.acquire(setId, owner, plan));
  }

  async heartbeatSet(ownership: SetOwnership): Promise<void> {
    this.#write(() => this.#sets.heartbeat(ownership));
  }

  async releaseSet(ownership: SetOwnership, ending: JsonObject | null): Promise<void> {
    this.#write(() => this.#sets.release(ownership, ending));
  }

  async getSet(setId: string): Promise<SetRow | null> {
    return this.#sets.get(setId);
  }

  async listSets({ limit = -1 }: { limit?: number } = {}): Promise<readonly SetRow[]> {
    return this.#sets.list(limit);
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close();
  }

  /** One transaction. The synchronisation can only be changed outside of one. */
  #write<T>(work: () => T, durable = false): T {
    if (this.#isNewer)
      throw new JournalError({
        code: 'database-newer',
        what: 'This store was written by a newer Polya; it can be read here, not written.',
        fix: 'Update Polya, or use another folder (`POLYA_HOME`).',
      });
    try {
      if (durable !== this.#isFull) {
        this.#database.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
        this.#isFull = durable;
      }
      this.#run.begin.run();
      const result = work();
      this.#run.commit.run();
      return result;
    } catch (error) {
      if (this.#database.isOpen && this.#database.isTransaction) this.#run.rollback.run();
      throw explainStoreError(error, this.#database.location() ?? 'the store');
    }
  }

  #insertBatch(runId: string, owned: { key: number; lastSeq: number }, batch: AppendBatch): number {
    let last = owned.lastSeq;
    for (const event of batch.events) {
      if (event.seq !== last + 1) throw new Error(`${runId}: event ${event.seq} cannot follow event ${last}`);
      last = event.seq;
      const { seq, atMs, branch, ordinal, attempt, kind, body } = event;
      this.#run.insertEvent.run(owned.key, seq, atMs, branch, ordinal, attempt, kind, body);
    }
    for (const { hash, text } of batch.blobs) {
      this.#run.insertBlob.run(hash, packText(text));
      this.#run.referToBlob.run(owned.key, hash);
    }
    if (batch.summary) this.#run.setSummary.run(JSON.stringify(batch.summary), owned.key);
    if (batch.ended !== undefined) this.#run.setEnded.run(batch.ended ? 1 : 0, owned.key);
    if (batch.ended) this.#run.hush.run(owned.key);
    return last;
  }

  /** A fork's beginning lies with its ancestors: whose events, after which number, up to which. */
  #segments(record: RunRecord): { key: number; fromSeq: number; toSeq: number }[] {
    const segments: { key: number; fromSeq: number; toSeq: number }[] = [];
    let toSeq = Number.MAX_SAFE_INTEGER;
    for (let next: RunRecord | null = record; next; next = this.#parentOf(next)) {
      const fromSeq = next.parent_seq ?? 0;
      segments.unshift({ key: next.key, fromSeq, toSeq });
      toSeq = Math.min(toSeq, fromSeq);
    }
    return segments;
  }

  /** Removes hidden runs that no fork needs any more, from this one up through its ancestors. */
  #sweep(record: RunRecord): void {
    let next: RunRecord | null = record;
    while (next && (next === record || next.hidden) && !this.#run.childOf.get(next.key)) {
      this.#run.deleteBlobs.run({ key: next.key });
      for (const statement of this.#run.deleteRun) statement.run(next.key);
      next = this.#parentOf(next);
    }
  }

  #toRunRow(record: RunRecord): RunRow {
    const last = this.#lastOf(record);
    const parent = this.#parentOf(record);
    return {
      id: record.id,
      createdAtMs: record.created_at,
      parent: parent ? { run: parent.id, seq: record.parent_seq ?? 0 } : null,
      summary: JSON.parse(record.summary) as JsonObject,
      lastSeq: last.seq,
      lastAtMs: last.atMs ?? record.created_at,
      owner: livingOwner(record, this.#now()),
      ended: record.ended === 1,
      heartbeatAtMs: record.heartbeat_at,
    };
  }

  #lastOf(record: RunRecord): { seq: number; atMs: number | null } {
    const row = this.#run.lastEvent.get(record.key);
    return row ? { seq: Number(row.seq), atMs: Number(row.at) } : { seq: record.parent_seq ?? 0, atMs: null };
  }

  #parentOf({ parent_key: key }: RunRecord): RunRecord | null {
    return key === null ? null : runColumns.parse(this.#run.runByKey.get(key));
  }

  #record(runId: string): RunRecord | null {
    const row = this.#run.runById.get(runId);
    return row ? runColumns.parse(row) : null;
  }

  /** Throws where a living process owns it. */
  #unowned(runId: string): RunRecord {
    const record = this.#required(runId);
    const owner = livingOwner(record, this.#now());
    if (owner === null) return record;
    throw new JournalError({
      code: 'run-owned',
      what: `Run ${runId} is alive in process ${owner.pid}.`,
      why: 'A run has one owner at a time.',
      fix: `Watch it with \`polya runs watch ${runId}\`, or stop it with \`polya runs stop ${runId}\`.`,
    });
  }

  #required(runId: string): RunRecord {
    const record = this.#record(runId);
    if (record && !record.hidden) return record;
    throw new UserError({
      code: 'no-such-run',
      what: `There is no run ${runId}.`,
      fix: '`polya runs list` shows the runs of this folder.',
    });
  }
}

function lostError(runId: string): JournalError {
  return new JournalError({
    code: 'ownership-lost',
    what: `Run ${runId} belongs to another process now.`,
    why: 'This one was taken for dead; nothing that it did since has been written.',
    fix: `Watch it with \`polya runs watch ${runId}\`.`,
  });
}
