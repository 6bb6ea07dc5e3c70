/**
 * The store on Postgres, for processes of many hosts. The lease of an owner is kept by the clock of the database; each write
 * checks the owner's epoch in its transaction, and is found again where its receipt was lost. It does not interpret events.
 */
import { randomUUID } from 'node:crypto';
import type { Fleet } from '../../core/fleet.ts';
import type { JsonObject } from '../../core/json.ts';
import type {
  AppendBatch,
  EventRow,
  Hints,
  InboxMessage,
  NewRun,
  NewSet,
  Owner,
  Ownership,
  RunFilter,
  RunRow,
  SetOwnership,
  SetRow,
  Store,
} from '../../core/store.ts';
import { newerStoreError, ownershipLostError, runExists, runOwned } from '../refusals.ts';
import { sumOf } from '../rows.ts';
import { addressOf } from './address.ts';
import { postgresFleet } from './fleet.ts';
import { Listener } from './listener.ts';
import {
  findRun,
  listRuns,
  readBlobNames,
  readBlobs,
  readEvents,
  readInbox,
  requiredRun,
  toRunRow,
} from './reading.ts';
import { isSame, liveOwner, migrate, ownerValues } from './schema.ts';
import { briefMs, type Query, Server } from './server.ts';
import * as sets from './sets.ts';
import { appendStatement, createStatement } from './writing.ts';

export type PostgresStoreOptions = {
  /** `postgres://USER@HOST/DATABASE`; with `?schema=NAME` one of several stores of a database. */
  readonly url: string;
  /** How many one process opens at most. */
  readonly connections?: number;
  /** How long an owner that is not heard of counts as alive. */
  readonly leaseMs?: number;
  /** How long may be between two looks of who is told by the server. */
  readonly quietMs?: number;
};

export const usualConnections = 4;
/** An owner renews it every 2 s; a dead host's runs can be taken over after it. */
const usualLeaseMs = 8_000;
/** With the lease and a look, a dead host's rows go on within 10 s. */
const usualQuietMs = 1_000;
/** An owner gives up so much earlier than its lease ends. */
const marginMs = 500;

/** Makes the tables where there are none. A schema of a newer Polya is opened for reading only. */
export async function openPostgresStore({
  url,
  connections = usualConnections,
  leaseMs = usualLeaseMs,
  quietMs = usualQuietMs,
}: PostgresStoreOptions): Promise<Store> {
  const server = new Server({ address: addressOf(url), connections, patienceMs: leaseMs });
  try {
    // At once and once: somebody waits for it who can correct the address.
    const { isNewer } = await server.withRetries(
      () => migrate(server),
      () => false,
    );
    const listener = connections > 1 ? new Listener(server, quietMs) : null;
    return new PostgresStore(server, { leaseMs, isNewer, listener });
  } catch (error) {
    await server.close();
    throw error;
  }
}

type ProcessInfo = {
  readonly leaseMs: number;
  readonly isNewer: boolean;
  readonly listener: Listener | null;
};

class PostgresStore implements Store {
  readonly #server: Server;
  readonly #leaseMs: number;
  readonly #isNewer: boolean;
  readonly #listener: Listener | null;
  /** By run that this process owns: when it last asked for what was then granted. */
  readonly #renewedAt = new Map<string, number>();

  constructor(server: Server, { leaseMs, isNewer, listener }: ProcessInfo) {
    this.#server = server;
    this.#leaseMs = leaseMs;
    this.#isNewer = isNewer;
    this.#listener = listener;
  }

