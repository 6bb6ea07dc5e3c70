/** What became of the rows of a run-set, as their journals say: nothing of it is kept twice. */
import type { RunEnd } from '../../core/event.ts';
import { foldRun, type RunView } from '../../core/fold.ts';
import { canReopen } from '../../core/history.ts';
import type { RunRow, Store } from '../../core/store.ts';
import { readJournal } from '../../run/load.ts';
import { type RowPlan, type RunSet, runIdOf } from './plan.ts';

/** `missing`: not begun. `interrupted`: begun, and no process is at work on it. */
export type RowState = 'missing' | 'running' | 'interrupted' | 'ended';

export type RowResult = {
  readonly index: number;
  readonly plan: RowPlan;
  readonly runId: string;
  readonly state: RowState;
  /** That has it, or had it last; absent where the store is one machine's. */
  readonly host?: string | undefined;
  /** Null where it has not been begun. */
  readonly view: RunView | null;
};

export async function readRows(store: Store, set: RunSet): Promise<readonly RowResult[]> {
  const results: RowResult[] = [];
  for (const index of set.plan.rows.keys()) results.push(await readRow(store, set, index));
  return results;
}

export async function readRow(store: Store, set: RunSet, index: number): Promise<RowResult> {
  const plan = set.plan.rows[index];
  if (!plan) throw new Error(`The run-set ${set.id} has no row ${index + 1}.`);
  const runId = runIdOf(set, index);
  const row = await store.get(runId);
  const view = row ? foldRun((await readJournal(store, runId)).events) : null;
  return { index, plan, runId, state: stateOf(row, view?.end ?? null), host: row?.host, view };
}

/** Nothing more is to be done for it. */
export function isDone({ state }: Pick<RowResult, 'state'>): boolean {
  return state === 'ended';
}

/** What its user or an outage broke off is not ended: a resume goes on with it. */
export function stateOf(row: Pick<RunRow, 'ended' | 'owner'> | null, end: RunEnd | null): RowState {
  if (!row) return 'missing';
  if (row.owner) return 'running';
  return row.ended && end && !canReopen(end) ? 'ended' : 'interrupted';
}
