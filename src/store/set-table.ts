/**
 * The table of run-sets: what each is to be, who works on it, how it ended. Its caller opens the transactions; what its
 * runs came to stands in their journals.
 */
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { JournalError, UserError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { NewSet, Owner, SetOwnership, SetRow } from '../core/store.ts';
import { isAlive } from './owner.ts';

const columns = z.object({
  id: z.string(),
  created_at: z.number(),
  plan: z.string(),
  ending: z.string().nullable(),
  owner_pid: z.number().nullable(),
  owner_started_at: z.string().nullable(),
  heartbeat_at: z.number().nullable(),
  epoch: z.number(),
});
type Columns = z.infer<typeof columns>;

export type SetTable = ReturnType<typeof setTable>;

export function setTable(database: DatabaseSync, now: () => number) {
  // Prepared at each use: a store that was opened for reading may be of a version without this table.
  const find = (id: string): Columns | null => {
    const row = hasTable(database) ? database.prepare('SELECT * FROM run_sets WHERE id = ?').get(id) : null;
    return row ? columns.parse(row) : null;
  };
  const holderOf = ({ owner_pid: pid, owner_started_at: startedAt, heartbeat_at }: Columns): Owner | null => {
    if (pid === null || startedAt === null) return null;
    return isAlive({ pid, startedAt }, heartbeat_at ?? 0, now()) ? { pid, startedAt } : null;
  };
  const toRow = (record: Columns): SetRow => ({
    id: record.id,
    createdAtMs: record.created_at,
    plan: JSON.parse(record.plan) as JsonObject,
    ending: record.ending === null ? null : (JSON.parse(record.ending) as JsonObject),
    owner: holderOf(record),
  });
  const refuseUnlessOne = ({ changes }: { changes: number | bigint }, setId: string): void => {
    if (Number(changes) === 0) throw lostError(setId);
  };
  return {
    create({ id, createdAtMs, plan, owner }: NewSet): SetOwnership {
      if (find(id))
        throw new UserError({ code: 'run-set-exists', what: `There is a run-set ${id} already.` });
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
      if (!record) throw unknownSet(setId);
      const holder = holderOf(record);
      if (holder) throw ownedError(setId, holder);
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
      const beat = database.prepare('UPDATE run_sets SET heartbeat_at = ? WHERE id = ? AND epoch = ?');
      refuseUnlessOne(beat.run(now(), setId, epoch), setId);
    },
    release({ setId, epoch }: SetOwnership, ending: JsonObject | null): void {
      const end = database.prepare(
        `UPDATE run_sets SET owner_pid = NULL, owner_started_at = NULL, ending = ? WHERE id = ? AND epoch = ?`,
      );
      refuseUnlessOne(end.run(ending && JSON.stringify(ending), setId, epoch), setId);
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

function unknownSet(setId: string): UserError {
  return new UserError({
    code: 'no-such-set',
    what: `There is no run-set ${setId}.`,
    fix: '`polya run-set list` shows the run-sets of this folder.',
  });
}

function ownedError(setId: string, { pid }: Owner): JournalError {
  return new JournalError({
    code: 'run-owned',
    what: `Process ${pid} is at work on run-set ${setId}.`,
    why: 'Two processes would each spend its budget.',
    fix: `Watch it with \`polya run-set show ${setId}\`, or wait until it has ended.`,
  });
}

function lostError(setId: string): JournalError {
  return new JournalError({
    code: 'ownership-lost',
    what: `Run-set ${setId} belongs to another process now.`,
    why: 'This one was taken for dead.',
    fix: `See it with \`polya run-set show ${setId}\`.`,
  });
}