  async create(run: NewRun, first: AppendBatch): Promise<Ownership> {
    const ownership = { runId: run.id, epoch: 1, owner: run.owner };
    assertContiguous(run.id, first, run.parent?.seq ?? 0);
    await this.#write(async (attempt) => {
      const sentAt = performance.now();
      const parentKey = run.parent ? await this.#parentKey(run.id, run.parent) : null;
      const result = await this.#server.ask(
        createStatement(run, parentKey, first, { leaseMs: this.#leaseMs }),
      );
      if (result.rowCount === 0 && !(attempt > 1 && (await this.#isAlreadyWritten(ownership, first))))
        throw runExists(run.id);
      this.#renewedAt.set(run.id, sentAt);
    });
    return ownership;
  }

  async #parentKey(runId: string, { run, seq }: NonNullable<NewRun['parent']>): Promise<number> {
    const parent = await requiredRun(this.#server.ask, run);
    if (seq > parent.last_seq) throw new Error(`${runId}: its parent ${run} has no event ${seq}`);
    return parent.key;
  }

  async acquire(runId: string, owner: Owner): Promise<Ownership> {
    const sentAt = performance.now();
    const epoch = await this.#writeTogether(async (request, attempt) => {
      const record = await requiredRun(request, runId, 'FOR UPDATE OF r');
      const holder = liveOwner(record);
      // What was granted, and its receipt lost, is asked for again.
      const isGranted = attempt > 1 && !this.#renewedAt.has(runId) && isSame(holder, owner);
      if (holder && !isGranted) throw runOwned(runId, holder);
      await request({
        text: `UPDATE runs SET owner_pid = $1, owner_started_at = $2, owner_host = $3, epoch = $4,
          heartbeat_at = clock_timestamp(), lease_until = clock_timestamp() + $5::integer * interval '1 ms' WHERE key = $6`,
        values: [...ownerValues(owner), record.epoch + 1, this.#leaseMs, record.key],
      });
      return record.epoch + 1;
    });
    this.#renewedAt.set(runId, sentAt);
    return { runId, epoch, owner };
  }

  async release({ runId, epoch }: Ownership): Promise<void> {
    const text = `WITH own AS (UPDATE runs SET owner_pid = NULL, owner_started_at = NULL,
      lease_until = NULL WHERE id = $1 AND epoch = $2 RETURNING key) DELETE FROM tails USING own WHERE run_key = own.key`;
    this.#renewedAt.delete(runId);
    // Once: who cannot let go is taken for dead in the time in which it would be tried again.
    await this.#write(
      () => this.#server.ask({ text, values: [runId, epoch] }),
      () => false,
    );
  }

