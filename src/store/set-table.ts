/** The table of run-sets: what each is to be, who works on it, how it ended. Its caller opens the transactions. */
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { JsonObject } from '../core/json.ts';
import type { NewSet, Owner, SetOwnership, SetRow } from '../core/store.ts';
import { liveOwner } from './owner.ts';
import { setExists, setNotFound, setOwned, setOwnershipLostError } from './refusals.ts';
import { ownerColumns } from './schema.ts';

const columns = z.object({
  ...ownerColumns,
  id: z.string(),
  created_at: z.number(),
  plan: z.string(),
  ending: z.string().nullable(),
});
type Columns = z.infer<typeof columns>;

export type SetTable = ReturnType<typeof setTable>;

export function setTable(database: DatabaseSync, now: () => number) {
  // Prepared at each use: a store that was opened for reading may be of a version without this table.
  const find = (id: string): Columns | null => {
    const row = hasTable(database) ? database.prepare('SELECT * FROM run_sets WHERE id = ?').get(id) : null;
    return row ? columns.parse(row) : null;
  };
  const toRow = (record: Columns): SetRow => ({
    id: record.id,
    createdAtMs: record.created_at,
    plan: JSON.parse(record.plan) as JsonObject,
    ending: record.ending === null ? null : (JSON.parse(record.ending) as JsonObject),
    owner: liveOwner(record, now()),
  });
  const refuseUnlessOne = ({ changes }: { changes: number | bigint }, setId: string): void => {
    if (Number(changes) > 0) return;
    throw setOwnershipLostError(setId);
  };
  return {
    create({ id, createdAtMs, plan, owner }: NewSet): SetOwnership {
      if (find(id)) throw setExists(id);
      database
        .prepare(
          `INSERT INTO run_sets (id, created_at, plan, owner_pid, owner_started_at, heartbeat_at)
           VALUES (?, ?, ?, ?, ?, ?)`,
        )
        .run(id, createdAtMs, JSON.stringify(plan), owner.pid, owner.startedAt, now());
      return { setId: id, epoch: 1 };
    },
    acquire(setId: string, { pid, startedAt }: Owner, plan: JsonObject): SetOwnership {
      const record = find(setId);
      if (!record) throw setNotFound(setId);
      const owner = liveOwner(record, now());
      if (owner) throw setOwned(setId, owner);
      const epoch = record.epoch + 1;
      database
        .prepare(
          `UPDATE run_sets SET owner_pid = ?, owner_started_at = ?, heartbeat_at = ?, epoch = ?, ending = NULL,
           plan = ? WHERE id = ?`,
        )
        .run(pid, startedAt, now(), epoch, JSON.stringify(plan), setId);
      return { setId, epoch };
    },
    heartbeat({ setId, epoch }: SetOwnership): void {
      const beat = 'UPDATE run_sets SET heartbeat_at = ? WHERE id = ? AND epoch = ?';
      refuseUnlessOne(database.prepare(beat).run(now(), setId, epoch), setId);
    },
    release({ setId, epoch }: SetOwnership, ending: JsonObject | null): void {
      const end =
        'UPDATE run_sets SET owner_pid = NULL, owner_started_at = NULL, ending = ? WHERE id = ? AND epoch = ?';
      refuseUnlessOne(database.prepare(end).run(ending && JSON.stringify(ending), setId, epoch), setId);
    },
    get(setId: string): SetRow | null {
      const record = find(setId);
      return record && toRow(record);
    },
    list(limit: number): readonly SetRow[] {
      if (!hasTable(database)) return [];
      const rows = database.prepare('SELECT * FROM run_sets ORDER BY key DESC LIMIT ?').all(limit);
      return rows.map((row) => toRow(columns.parse(row)));
    },
  };
}

function hasTable(database: DatabaseSync): boolean {
  const table = `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'run_sets'`;
  return database.prepare(table).get() !== undefined;
}
