/** Files of tasks and of their solutions, read relative to the folder of a user. */
import { UserError } from '../../core/errors.ts';
import { readJsonOf } from '../../families/arc/files.ts';
import { loadSolutions } from '../../families/arc/solutions.ts';
import { loadTaskFile, type TaskFileQuestion } from '../../families/arc/task-file.ts';
import { bundled } from '../../io/bundled.ts';
import { localFiles } from '../../io/local-files.ts';
import type { Journals } from '../../open/options.ts';
import type { RunSet } from '../../studies/run-set/plan.ts';
import { readRow } from '../../studies/run-set/rows.ts';
import { count } from '../../text/format.ts';

export const bundledTasks = bundled('arc', 'polya_challenges.json');

export const readTasks = (folder: string, question: TaskFileQuestion) =>
  loadTaskFile(localFiles(folder), question);

export const readSolutions = (folder: string, path: string) => loadSolutions(localFiles(folder), path);

/** A JSON file as it is; undefined where there is none. */
export const readJson = (folder: string, path: string) => readJsonOf(localFiles(folder))(path);

const mostTold = 5;

/** Checks rows that have begun; the others use the files as they are now. */
export async function assertTasksUnchanged({ world }: Journals, set: RunSet): Promise<void> {
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
  if (changed.length === 0) return;
  const more = changed.length > mostTold ? `, and ${changed.length - mostTold} more` : '';
  throw new UserError({
    code: 'tasks-changed',
    what: `Since run ${set.id} began, ${count(changed.length, 'task')} changed: ${changed.slice(0, mostTold).join(', ')}${more}.`,
    why: 'The grids or the solutions in the file are others. Its log, pictures and submission would mix the two.',
    fix: 'Put the file back as it was, or begin another run. `polya run-set show` and `polya runs show` still tell what was.',
  });
}