  async heartbeat(ownership: Ownership): Promise<void> {
    const { runId, epoch } = ownership;
    const text = `UPDATE runs SET heartbeat_at = clock_timestamp(),
      lease_until = clock_timestamp() + $1::integer * interval '1 ms'
      WHERE id = $2 AND epoch = $3 AND owner_pid IS NOT NULL`;
    await this.#writeAsOwner(ownership, async () => {
      const values = [this.#leaseMs, runId, epoch];
      const { rowCount } = await this.#server.ask({ name: 'heartbeat', text, values, patienceMs: briefMs });
      if (rowCount === 0) throw ownershipLostError(runId);
    });
  }

  async append(ownership: Ownership, batch: AppendBatch): Promise<void> {
    const { runId } = ownership;
    assertContiguous(runId, batch, (batch.events[0]?.seq ?? 1) - 1);
    const statement = appendStatement(ownership, batch, { leaseMs: this.#leaseMs });
    const begunAt = performance.now();
    await this.#writeAsOwner(ownership, async (attempt) => {
      const { rowCount } = await this.#server.ask(statement);
      if (rowCount === 0 && !(attempt > 1 && (await this.#isAlreadyWritten(ownership, batch))))
        throw await this.#explainMissingWrite(ownership, batch);
    });
    // Who was paused reads the receipt late: the run may be another's since, and what was to follow is not to be done.
    const heldFrom = this.#renewedAt.get(runId) ?? begunAt;
    if (performance.now() > heldFrom + this.#leaseMs) await this.heartbeat(ownership);
  }

  /** Whether a batch whose receipt was lost stands in the journal: the same numbers, with the same sums. */
  async #isAlreadyWritten({ runId, epoch, owner }: Ownership, { events }: AppendBatch): Promise<boolean> {
    const record = await findRun(this.#server.ask, runId);
    if (
      record?.epoch !== epoch ||
      record.owner_started_at !== owner.startedAt ||
      record.owner_pid !== owner.pid
    )
      return false;
    const { rows } = await this.#server.ask({
      text: 'SELECT seq, sum FROM events WHERE run_key = $1 AND seq = ANY ($2::integer[])',
      values: [record.key, events.map(({ seq }) => seq)],
    });
    const sums = new Map(rows.map(({ seq, sum }) => [seq, sum]));
    return events.every((event) => sums.get(event.seq) === sumOf(event));
  }

  async #explainMissingWrite({ runId, epoch }: Ownership, { events }: AppendBatch): Promise<Error> {
    const record = await findRun(this.#server.ask, runId);
    if (record?.epoch !== epoch || record.owner_pid === null) return ownershipLostError(runId);
    return new Error(`${runId}: event ${events[0]?.seq} cannot follow event ${record.last_seq}`);
  }

  async events(runId: string, afterSeq = 0, limit?: number): Promise<readonly EventRow[]> {
    return this.#read(() => readEvents(this.#server.ask, runId, Math.min(afterSeq, mostSeq), limited(limit)));
  }

  async blobs(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#read(() => readBlobs(this.#server.ask, hashes));
  }

  async blobNames(runId: string): Promise<readonly string[]> {
    return this.#read(async () => {
      await requiredRun(this.#server.ask, runId);
      return readBlobNames(this.#server.ask, runId);
    });
  }

  async get(runId: string): Promise<RunRow | null> {
    return this.#read(async () => {
      const record = await findRun(this.#server.ask, runId);
      return record && !record.hidden ? toRunRow(record) : null;
    });
  }

  async list({ limit, open = false }: RunFilter = {}): Promise<readonly RunRow[]> {
    return this.#read(() => listRuns(this.#server.ask, limited(limit), open));
  }

  async delete(runId: string): Promise<void> {
    await this.#writeTogether(async (request, attempt) => {
      // Nobody refers to a blob meanwhile: who does so waits here, and writes it again.
      await request({ text: 'LOCK TABLE run_blobs IN SHARE ROW EXCLUSIVE MODE' });
      if (attempt > 1 && ((await findRun(request, runId))?.hidden ?? true)) return;
      const record = await requiredRun(request, runId, 'FOR UPDATE OF r');
      const owner = liveOwner(record);
      if (owner) throw runOwned(runId, owner);
      await request({ text: 'UPDATE runs SET hidden = true WHERE key = $1', values: [record.key] });
      await sweep(request, record.key);
    });
  }

  async post(runId: string, { kind, text, atMs }: Omit<InboxMessage, 'id'>): Promise<void> {
    const statement = {
      name: 'post',
      text: `WITH next AS (UPDATE last_mail SET id = id + 1 RETURNING id), posted AS (
          INSERT INTO mail (id, run_key, at, kind, text, token)
          SELECT next.id, key, $2, $3, $4, $5 FROM next, runs WHERE runs.id = $1 AND NOT hidden
          ON CONFLICT (token) DO NOTHING RETURNING 1)
        SELECT pg_notify(current_schema(), 'mail ' || $1) FROM posted`,
      values: [runId, atMs, kind, JSON.stringify(text), randomUUID()],
    };
    await this.#write(async () => {
      const { rowCount } = await this.#server.ask(statement);
      if (rowCount === 0) await requiredRun(this.#server.ask, runId);
    });
  }

  async mail(runId: string, afterId: number): Promise<readonly InboxMessage[]> {
    return this.#read(() => readInbox(this.#server.ask, runId, afterId));
  }

  async publish({ runId, epoch }: Ownership, said: string): Promise<void> {
    const text = `INSERT INTO tails SELECT key, epoch, $1 FROM runs WHERE id = $2 AND epoch = $3
      ON CONFLICT (run_key) DO UPDATE SET epoch = excluded.epoch, text = excluded.text`;
    const values = [said.replaceAll('\0', '\uFFFD'), runId, epoch];
    const { rowCount } = await this.#write(() => this.#server.ask({ name: 'publish', text, values }));
    if (rowCount === 0) throw ownershipLostError(runId);
  }

  async tail(runId: string): Promise<string | null> {
    return this.#read(async () => {
      const record = await requiredRun(this.#server.ask, runId);
      if (!liveOwner(record)) return null;
      const text = `SELECT text FROM tails WHERE run_key = $1 AND epoch = $2 AND text <> ''`;
      const { rows } = await this.#server.ask({ name: 'tail', text, values: [record.key, record.epoch] });
      return rows[0] ? String(rows[0].text) : null;
    });
  }

  async createSet(set: NewSet): Promise<SetOwnership> {
    return this.#write((attempt) =>
      sets.createSet(this.#server.ask, set, { leaseMs: this.#leaseMs, attempt }),
    );
  }

  async acquireSet(setId: string, owner: Owner, plan: JsonObject): Promise<SetOwnership> {
    const asked = { setId, owner, plan };
    return this.#writeTogether((request, attempt) =>
      sets.acquireSet(request, asked, { leaseMs: this.#leaseMs, attempt }),
    );
  }

  async heartbeatSet(ownership: SetOwnership): Promise<void> {
    await this.#write(() => sets.heartbeatSet(this.#server.ask, ownership, this.#leaseMs));
  }

  async releaseSet(ownership: SetOwnership, ending: JsonObject | null): Promise<void> {
    await this.#write(() => sets.releaseSet(this.#server.ask, ownership, ending));
  }

  async getSet(setId: string): Promise<SetRow | null> {
    return this.#read(() => sets.getSet(this.#server.ask, setId));
  }

  async listSets({ limit }: { limit?: number } = {}): Promise<readonly SetRow[]> {
    return this.#read(() => sets.listSets(this.#server.ask, limited(limit)));
  }

  async fleet(): Promise<Fleet> {
    if (this.#isNewer) throw newerStoreError('use another store (`POLYA_STORE`)');
    return postgresFleet(this.#server, this.#leaseMs);
  }

  async hints(): Promise<Hints | null> {
    return this.#listener;
  }

  async close(): Promise<void> {
    await this.#listener?.close();
    await this.#server.close();
  }

  #read<T>(work: () => Promise<T>): Promise<T> {
    return this.#server.withRetries(work);
  }

  #write<T>(work: (attempt: number) => Promise<T>, isWorthIt?: () => boolean): Promise<T> {
    if (this.#isNewer) return Promise.reject(newerStoreError('use another store (`POLYA_STORE`)'));
    return this.#server.withRetries(work, isWorthIt);
  }

  #writeTogether<T>(work: (request: Query, attempt: number) => Promise<T>): Promise<T> {
    return this.#write((attempt) => this.#server.transaction((request) => work(request, attempt)));
  }

  /** Tried for as long as the lease holds, and no longer: after that the run may be another's. */
  async #writeAsOwner({ runId }: Ownership, work: (attempt: number) => Promise<void>): Promise<void> {
    const begunAt = performance.now();
    const heldFrom = (): number => this.#renewedAt.get(runId) ?? begunAt;
    await this.#write(
      async (attempt) => {
        const sentAt = performance.now();
        await work(attempt);
        if (this.#renewedAt.has(runId)) this.#renewedAt.set(runId, Math.max(heldFrom(), sentAt));
      },
      () => performance.now() < heldFrom() + this.#leaseMs - marginMs,
    );
  }
}

