/** What hosts share beside journals, on Postgres: workers, runs that are given out, budgets. All times are the database's. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { BudgetShare, Fleet, Hold, LiveWorker, PendingRun, WorkerInfo } from '../../core/fleet.ts';
import type { LimitRejection, Reservation } from '../../core/limits.ts';
import { ownershipLostError } from '../refusals.ts';
import { liveOwner, ownerColumns, selectOwner } from './schema.ts';
import type { Query, Result, Server } from './server.ts';

type Row = Result['rows'][number];

const strings = z.array(z.string());
const ownCode = z.array(z.object({ file: z.string(), hash: z.string() })).default([]);
const sentFiles = z
  .array(z.object({ path: z.string(), hash: z.string(), isFolder: z.literal(true).optional() }))
  .default([]);
const workerFacts = z.object({
  id: z.string(),
  host: z.string(),
  boot: z.string(),
  pid: z.number(),
  codeVersion: z.string(),
  slots: z.number(),
  processor: z.string(),
  isolation: z.string().nullable(),
  toolchains: strings,
  providers: strings,
  code: ownCode,
  only: strings,
  runs: strings,
}) satisfies z.ZodType<WorkerInfo>;

const offerRow = z.object({
  run_id: z.string(),
  set_id: z.string(),
  from_seq: z.number(),
  begun: z.boolean(),
  needs: z.string().transform((text) =>
    z
      .object({
        family: z.string(),
        codeVersion: z.string(),
        isolation: z.string().nullable(),
        toolchains: strings,
        providers: strings,
        code: ownCode,
        files: sentFiles,
      })
      .parse(JSON.parse(text)),
  ),
});

const refusal = z.object({
  limit: z.enum(['toolCalls', 'modelCalls', 'tokens', 'costUsd', 'wallMs']),
  max: z.number(),
}) satisfies z.ZodType<LimitRejection>;

const owner = z.object(ownerColumns);
const isOwned = 'r.owner_pid IS NOT NULL AND r.lease_until > clock_timestamp()';

const hasBegun = 'r.last_seq > o.from_seq';
const openOffers = `offers o JOIN runs r ON r.id = o.run_id
  WHERE o.failure IS NULL AND (NOT r.ended OR r.last_seq = o.from_seq)`;

/** `leaseMs`: a worker that was not heard of for so long is dead. */
export function postgresFleet(server: Server, leaseMs: number): Fleet {
  const request = (text: string, values: readonly unknown[] = []) =>
    server.withRetries(() => server.ask({ text, values }));
  const alone = <T>(setId: string, work: (ask: Query, budget: Row) => Promise<T>): Promise<T | null> =>
    server.withRetries(() =>
      server.transaction(async (within) => {
        const text = 'SELECT usd, tokens FROM budgets WHERE set_id = $1 FOR UPDATE';
        const [budget] = (await within({ text, values: [setId] })).rows;
        return budget ? work(within, budget) : null;
      }),
    );
  return {
    ...postgresLanes(server),
    async announce(workerInfo) {
      const { rows } = await request(
        `WITH seen AS (INSERT INTO workers (id, facts, seen_at) VALUES ($1, $2, clock_timestamp())
           ON CONFLICT (id) DO UPDATE SET facts = $2, seen_at = clock_timestamp()),
         given AS (SELECT r.lease_until - clock_timestamp() AS remaining FROM ${openOffers})
         SELECT CASE WHEN count(*) > 0 THEN coalesce(extract(epoch FROM min(remaining) FILTER (WHERE remaining > '0')) * 1000, 0) END AS free_in,
           count(*) FILTER (WHERE remaining > '0' AND remaining < ${leaseMs / 3} * interval '1 ms') AS silent FROM given`,
        [workerInfo.id, JSON.stringify(workerInfo)],
      );
      const [{ free_in, silent } = {}] = rows;
      const freeInMs = free_in === null ? null : Number(free_in);
      return { freeInMs, silent: Number(silent) };
    },
    async unregister(workerId) {
      // Also removes workers that were killed long ago.
      await request(
        `WITH gone AS (DELETE FROM workers WHERE id = $1 OR seen_at < clock_timestamp() - interval '1 day')
         SELECT pg_notify(current_schema(), 'offers')`,
        [workerId],
      );
    },
    async workers() {
      const { rows } = await request(
        `SELECT facts, extract(epoch FROM started_at) * 1000 AS started,
           extract(epoch FROM clock_timestamp() - seen_at) * 1000 AS ago
         FROM workers WHERE seen_at > clock_timestamp() - $1::integer * interval '1 ms' ORDER BY started_at`,
        [leaseMs],
      );
      return rows.map(parseWorkerRow);
    },

    async enqueue({ runId, setId, fromSeq, needs }) {
      await request(
        `WITH made AS (INSERT INTO offers (run_id, set_id, from_seq, needs) VALUES ($1, $2, $3, $4)
           ON CONFLICT (run_id) DO UPDATE SET set_id = $2, from_seq = $3, needs = $4, failure = NULL)
         SELECT pg_notify(current_schema(), 'offers')`,
        [runId, setId, fromSeq, JSON.stringify(needs)],
      );
    },
    async dequeue(runIds) {
      await request(
        // Told even where it was withdrawn before: its worker says so when the run has ended.
        `WITH gone AS (DELETE FROM offers WHERE run_id = ANY ($1))
         SELECT pg_notify(current_schema(), 'offer ' || run_id) FROM unnest($1::text[]) run_id`,
        [runIds],
      );
    },
    async open(limit) {
      const { rows } = await request(
        `SELECT o.run_id, o.set_id, o.from_seq, o.needs, ${hasBegun} AS begun, ${selectOwner('r')} FROM ${openOffers}
         ORDER BY coalesce(${isOwned}, false), ${hasBegun} DESC, o.key LIMIT $1`,
        [limit],
      );
      // A process of this machine is known to be dead before its lease is over.
      return rows.filter((row) => liveOwner(owner.parse(row)) === null).map(parseQueuedRunRow);
    },
    async stillQueued(runIds) {
      const { rows } = await request('SELECT run_id FROM offers WHERE run_id = ANY ($1)', [runIds]);
      return new Set(rows.map(({ run_id }) => String(run_id)));
    },
    async queuedRuns(setId) {
      const { rows } = await request(
        `SELECT o.run_id, o.from_seq, o.failure, r.last_seq, r.ended FROM offers o JOIN runs r ON r.id = o.run_id
         WHERE o.set_id = $1`,
        [setId],
      );
      return rows.map((row) => ({
        runId: String(row.run_id),
        fromSeq: Number(row.from_seq),
        lastSeq: Number(row.last_seq),
        ended: row.ended === true,
        failure: row.failure === null ? null : String(row.failure),
      }));
    },
    async fail(runId, why) {
      await request(
        `WITH failed AS (UPDATE offers SET failure = $2 WHERE run_id = $1)
         SELECT pg_notify(current_schema(), 'offer ' || $1)`,
        [runId, why.replaceAll('\0', '')],
      );
    },

    async openBudget(setId, { costUsd = null, tokens = null }, spent) {
      if (costUsd === null && tokens === null) {
        await request('DELETE FROM budgets WHERE set_id = $1', [setId]);
        return;
      }
      await request(
        `INSERT INTO budgets (set_id, usd, tokens) VALUES ($1, $2, $3)
         ON CONFLICT (set_id) DO UPDATE SET usd = $2, tokens = $3, refusal = NULL`,
        [setId, costUsd, tokens],
      );
      for (const [runId, used] of spent) {
        await alone(setId, async (within) => {
          const result = await within({
            text: `SELECT 1 FROM runs r WHERE r.id = $1 AND ${isOwned}`,
            values: [runId],
          });
          if (result.rowCount === 0) await setShare(within, { setId, runId }, used);
        });
      }
    },
    async budgetRejection(setId) {
      const { rows } = await request('SELECT refusal FROM budgets WHERE set_id = $1', [setId]);
      const text = rows[0]?.refusal;
      return typeof text === 'string' ? refusal.parse(JSON.parse(text)) : null;
    },
    takeShare: (setId, runId, reservation) =>
      alone(setId, async (within) => {
        const generation = await setShare(within, { setId, runId }, reservation);
        return { setId, runId, generation };
      }),
    async hold(share, decide) {
      const id = randomUUID();
      const claim = await alone(share.setId, async (within, { usd, tokens }) => {
        await assertCurrentAttempt(within, share);
        const before = await within({ text: 'SELECT usd, tokens FROM holds WHERE id = $1', values: [id] });
        // Its receipt was lost.
        if (before.rows[0]) return { id, reservation: parseReservation(before.rows[0]) };
        const limits = {
          ...(usd === null ? {} : { costUsd: Number(usd) }),
          ...(tokens === null ? {} : { tokens: Number(tokens) }),
        };
        const decided = decide({ limits, ...(await stateOf(within, share.setId)) });
        if (decided && 'limit' in decided) {
          const text = 'UPDATE budgets SET refusal = $2 WHERE set_id = $1';
          await within({ text, values: [share.setId, JSON.stringify(decided)] });
        } else if (decided) {
          const text = 'INSERT INTO holds (id, set_id, run_id, usd, tokens) VALUES ($1, $2, $3, $4, $5)';
          const { setId, runId } = share;
          await within({ text, values: [id, setId, runId, decided.costUsd ?? 0, Math.ceil(decided.tokens)] });
          return { id, reservation: decided };
        }
        return decided;
      });
      return claim;
    },
    async settle({ setId, runId }, { id }: Hold, used) {
      await request(
        `WITH gone AS (DELETE FROM holds WHERE id = $1 RETURNING 1)
         UPDATE shares SET usd = usd + $4, tokens = tokens + $5 FROM gone WHERE set_id = $2 AND run_id = $3`,
        [id, setId, runId, used.costUsd ?? 0, Math.ceil(used.tokens)],
      );
    },
  };
}

