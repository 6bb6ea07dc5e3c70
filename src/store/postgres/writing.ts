/**
 * The SQL that writes a batch of a run: one statement, so one transaction and one turn to the server. What it did is found
 * again by the numbers and sums of its events.
 */
import type { AppendBatch, NewRun } from '../../core/store.ts';
import { packText, sumOf } from '../rows.ts';
import { ownerValues } from './schema.ts';
import { briefMs, type Statement } from './server.ts';

/** Places of a statement: each value gets the next `$n`. */
class Values {
  readonly list: unknown[] = [];
  readonly add = (value: unknown, type: string): string => `$${this.list.push(value)}::${type}`;
}

export type Lease = { readonly leaseMs: number };

const leased = (leaseMs: string): string =>
  `clock_timestamp(), clock_timestamp() + ${leaseMs} * interval '1 ms'`;

/** Answers with a row where the run is owned by this epoch and its last event is the one before the batch. */
export function appendStatement(
  { runId, epoch }: { readonly runId: string; readonly epoch: number },
  batch: AppendBatch,
  { leaseMs }: Lease,
): Statement {
  const values = new Values();
  const { add } = values;
  const [first, last] = [batch.events[0], batch.events.at(-1)];
  const sets = [
    `(heartbeat_at, lease_until) = (SELECT ${leased(add(leaseMs, 'integer'))})`,
    ...(last ? [`last_seq = ${add(last.seq, 'integer')}`, `last_at = ${add(last.atMs, 'bigint')}`] : []),
    ...(batch.summary ? [`summary = ${add(JSON.stringify(batch.summary), 'text')}`] : []),
    ...(batch.ended === undefined ? [] : [`ended = ${add(batch.ended, 'boolean')}`]),
  ];
  const follows = first ? ` AND last_seq = ${add(first.seq - 1, 'integer')}` : '';
  const own = `UPDATE runs SET ${sets.join(', ')} WHERE id = ${add(runId, 'text')}
    AND epoch = ${add(epoch, 'integer')} AND owner_pid IS NOT NULL${follows} RETURNING key`;
  return statementOf(own, batch, values);
}

/** Answers with a row where the id was free. */
export function createStatement(
  run: NewRun,
  parentKey: number | null,
  batch: AppendBatch,
  { leaseMs }: Lease,
): Statement {
  const values = new Values();
  const { add } = values;
  const last = batch.events.at(-1);
  const [pid, startedAt, host] = ownerValues(run.owner);
  const columns = [
    add(run.id, 'text'),
    add(run.createdAtMs, 'bigint'),
    add(parentKey, 'bigint'),
    add(run.parent?.seq ?? null, 'integer'),
    add(JSON.stringify(batch.summary ?? run.summary), 'text'),
    add(last?.seq ?? run.parent?.seq ?? 0, 'integer'),
    add(last?.atMs ?? null, 'bigint'),
    add(batch.ended ?? false, 'boolean'),
    add(pid, 'integer'),
    add(startedAt, 'text'),
    add(host, 'text'),
    leased(add(leaseMs, 'integer')),
  ];
  const own = `INSERT INTO runs (id, created_at, parent_key, parent_seq, summary, last_seq, last_at, ended, owner_pid,
    owner_started_at, owner_host, heartbeat_at, lease_until) VALUES (${columns.join(', ')})
    ON CONFLICT (id) DO NOTHING RETURNING key`;
  return statementOf(own, batch, values);
}

const eventColumns = [
  ['seq', 'integer'],
  ['atMs', 'bigint'],
  ['branch', 'text'],
  ['ordinal', 'integer'],
  ['attempt', 'integer'],
  ['kind', 'text'],
  ['body', 'text'],
] as const;

/** `own` changes the row of the run and answers with its key; all else is written for that key. */
function statementOf(own: string, batch: AppendBatch, { list, add }: Values): Statement {
  const parts = [`own AS (${own})`];
  const { events, ended } = batch;
  if (events.length > 0) {
    const rows = events.map((event) => [...eventColumns.map(([name]) => event[name]), sumOf(event)]);
    const types = [...eventColumns.map(([, type]) => type), 'bigint'];
    // Most batches are of one event, which costs less without lists.
    const [first = [], second] = rows;
    const source = second
      ? `e.* FROM own, unnest(${types
          .map((type, at) =>
            add(
              rows.map((row) => row[at]),
              `${type}[]`,
            ),
          )
          .join(', ')}) e`
      : `${types.map((type, at) => add(first[at], type)).join(', ')} FROM own`;
    parts.push(`new_events AS (INSERT INTO events (run_key, seq, at, branch, ordinal, attempt, kind, body, sum)
      SELECT own.key, ${source})`);
  }
  const bytes = addBlobs(batch, parts, add);
  if (ended) parts.push('hushed AS (DELETE FROM tails USING own WHERE run_key = own.key)');
  const mailAfter = batch.mailAfter === undefined ? null : add(batch.mailAfter, 'bigint');
  if (mailAfter) parts.push(`skipped AS (UPDATE last_mail SET id = greatest(id, ${mailAfter}) FROM own)`);
  const text = `WITH ${parts.join(',\n')}\nSELECT key FROM own`;
  const shape = `${Math.min(events.length, 2)}${batch.blobs.length > 0}${batch.summary !== undefined}${ended}${mailAfter !== null}`;
  const name = own.startsWith('UPDATE') ? `append ${shape}` : `create ${shape}`;
  return { name, text, values: list, patienceMs: briefMs + Math.ceil(bytes / bytesPerMs) };
}

/** In the order of their names: two transactions that write the same ones must not wait for each other. */
function addBlobs({ blobs, events }: AppendBatch, parts: string[], add: Values['add']): number {
  const bodyBytes = events.reduce((sum, { body }) => sum + body.length, 0);
  if (blobs.length === 0) return bodyBytes;
  const archives = blobs
    .toSorted((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ hash, text }) => {
      const data = packText(text);
      return { hash, isPacked: typeof data !== 'string', data: Buffer.from(data) };
    });
  const hashes = add(
    archives.map(({ hash }) => hash),
    'text[]',
  );
  const flags = add(
    archives.map(({ isPacked }) => isPacked),
    'boolean[]',
  );
  const data = add(
    archives.map((each) => each.data),
    'bytea[]',
  );
  parts.push(
    `new_blobs AS (INSERT INTO blobs (hash, packed, data) SELECT b.* FROM own, unnest(${hashes}, ${flags}, ${data}) b
      ON CONFLICT DO NOTHING)`,
    `new_names AS (INSERT INTO run_blobs (run_key, hash) SELECT own.key, h FROM own, unnest(${hashes}) h
      ON CONFLICT DO NOTHING)`,
  );
  return bodyBytes + archives.reduce((sum, each) => sum + each.data.byteLength, 0);
}

/** What a slow line carries. */
const bytesPerMs = 500;