const mostSeq = 2 ** 31 - 1;

function limited(limit: number | undefined): number | null {
  return limit === undefined || limit > mostSeq ? null : limit;
}

function assertContiguous(runId: string, { events }: AppendBatch, after: number): void {
  for (const [index, { seq }] of events.entries())
    if (seq !== after + index + 1)
      throw new Error(`${runId}: event ${seq} cannot follow event ${after + index}`);
}

/** Removes hidden runs that no fork needs any more, from this one up through its forebears. */
async function sweep(request: Query, from: number): Promise<void> {
  for (let key: number | null = from; key !== null; ) {
    const values = [key];
    const found = await request({
      text: `SELECT parent_key FROM runs r WHERE key = $1 AND hidden
        AND NOT EXISTS (SELECT FROM runs c WHERE c.parent_key = r.key) FOR UPDATE`,
      values,
    });
    const [row] = found.rows;
    if (!row) return;
    await request({
      text: `DELETE FROM blobs b USING run_blobs n WHERE n.run_key = $1 AND n.hash = b.hash
        AND NOT EXISTS (SELECT FROM run_blobs o WHERE o.hash = b.hash AND o.run_key <> $1)`,
      values,
    });
    for (const table of ['run_blobs', 'events', 'mail', 'tails'])
      await request({ text: `DELETE FROM ${table} WHERE run_key = $1`, values });
    await request({ text: 'DELETE FROM runs WHERE key = $1', values });
    key = row.parent_key === null ? null : Number(row.parent_key);
  }
}
