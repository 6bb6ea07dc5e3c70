/** The store on `node:sqlite`: one file in WAL mode that several processes share. It does not interpret events. */
import type { DatabaseSync } from 'node:sqlite';
import { errorOf, JournalError, UnreadableEventError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import {
  type AppendBatch,
  type EventRow,
  type InboxMessage,
  type MessageKind,
  type NewRun,
  type NewSet,
  type Owner,
  type Ownership,
  PartlyUnreadableError,
  type RunFilter,
  type RunRow,
  type SetOwnership,
  type SetRow,
  type Store,
} from '../core/store.ts';
import { oneLine } from '../text/format.ts';
import { type ConnectionOptions, Connections } from './connections.ts';
import { liveOwner } from './owner.ts';
import { ownershipLostError, runExists, runNotFound, runOwned } from './refusals.ts';
import { mostCharacters, packText, sumOf, toEventRow, unpackText } from './rows.ts';
import { type RunRecord, runColumns, type Statements, statementsOf } from './schema.ts';
import { type SetTable, setTable } from './set-table.ts';
import { explainReadError, explainStoreError, isBusy, isCorruption } from './store-errors.ts';

export type SqliteStoreOptions = Omit<ConnectionOptions<unknown>, 'file' | 'prepare'> & {
  /** The path of the database file; its folder must exist, or be made by `beforeWriting`. `:memory:` is for benches only. */
  readonly file: string;
  readonly now: () => number;
};

/** Reading changes nothing: a missing file is made by the first write, and one of an older Polya brought up to date. */
export function openSqliteStore({ file, now, ...hooks }: SqliteStoreOptions): Store {
  try {
    const prepare = (database: DatabaseSync): Prepared => ({
      run: statementsOf(database),
      sets: setTable(database, now),
    });
    return new SqliteStore(new Connections({ file, prepare, ...hooks }), file, now);
  } catch (error) {
    throw explainReadError(error, file);
  }
}

type Prepared = { readonly run: Statements; readonly sets: SetTable };

type OwnedRun = {
  readonly key: number;
  readonly epoch: number;
  /** Of its last event; null: to be read, because a transaction that wrote events was rolled back. */
  lastSeq: number | null;
};

type QueuedWrite = {
  readonly durable: boolean;
  /** Of which an error speaks. */
  readonly runId: string | null;
  /** Within a transaction; it may be done again in another. */
  run(): void;
  resolve(): void;
  reject(error: unknown): void;
};

class SqliteStore implements Store {
  readonly #connections: Connections<Prepared>;
  readonly #file: string;
  readonly #now: () => number;
  /** Of the connection that the work at hand uses. */
  #prepared: Prepared | null = null;
  /** By run. Only the owner appends, so what it remembers holds. */
  readonly #owned = new Map<string, OwnedRun>();
  #writes: QueuedWrite[] = [];
  #isFull = false;

  constructor(connections: Connections<Prepared>, file: string, now: () => number) {
    this.#connections = connections;
    this.#file = file;
    this.#now = now;
  }

  async create(run: NewRun, first: AppendBatch): Promise<Ownership> {
    const owned = await this.#write(() => {
      if (this.#record(run.id)) throw runExists(run.id);
      const parent = run.parent ? this.#required(run.parent.run) : null;
      if (parent && (run.parent?.seq ?? 0) > this.#lastOf(parent).seq)
        throw new Error(`${run.id}: its parent ${parent.id} has no event ${run.parent?.seq}`);
      const { pid, startedAt } = run.owner;
      const fork = [parent?.key ?? null, run.parent?.seq ?? null] as const;
      const summary = JSON.stringify(run.summary);
      const inserted = this.#run.insertRun.run(
        run.id,
        run.createdAtMs,
        ...fork,
        summary,
        pid,
        startedAt,
        this.#now(),
      );
      const key = Number(inserted.lastInsertRowid);
      const ownedRun: OwnedRun = { key, lastSeq: run.parent?.seq ?? 0, epoch: 1 };
      this.#insertBatch(run.id, ownedRun, first);
      return ownedRun;
    }, first);
    this.#owned.set(run.id, owned);
    return { runId: run.id, epoch: 1, owner: run.owner };
  }

  async acquire(runId: string, owner: Owner): Promise<Ownership> {
    const owned = await this.#write((): OwnedRun => {
      const record = this.#assertUnowned(runId);
      const epoch = record.epoch + 1;
      this.#run.takeOver.run(owner.pid, owner.startedAt, this.#now(), epoch, record.key);
      return { key: record.key, lastSeq: this.#lastOf(record).seq, epoch };
    });
    this.#owned.set(runId, owned);
    return { runId, epoch: owned.epoch, owner };
  }

  async release({ runId, epoch }: Ownership): Promise<void> {
    await this.#write(
      () => {
        this.#run.hushOwner.run(runId, epoch);
        this.#run.release.run(runId, epoch);
      },
      { runId },
    );
    if (this.#owned.get(runId)?.epoch === epoch) this.#owned.delete(runId);
  }

  async heartbeat({ runId, epoch }: Ownership): Promise<void> {
    const heartbeat = () => this.#run.heartbeat.run(this.#now(), runId, epoch);
    const { changes } = await this.#write(heartbeat, { runId });
    if (Number(changes) === 0) throw ownershipLostError(runId);
  }

  async append({ runId, epoch }: Ownership, batch: AppendBatch): Promise<void> {
    const ownedRun = this.#owned.get(runId);
    if (ownedRun?.epoch !== epoch) throw ownershipLostError(runId);
    await this.#write(
      () => {
        if (this.#run.epochOf.get(ownedRun.key)?.epoch !== epoch) throw ownershipLostError(runId);
        this.#insertBatch(runId, ownedRun, batch);
      },
      { durable: batch.durable, runId },
    );
  }

  async events(runId: string, afterSeq = 0, limit = Number.MAX_SAFE_INTEGER): Promise<readonly EventRow[]> {
    return this.#read(() => {
      const rows: EventRow[] = [];
      try {
        for (const { key, fromSeq, toSeq } of this.#segments(this.#required(runId))) {
          if (toSeq <= afterSeq || rows.length >= limit) continue;
          const place = { key, toSeq, room: limit - rows.length };
          for (const row of this.#rowsAfter(Math.max(fromSeq, afterSeq), place)) rows.push(toEventRow(row));
        }
      } catch (error) {
        if (!isCorruption(error) && !(error instanceof UnreadableEventError)) throw error;
        if (rows.length > 0) return rows;
        throw error instanceof UnreadableEventError
          ? error
          : new UnreadableEventError(afterSeq + 1, `it cannot be read (${errorOf(error).message})`);
      }
      return rows;
    });
  }

  /** All at once; where that cannot be read, one by one up to the damage. */
  *#rowsAfter(
    afterSeq: number,
    { key, toSeq, room }: { key: number; toSeq: number; room: number },
  ): Iterable<unknown> {
    try {
      yield* this.#run.eventsBetween.all(key, afterSeq, toSeq, room);
      return;
    } catch (error) {
      if (!isCorruption(error)) throw error;
    }
    for (let [last, left] = [afterSeq, room]; left > 0; left -= 1) {
      const [row] = this.#run.eventsBetween.all(key, last, toSeq, 1);
      if (!row) return;
      yield row;
      last = toEventRow(row).seq;
    }
  }

  async blobs(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#read(() => {
      const found = new Map<string, string>();
      let characters = 0;
      for (const row of this.#blobRows(hashes)) {
        const [hash, data] = Object.values(row);
        try {
          const text = unpackText(data);
          found.set(String(hash), text);
          characters += text.length;
          if (characters > mostCharacters) break;
        } catch (error) {
          // As if it were missing: who asks for it says so.
          if (error instanceof JournalError) throw error;
        }
      }
      return found;
    });
  }

  async blobNames(runId: string): Promise<readonly string[]> {
    return this.#read(() => {
      const names: string[] = [];
      try {
        for (const { key } of this.#segments(this.#required(runId)))
          for (const row of this.#run.blobNames.all(key)) names.push(String(Object.values(row)[0]));
      } catch (error) {
        if (!isCorruption(error)) throw error;
      }
      return names;
    });
  }

  *#blobRows(hashes: readonly string[]): Iterable<object> {
    try {
      yield* this.#run.blobs.iterate(JSON.stringify(hashes));
      return;
    } catch (error) {
      if (!isCorruption(error)) throw error;
    }
    if (hashes.length > 1) for (const hash of hashes) yield* this.#blobRows([hash]);
  }

  async get(runId: string): Promise<RunRow | null> {
    return this.#read(() => {
      const record = this.#record(runId);
      return record && !record.hidden ? this.#toRunRow(record) : null;
    });
  }

  async list({ limit = -1, open = false }: RunFilter = {}): Promise<readonly RunRow[]> {
    return this.#read(() => {
      const { records, unread } = this.#records(limit, open);
      const all = records.flatMap((record) => {
        try {
          return [this.#toRunRow(record)];
        } catch (error) {
          unread.push(`run ${record.id} (${errorOf(error).message})`);
          return [];
        }
      });
      if (unread.length > 0) throw new PartlyUnreadableError(all, unread);
      return all;
    });
  }

  /** Newest first. Where a part cannot be read, what lies before it and what lies behind it. */
  #records(limit: number, open = false): { records: RunRecord[]; unread: string[] } {
    const records = new Map<unknown, RunRecord>();
    const unread = new Set<string>();
    const take = (rows: Iterable<Record<string, unknown>>): boolean => {
      try {
        for (const row of rows) {
          const record = runColumns.safeParse(row);
          if (record.success) records.set(row.key, record.data);
          else unread.add(`run ${oneLine(String(row.id)).slice(0, 100)} (its row is damaged)`);
        }
        return true;
      } catch (error) {
        unread.add(`the table of runs (${errorOf(error).message})`);
        return false;
      }
    };
    const newest = open ? this.#run.listOpen : this.#run.listRuns;
    if (!take(newest.iterate(limit)) && limit < 0 && !open) take(this.#run.listOldest.iterate());
    return { records: [...records.values()].sort((a, b) => b.key - a.key), unread: [...unread] };
  }

  async delete(runId: string): Promise<void> {
    await this.#write(() => {
      const record = this.#assertUnowned(runId);
      this.#run.hide.run(record.key);
      this.#sweep(record);
    });
  }

  async post(runId: string, { kind, text, atMs }: Omit<InboxMessage, 'id'>): Promise<void> {
    await this.#write(() => this.#run.insertMail.run(this.#required(runId).key, atMs, kind, text));
  }

  async mail(runId: string, afterId: number): Promise<readonly InboxMessage[]> {
    const owned = this.#owned.get(runId);
    return this.#read(() =>
      this.#run.mailAfter.all(owned?.key ?? this.#required(runId).key, afterId).map((row) => ({
        id: Number(row.id),
        atMs: Number(row.at),
        kind: String(row.kind) as MessageKind,
        text: String(row.text),
      })),
    );
  }

  async publish({ runId, epoch }: Ownership, text: string): Promise<void> {
    const { changes } = await this.#write(() => this.#run.publish.run(text, runId, epoch));
    if (Number(changes) === 0) throw ownershipLostError(runId);
  }

  async tail(runId: string): Promise<string | null> {
    return this.#read(() => {
      const record = this.#required(runId);
      if (!liveOwner(record, this.#now())) return null;
      const said = this.#run.tail.get(record.key, record.epoch);
      return said ? String(said.text) : null;
    });
  }

  async createSet(set: NewSet): Promise<SetOwnership> {
    return this.#write(() => this.#sets.create(set));
  }

  async acquireSet(setId: string, owner: Owner, plan: JsonObject): Promise<SetOwnership> {
    return this.#write(() => this.#sets.acquire(setId, owner, plan));
  }

  async heartbeatSet(ownership: SetOwnership): Promise<void> {
    await this.#write(() => this.#sets.heartbeat(ownership));
  }

  async releaseSet(ownership: SetOwnership, ending: JsonObject | null): Promise<void> {
    await this.#write(() => this.#sets.release(ownership, ending));
  }

  async getSet(setId: string): Promise<SetRow | null> {
    return this.#read(() => this.#sets.get(setId));
  }

  async listSets({ limit = -1 }: { limit?: number } = {}): Promise<readonly SetRow[]> {
    return this.#read(() => this.#sets.list(limit));
  }

  async close(): Promise<void> {
    this.#commit();
    this.#connections.close();
  }

  get #run(): Statements {
    return this.#statements.run;
  }

  get #sets(): SetTable {
    return this.#statements.sets;
  }

  get #statements(): Prepared {
    if (this.#prepared === null) throw new Error('The store is used outside of a read or a write.');
    return this.#prepared;
  }

  #read<T>(work: () => T): T {
    try {
      return this.#connections.read((prepared) => {
        this.#prepared = prepared;
        return work();
      });
    } catch (error) {
      throw explainReadError(error, this.#file);
    }
  }

  /**
   * Writes that are asked for in one turn of the event loop, by however many runs, are one transaction with one
   * synchronisation. Resolves when it has been committed.
   */
  #write<T>(
    work: () => T,
    { durable = false, runId = null }: { durable?: boolean; runId?: string | null } = {},
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      let result: T;
      const run = (): void => {
        result = work();
      };
      this.#writes.push({ durable, runId, run, resolve: () => resolve(result), reject });
      if (this.#writes.length === 1) setImmediate(() => this.#commit());
    });
  }

  /** Where a transaction fails, its writes are done one by one: what is wrong with one does not concern the others. */
  #commit(writes = this.#writes.splice(0)): void {
    if (writes.length === 0) return;
    try {
      this.#transact(writes);
      for (const { resolve } of writes) resolve();
    } catch (error) {
      if (writes.length > 1 && !isBusy(error)) for (const write of writes) this.#commit([write]);
      else
        for (const { reject, runId } of writes)
          reject(explainReadError(explainStoreError(error, this.#file, runId), this.#file));
    }
  }

  /** The synchronisation can only be changed outside of a transaction. */
  #transact(writes: readonly QueuedWrite[]): void {
    const { database, connection } = this.#connections.writeConnection();
    this.#prepared = connection;
    const durable = writes.some((write) => write.durable);
    if (durable !== this.#isFull) {
      database.exec(`PRAGMA synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
      this.#isFull = durable;
    }
    try {
      this.#run.begin.run();
      for (const write of writes) write.run();
      this.#run.commit.run();
    } catch (error) {
      if (database.isOpen && database.isTransaction) this.#run.rollback.run();
      for (const owned of this.#owned.values()) owned.lastSeq = null;
      throw error;
    }
  }

  #insertBatch(runId: string, ownedRun: OwnedRun, batch: AppendBatch): void {
    let last = ownedRun.lastSeq ?? Number(this.#run.lastEvent.get(ownedRun.key)?.seq);
    for (const event of batch.events) {
      if (event.seq !== last + 1) throw new Error(`${runId}: event ${event.seq} cannot follow event ${last}`);
      last = event.seq;
      const { seq, atMs, branch, ordinal, attempt, kind, body } = event;
      const columns = [ownedRun.key, seq, atMs, branch, ordinal, attempt, kind, body] as const;
      this.#run.insertEvent.run(...columns, sumOf(event));
    }
    for (const { hash, text } of batch.blobs) {
      this.#run.insertBlob.run(hash, packText(text));
      this.#run.referToBlob.run(ownedRun.key, hash);
    }
    if (batch.summary) this.#run.setSummary.run(JSON.stringify(batch.summary), ownedRun.key);
    if (batch.ended !== undefined) this.#run.setEnded.run(batch.ended ? 1 : 0, ownedRun.key);
    if (batch.ended) this.#run.hush.run(ownedRun.key);
    if (batch.mailAfter !== undefined) this.#inboxAfter(batch.mailAfter);
    ownedRun.lastSeq = last;
  }

  /** An id that is given by hand is the last of the table: the next goes on from there. */
  #inboxAfter(id: number): void {
    this.#run.skipMail.run(id, id);
    this.#run.forgetMail.run(id);
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
      owner: liveOwner(record, this.#now()),
      ended: record.ended === 1,
      heartbeatAtMs: record.heartbeat_at,
    };
  }

  #lastOf(record: RunRecord): { seq: number; atMs: number | null } {
    const row = this.#run.lastEvent.get(record.key);
    return row ? { seq: Number(row.seq), atMs: Number(row.at) } : { seq: record.parent_seq ?? 0, atMs: null };
  }

  #parentOf({ id, key, parent_key: parentKey }: RunRecord): RunRecord | null {
    if (parentKey === null) return null;
    // A parent is older: what says otherwise would be followed for ever.
    const parent = parentKey < key ? runColumns.safeParse(this.#run.runByKey.get(parentKey)) : null;
    if (parent?.success) return parent.data;
    throw new JournalError({
      code: 'database-damaged',
      what: `The row of the run that ${id} is a fork of is damaged.`,
    });
  }

  #record(runId: string): RunRecord | null {
    try {
      const row = this.#run.runById.get(runId);
      return row ? runColumns.parse(row) : null;
    } catch (error) {
      const full = this.#records(-1).records.find(({ id }) => id === runId);
      if (full) return full;
      throw error;
    }
  }

  /** Throws where a living process owns it. */
  #assertUnowned(runId: string): RunRecord {
    const record = this.#required(runId);
    const owner = liveOwner(record, this.#now());
    if (owner === null) return record;
    throw runOwned(runId, owner);
  }

  #required(runId: string): RunRecord {
    const record = this.#record(runId);
    if (record && !record.hidden) return record;
    if (!record && this.#records(-1).records.some(({ id }) => id === runId))
      throw new JournalError({
        code: 'database-damaged',
        what: `The index of runs misses run ${runId}, which their table has.`,
        fix: '`polya store check` says what is whole, `polya store check --salvage FOLDER` copies it.',
      });
    throw runNotFound(runId);
  }
}
