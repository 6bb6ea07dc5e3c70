/** What is read of journals on Postgres: rows of runs, events of a run and its forebears, blobs. */
import { z } from 'zod';
import { errorOf, JournalError, UnreadableEventError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import {
  type EventRow,
  type InboxMessage,
  type MessageKind,
  PartlyUnreadableError,
  type RunRow,
} from '../../core/store.ts';
import { runNotFound } from '../refusals.ts';
import { capped, maxBodyBytes, maxSummaryBytes, mostCharacters, toEventRow, unpackText } from '../rows.ts';
import { isCorruption } from './errors.ts';
import { liveOwner, ownerColumns, selectOwner } from './schema.ts';
import { briefMs, type Query } from './server.ts';

const runColumns = z.object({
  ...ownerColumns,
  key: z.number(),
  id: z.string().min(1),
  created_at: z.number().min(0).max(8.64e15),
  parent_id: z.string().nullable(),
  parent_key: z.number().nullable(),
  parent_seq: z.number().nullable(),
  summary: z.string(),
  last_seq: z.number(),
  last_at: z.number().nullable(),
  ended: z.boolean(),
  hidden: z.boolean(),
  heartbeat_ms: z.number().nullable(),
});
export type RunRecord = z.infer<typeof runColumns>;

const selectRun = `SELECT r.key, r.id, r.created_at, r.parent_key, r.parent_seq, r.last_seq, r.last_at, r.ended, r.hidden,
  ${capped('r.summary', maxSummaryBytes)} AS summary, ${selectOwner('r')},
  (extract(epoch FROM r.heartbeat_at) * 1000)::bigint AS heartbeat_ms, p.id AS parent_id
  FROM runs r LEFT JOIN runs p ON p.key = r.parent_key`;

export async function findRun(request: Query, runId: string, more = ''): Promise<RunRecord | null> {
  // No id holds a NUL, and Postgres takes none.
  if (runId.includes('\0')) return null;
  const text = `${selectRun} WHERE r.id = $1 ${more}`;
  const { rows } = await request({ name: `run ${more}`, text, values: [runId], patienceMs: briefMs });
  return rows[0] ? runColumns.parse(rows[0]) : null;
}

/** One that was not deleted. */
export async function requiredRun(ask: Query, runId: string, more = ''): Promise<RunRecord> {
  const record = await findRun(ask, runId, more);
  if (record && !record.hidden) return record;
  throw runNotFound(runId);
}

export function toRunRow(record: RunRecord): RunRow {
  const { parent_id: parent, parent_seq: parentSeq } = record;
  return {
    id: record.id,
    createdAtMs: record.created_at,
    parent: parent === null ? null : { run: parent, seq: parentSeq ?? 0 },
    summary: JSON.parse(record.summary) as JsonObject,
    lastSeq: record.last_seq,
    lastAtMs: record.last_at ?? record.created_at,
    owner: liveOwner(record),
    ...(record.owner_host ? { host: record.owner_host } : {}),
    ended: record.ended,
    heartbeatAtMs: record.heartbeat_ms,
  };
}

export async function listRuns(
  request: Query,
  limit: number | null,
  open: boolean,
): Promise<readonly RunRow[]> {
  const text = `${selectRun} WHERE NOT r.hidden AND NOT (r.ended AND $2) ORDER BY r.key DESC LIMIT $1`;
  const { rows } = await request({ text, values: [limit, open] });
  const unread: string[] = [];
  const all = rows.flatMap((row) => {
    try {
      return [toRunRow(runColumns.parse(row))];
    } catch (error) {
      unread.push(
        `run ${String(row.id)} (${error instanceof z.ZodError ? 'its row is damaged' : errorOf(error).message})`,
      );
      return [];
    }
  });
  if (unread.length > 0) throw new PartlyUnreadableError(all, unread);
  return all;
}

/** A fork's beginning lies with its forebears: whose events, after which number, up to which. A parent is older. */
const chain = `WITH RECURSIVE chain AS (
    SELECT key, parent_key, coalesce(parent_seq, 0) AS from_seq, 2147483647 AS to_seq
    FROM runs WHERE id = $1 AND NOT hidden
  UNION ALL
    SELECT p.key, p.parent_key, coalesce(p.parent_seq, 0), least(c.to_seq, c.from_seq)
    FROM chain c JOIN runs p ON p.key = c.parent_key AND p.key < c.key)`;

/** A segment without a row answers with one of nulls: so an unknown run is told from one that has nothing new. */
const eventsAfter = `${chain}
  SELECT e.* FROM chain c LEFT JOIN LATERAL (
    SELECT seq, at, branch, ordinal, attempt, kind, ${capped('body', maxBodyBytes)} AS body, sum FROM events
    WHERE run_key = c.key AND seq > greatest(c.from_seq, $2::integer) AND seq <= c.to_seq
    ORDER BY seq LIMIT $3::integer) e ON true`;

/** What a page has where it has to be read in pages. */
const pageRows = 256;

export async function readEvents(
  request: Query,
  runId: string,
  afterSeq: number,
  limit: number | null,
): Promise<readonly EventRow[]> {
  if (runId.includes('\0')) throw runNotFound(runId);
  const found = await request({ name: 'events', text: eventsAfter, values: [runId, afterSeq, limit] }).catch(
    async (error: unknown) => {
      if (!isCorruption(error)) throw error;
      if (limit === 1)
        throw new UnreadableEventError(afterSeq + 1, `it cannot be read (${errorOf(error).message})`);
      return null;
    },
  );
  // Fewer at once, down to the one that is damaged.
  if (found === null) return readEvents(request, runId, afterSeq, Math.ceil((limit ?? pageRows) / 2));
  if (found.rows.length === 0) throw runNotFound(runId);
  const rows = found.rows.filter(({ seq }) => seq !== null).sort((a, b) => Number(a.seq) - Number(b.seq));
  const events: EventRow[] = [];
  for (const row of rows.slice(0, limit ?? rows.length)) {
    try {
      events.push(toEventRow(Object.values(row)));
    } catch (error) {
      if (error instanceof UnreadableEventError && events.length > 0) break;
      throw error;
    }
  }
  return events;
}

/** A run without mail answers with a row of nulls, an unknown one with none: runs ask often, and one question is enough. */
export async function readInbox(
  ask: Query,
  runId: string,
  afterId: number,
): Promise<readonly InboxMessage[]> {
  if (runId.includes('\0')) throw runNotFound(runId);
  const text = `SELECT m.id, m.at, m.kind, m.text FROM runs r LEFT JOIN mail m ON m.run_key = r.key AND m.id > $2
    WHERE r.id = $1 AND NOT r.hidden ORDER BY m.id`;
  const { rows } = await ask({ name: 'mail', text, values: [runId, afterId], patienceMs: briefMs });
  if (rows.length === 0) throw runNotFound(runId);
  return rows
    .filter(({ id }) => id !== null)
    .map((row) => ({
      id: Number(row.id),
      atMs: Number(row.at),
      kind: String(row.kind) as MessageKind,
      text: String(JSON.parse(String(row.text))),
    }));
}

export async function readBlobs(
  request: Query,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const text = `SELECT hash, packed, data FROM (
      SELECT hash, packed, data, sum(octet_length(data)) OVER (ORDER BY hash) - octet_length(data) AS before
      FROM blobs WHERE hash = ANY ($1::text[]) AND octet_length(data) <= ${maxBodyBytes}) b
    WHERE before < ${mostCharacters}`;
  const { rows } = await request({
    name: 'blobs',
    text,
    values: [hashes.filter((hash) => !hash.includes('\0'))],
  });
  const found = new Map<string, string>();
  let characters = 0;
  for (const { hash, packed, data } of rows) {
    try {
      const text = packed === true ? unpackText(data) : String(data);
      found.set(String(hash), text);
      characters += text.length;
      if (characters > mostCharacters) break;
    } catch (error) {
      // As if it were missing: who asks for it says so.
      if (error instanceof JournalError) throw error;
    }
  }
  return found;
}

export async function readBlobNames(ask: Query, runId: string): Promise<readonly string[]> {
  const text = `${chain} SELECT hash FROM chain JOIN run_blobs ON run_key = chain.key JOIN blobs USING (hash)`;
  const { rows } = await ask({ text, values: [runId] });
  return rows.map(({ hash }) => String(hash));
}