async function stateOf(ask: Query, setId: string) {
  const { rows } = await ask({
    text: `SELECT s.usd + coalesce(h.usd, 0) AS usd, s.tokens + coalesce(h.tokens, 0) AS tokens,
        EXISTS (SELECT 1 FROM holds x JOIN runs r ON r.id = x.run_id WHERE x.set_id = $1 AND ${isOwned}) AS open
      FROM (SELECT coalesce(sum(usd), 0) AS usd, coalesce(sum(tokens), 0) AS tokens FROM shares WHERE set_id = $1) s,
        (SELECT sum(usd) AS usd, sum(tokens) AS tokens FROM holds WHERE set_id = $1) h`,
    values: [setId],
  });
  const [row = {}] = rows;
  return { used: parseReservation(row), isOpen: row.open === true };
}

/** The run's holds go with its earlier life: what was in flight is in `used`. */
async function setShare(
  request: Query,
  { setId, runId }: Pick<BudgetShare, 'setId' | 'runId'>,
  { costUsd, tokens }: Reservation,
): Promise<number> {
  await request({ text: 'DELETE FROM holds WHERE set_id = $1 AND run_id = $2', values: [setId, runId] });
  const { rows } = await request({
    text: `INSERT INTO shares (set_id, run_id, usd, tokens) VALUES ($1, $2, $3, $4)
      ON CONFLICT (set_id, run_id) DO UPDATE SET usd = $3, tokens = $4, generation = shares.generation + 1
      RETURNING generation`,
    values: [setId, runId, costUsd ?? 0, Math.ceil(tokens)],
  });
  return Number(rows[0]?.generation);
}

