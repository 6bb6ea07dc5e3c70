/**
 * The outputs of test pairs, for grading alone: where their file is, and what it holds. Only a file that its user names,
 * or that is named after the challenges, is ever read for them.
 */
import { UserError } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Grid } from '../../core/problem.ts';
import { isGrid, validateGrid } from '../../grids/grid.ts';
import { count } from '../../text/format.ts';
import { type ArcFiles, type JsonReader, readJsonOf } from './files.ts';
import { type ArcTask, isSingleTask, outputsIn, type TaskIssue } from './task.ts';

/** The unchecked solutions by task; each is validated when it is used. */
export type RawSolutions = {
  readonly path: string;
  readonly byTask: ReadonlyMap<string, unknown>;
  /** The solutions are in the file of the tasks itself. */
  readonly isOwn?: boolean;
};

/** `…_solutions.json` for `…_challenges.json`: in the base name alone. Null where the name does not say challenges. */
export function solutionsPathOf(path: string): string | null {
  const end = path.replace(/[/\\]+$/, '');
  const start = Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\')) + 1;
  const name = end.slice(start);
  return name.includes('challenges')
    ? end.slice(0, start) + name.replaceAll('challenges', 'solutions')
    : null;
}

export function taskNameOf(path: string): string {
  const name = path.replace(/[/\\]+$/, '').replace(/^.*[/\\]/, '');
  return name.replace(/\.json$/i, '');
}

type Reading = { readonly readJson: JsonReader; readonly only?: string };

/** Null where there is no such file. Of a folder, only the file of one task is read where `only` names one. */
export async function readSolutions(
  files: ArcFiles,
  path: string,
  { readJson, only }: Reading,
): Promise<RawSolutions | null> {
  const byTask = new Map<string, unknown>();
  const take = (id: string, value: unknown) => byTask.set(id, isSingleTask(value) ? outputsIn(value) : value);
  const names = await files.filesIn(path);
  if (names) {
    for (const name of names.filter((each) => /\.json$/i.test(each))) {
      const id = taskNameOf(name);
      if (only === undefined || id === only) take(id, await readJson(`${path}/${name}`));
    }
    return { path, byTask };
  }
  const value = await readJson(path);
  if (value === undefined) return null;
  if (isSingleTask(value)) take(taskNameOf(path), value);
  else if (isJsonObject(value)) for (const [id, each] of Object.entries(value)) take(id, each);
  else throw noSolutions(path, 'It is no object of tasks.');
  return { path, byTask };
}

export function solutionOf(
  { path, byTask }: RawSolutions,
  { id, test }: Pick<ArcTask, 'id' | 'test'>,
): { readonly grids: readonly Grid[] } | { readonly faults: readonly TaskIssue[] } {
  const value = byTask.get(id);
  const findIssue = (what: string) => ({ faults: [{ task: id, what }] });
  if (value === undefined) return findIssue(`${path} has no solution of it`);
  if (!Array.isArray(value)) return findIssue(`its solution in ${path} is no list of grids`);
  if (value.length !== test.length) {
    const [found, requested] = [count(value.length, 'output'), count(test.length, 'test input')];
    return findIssue(`its solution in ${path} has ${found}, the task ${requested}`);
  }
  const issues = findGridIssues(id, value, ` in ${path}`);
  return issues.length > 0 ? { faults: issues } : { grids: value.filter(isGrid) };
}

function findGridIssues(task: string, grids: readonly unknown[], where: string): readonly TaskIssue[] {
  return grids.flatMap((each, at) => {
    const issue = validateGrid(each);
    return issue === null ? [] : [{ task, what: `solution of test pair ${at + 1}${where}: ${issue}` }];
  });
}

/** All of a file or folder, without its tasks: for scoring. `byTask` has those without a fault, in the order of the file. */
export async function loadSolutions(files: ArcFiles, path: string) {
  const raw = await readSolutions(files, files.absolute(path), { readJson: readJsonOf(files) });
  if (!raw) throw noSolutions(path, 'There is no such file or folder.');
  if (raw.byTask.size === 0) throw noSolutions(path, 'It has no task in it.');
  if ([...raw.byTask.values()].every((value) => value === undefined)) {
    throw noSolutions(path, 'No test pair in it carries an output.');
  }
  const byTask = new Map<string, readonly Grid[]>();
  const issues: TaskIssue[] = [];
  for (const [task, value] of raw.byTask) {
    const grids: readonly unknown[] = Array.isArray(value) ? value : [];
    const incorrect =
      grids.length === 0 ? [{ task, what: 'it has no solutions' }] : findGridIssues(task, grids, '');
    issues.push(...incorrect);
    if (incorrect.length === 0) byTask.set(task, grids.filter(isGrid));
  }
  return { path: raw.path, byTask, faults: issues };
}
export function noSolutions(path: string, why: string): UserError {
  return new UserError({
    code: 'no-solutions',
    what: `${path} is no file of solutions.`,
    why,
    fix: 'Name a file in the official form, {"task": [grid, …]}, or tasks whose test pairs carry their outputs.',
  });
}
