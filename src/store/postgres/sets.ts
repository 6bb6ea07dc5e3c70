/** The table of run-sets on Postgres: what each is to be, who works on it, how it ended. */
import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import type { NewSet, Owner, SetOwnership, SetRow } from '../../core/store.ts';
import { setExists, setNotFound, setOwned, setOwnershipLostError } from '../refusals.ts';
import { isSame, liveOwner, ownerColumns, ownerValues, selectOwner } from './schema.ts';
import type { Query, Result } from './server.ts';

const columns = z.object({
  ...ownerColumns,
  id: z.string(),
  created_at: z.number(),
  plan: z.string(),
  ending: z.string().nullable(),
});
type SetRecord = z.infer<typeof columns>;

const selectSet = `SELECT s.id, s.created_at, s.plan, s.ending, ${selectOwner('s')} FROM run_sets s`;
const renewed = `heartbeat_at = clock_timestamp(), lease_until = clock_timestamp() + $1::integer * interval '1 ms'`;

/** `attempt` counts from 1: what was granted before, and its receipt lost, is granted again. */
type SetRequest = { readonly leaseMs: number; readonly attempt: number };

export async function createSet(
  request: Query,
  { id, createdAtMs, plan, owner }: NewSet,
  { leaseMs, attempt }: SetRequest,
): Promise<SetOwnership> {
  const { rowCount } = await request({
    text: `INSERT INTO run_sets (id, created_at, plan, owner_pid, owner_started_at, owner_host, heartbeat_at, lease_until)
      VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp(), clock_timestamp() + $7::integer * interval '1 ms')
      ON CONFLICT (id) DO NOTHING`,
    values: [id, createdAtMs, JSON.stringify(plan), ...ownerValues(owner), leaseMs],
  });
  if (rowCount === 0 && !(attempt > 1 && isSame((await getSet(request, id))?.owner ?? null, owner)))
    throw setExists(id);
  return { setId: id, epoch: 1 };
}

/** To be called in a transaction. */
export async function acquireSet(
  ask: Query,
  { setId, owner, plan }: { setId: string; owner: Owner; plan: JsonObject },
  { leaseMs, attempt }: SetRequest,
): Promise<SetOwnership> {
  const record = await findSet(ask, setId, 'FOR UPDATE');
  if (!record) throw setNotFound(setId);
  const holder = liveOwner(record);
  if (holder && !(attempt > 1 && isSame(holder, owner))) throw setOwned(setId, holder);
  const epoch = record.epoch + 1;
  await ask({
    text: `UPDATE run_sets SET ${renewed}, owner_pid = $2, owner_started_at = $3, owner_host = $4, epoch = $5,
      ending = NULL, plan = $6 WHERE id = $7`,
    values: [leaseMs, ...ownerValues(owner), epoch, JSON.stringify(plan), setId],
  });
  return { setId, epoch };
}

export async function heartbeatSet(
  request: Query,
  { setId, epoch }: SetOwnership,
  leaseMs: number,
): Promise<void> {
  const text = `UPDATE run_sets SET ${renewed} WHERE id = $2 AND epoch = $3 AND owner_pid IS NOT NULL`;
  assertOneRow(await request({ text, values: [leaseMs, setId, epoch] }), setId);
}

export async function releaseSet(
  ask: Query,
  { setId, epoch }: SetOwnership,
  ending: JsonObject | null,
): Promise<void> {
  const text = `UPDATE run_sets SET owner_pid = NULL, owner_started_at = NULL, owner_host = NULL, lease_until = NULL,
    ending = $1 WHERE id = $2 AND epoch = $3`;
  assertOneRow(await ask({ text, values: [ending && JSON.stringify(ending), setId, epoch] }), setId);
}

export async function getSet(request: Query, setId: string): Promise<SetRow | null> {
  const record = await findSet(request, setId);
  return record && toSetRow(record);
}

export async function listSets(ask: Query, limit: number | null): Promise<readonly SetRow[]> {
  const { rows } = await ask({ text: `${selectSet} ORDER BY s.key DESC LIMIT $1`, values: [limit] });
  return rows.map((row) => toSetRow(columns.parse(row)));
}

async function findSet(request: Query, setId: string, more = ''): Promise<SetRecord | null> {
  if (setId.includes('\0')) return null;
  const { rows } = await request({ text: `${selectSet} WHERE s.id = $1 ${more}`, values: [setId] });
  return rows[0] ? columns.parse(rows[0]) : null;
}

function toSetRow(record: SetRecord): SetRow {
  return {
    id: record.id,
    createdAtMs: record.created_at,
    plan: JSON.parse(record.plan) as JsonObject,
    ending: record.ending === null ? null : (JSON.parse(record.ending) as JsonObject),
    owner: liveOwner(record),
  };
}

function assertOneRow({ rowCount }: Result, setId: string): void {
  if (rowCount !== 1) throw setOwnershipLostError(setId);
}
