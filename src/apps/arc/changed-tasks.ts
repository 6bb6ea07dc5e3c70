/** Holds the tasks that a run began with against their file: its folder is never written from others. */
import { UserError } from '../../core/errors.ts';
import type { Journals } from '../../open/options.ts';
import type { RunSet } from '../../studies/run-set/plan.ts';
import { readRow } from '../../studies/run-set/rows.ts';
import { count } from '../../text/format.ts';

const mostTold = 5;

/** Of rows that have begun; the others are looked at as of now. */
export async function refuseChangedTasks({ world }: Journals, set: RunSet): Promise<void> {
  const family = await world.family('arc');
  const { signal } = new AbortController();
  const changed: string[] = [];
  for (const index of set.plan.rows.keys()) {
    const { plan, view } = await readRow(world.store, set, index);
    const problem = view?.header?.problem;
    if (!problem) continue;
    const now = await family.load(problem.reference, world.io, signal);
    if (now.contentHash !== problem.contentHash) changed.push(plan.name);
  }
  if (changed.length > 0) throw changedTasks(set.id, changed);
}

function changedTasks(id: string, changed: readonly string[]): UserError {
  const more = changed.length > mostTold ? `, and ${changed.length - mostTold} more` : '';
  return new UserError({
    code: 'changed-tasks',
    what: `Since run ${id} began, ${count(changed.length, 'task')} changed: ${changed.slice(0, mostTold).join(', ')}${more}.`,
    why: 'The grids or the solutions in the file are others. Its log, pictures and submission would mix the two.',
    fix: 'Put the file back as it was, or begin another run. `polya run-set show` and `polya runs show` still tell what was.',
  });
}