async function assertCurrentAttempt(ask: Query, { setId, runId, generation }: BudgetShare): Promise<void> {
  const text = 'SELECT 1 FROM shares WHERE set_id = $1 AND run_id = $2 AND generation = $3';
  if ((await ask({ text, values: [setId, runId, generation] })).rowCount === 0)
    throw ownershipLostError(runId);
}

function parseReservation({ usd, tokens }: Row): Reservation {
  return { costUsd: Number(usd), tokens: Number(tokens) };
}

function parseWorkerRow({ facts, started, ago }: Row): LiveWorker {
  const parsed = workerFacts.parse(JSON.parse(String(facts)));
  return { ...parsed, startedAtMs: Math.round(Number(started)), seenMsAgo: Math.round(Number(ago)) };
}

function parseQueuedRunRow(row: Row): PendingRun {
  const { run_id: runId, set_id: setId, from_seq: fromSeq, needs, begun } = offerRow.parse(row);
  return { runId, setId, fromSeq, needs, hasBegun: begun };
}

/** Made where they are new; the clock is looked at when all are ours. */
const lock = `INSERT INTO lanes (name) SELECT name FROM unnest($1::text[]) name ORDER BY name
  ON CONFLICT (name) DO UPDATE SET name = excluded.name
  RETURNING name, state, extract(epoch FROM clock_timestamp())::float8 * 1000 AS now`;
const count = `SELECT t.lane, count(*) AS calls, bool_or(t.id = $2) AS own FROM turns t
  JOIN runs r ON r.key = t.run_key AND r.epoch = t.epoch
  WHERE t.lane = ANY ($1) AND r.owner_pid IS NOT NULL AND r.lease_until > clock_timestamp() GROUP BY t.lane`;
const keep = `WITH kept AS (UPDATE lanes SET state = said.state
    FROM unnest($1::text[], $2::text[]) said (name, state) WHERE lanes.name = said.name)
  SELECT pg_notify(current_schema(), 'turn ' || process) FROM unnest($3::text[]) process`;
const begin = `WITH own AS (SELECT key, epoch FROM runs WHERE id = $2), gone AS (
    DELETE FROM turns USING own WHERE run_key = key AND turns.epoch < own.epoch)
  INSERT INTO turns (id, lane, run_key, epoch) SELECT $1, lane, key, epoch FROM own, unnest($3::text[]) lane`;
const end = 'DELETE FROM turns WHERE lane = ANY ($2) AND id = $1';

function postgresLanes(server: Server): Pick<Fleet, 'changeLanes'> {
  return {
    changeLanes: ({ lanes, turn, run }, change) =>
      server.withRetries(() =>
        server.transaction(async (request) => {
          const locked = (await request({ name: 'lock-lanes', text: lock, values: [lanes] })).rows;
          const counts = (await request({ name: 'count-turns', text: count, values: [lanes, turn] })).rows;
          const kept = lanes.map((lane) => {
            const state = locked.find(({ name }) => name === lane)?.state;
            const calls = counts.find((row) => row.lane === lane)?.calls;
            return { state: typeof state === 'string' ? state : null, underWay: Number(calls ?? 0) };
          });
          const nowMs = Math.max(...locked.map(({ now }) => Number(now)));
          const changed = change(
            kept,
            nowMs,
            counts.some(({ own }) => own === true),
          );
          const { states, next = [] } = changed;
          if (states)
            await request({ name: 'keep-lanes', text: keep, values: [lanes, states, [...new Set(next)]] });
          if (changed.turn === 'begin')
            await request({ name: 'begin-turn', text: begin, values: [turn, run, lanes] });
          if (changed.turn === 'end') await request({ name: 'end-turn', text: end, values: [turn, lanes] });
          return changed.result;
        }),
      ),
  };
}
