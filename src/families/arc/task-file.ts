/**
 * A file or folder of ARC tasks with its solutions, in all the forms in which they are published: many tasks in one file,
 * one task alone, a folder with a file for each. What is wrong with a task is said of that task; the others can be used.
 */
import { UserError } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Grid } from '../../core/problem.ts';
import { type ArcFiles, type JsonReader, readJsonOf } from './files.ts';
import {
  noSolutions,
  type RawSolutions,
  readSolutions,
  solutionOf,
  solutionsPathOf,
  taskNameOf,
} from './solutions.ts';
import { type ArcTask, isSingleTask, readTask, type TaskFault, testsIn } from './task.ts';

export type TaskFile = {
  /** Absolute. */
  readonly path: string;
  /** All that the file has, sorted, those with faults too. */
  readonly ids: readonly string[];
  /** Those without a fault, sorted by id. */
  readonly tasks: readonly ArcTask[];
  readonly faults: readonly TaskFault[];
  /** How many test inputs each task has, sorted by id; of a faulty one as many as can be told, and at least one. */
  readonly tests: ReadonlyMap<string, number>;
  /** Null where there are none. Of the tasks without a fault. */
  readonly solutions: { readonly path: string; readonly byTask: ReadonlyMap<string, readonly Grid[]> } | null;
};

export type TaskFileQuestion = {
  readonly file: string;
  /** A path; null: without any; absent: beside the challenges, if they are there. */
  readonly solutions?: string | null;
  /** Look at this task alone. */
  readonly only?: string;
};

/** Throws `UserError` where there is nothing at all to be used. */
export async function loadTaskFile(
  files: ArcFiles,
  question: TaskFileQuestion,
  readJson: JsonReader = readJsonOf(files),
): Promise<TaskFile> {
  const path = files.absolute(question.file);
  const { values, faults } = await valuesIn(files, path, { readJson, only: question.only });
  const raw = await solutionsFor(files, path, { ...question, readJson });
  const tasks: ArcTask[] = [];
  const byTask = new Map<string, readonly Grid[]>();
  for (const [id, value] of values) {
    if (question.only !== undefined && id !== question.only) continue;
    const read = checked(id, value, raw);
    if ('faults' in read) faults.push(...read.faults);
    else {
      tasks.push(read.task);
      if (read.grids) byTask.set(id, read.grids);
    }
  }
  const ids = [...new Set([...values.keys(), ...faults.map(({ task }) => task)])].sort();
  return {
    path,
    ids,
    tasks: tasks.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
    faults: faults.toSorted((a, b) => ids.indexOf(a.task) - ids.indexOf(b.task)),
    tests: new Map(ids.map((id) => [id, testsIn(values.get(id))])),
    solutions: raw && { path: raw.path, byTask },
  };
}

function checked(id: string, value: unknown, raw: RawSolutions | null) {
  const read = readTask(id, value);
  if ('faults' in read || !raw) return 'faults' in read ? read : { task: read.task, grids: null };
  const solution = solutionOf(raw, read.task);
  return 'faults' in solution ? solution : { task: read.task, grids: solution.grids };
}

type Values = { readonly values: ReadonlyMap<string, unknown>; readonly faults: TaskFault[] };
type Reading = { readonly readJson: JsonReader; readonly only: string | undefined };

async function valuesIn(files: ArcFiles, path: string, reading: Reading): Promise<Values> {
  const names = await files.filesIn(path);
  if (names) return valuesInFolder(path, names, reading);
  const value = await reading.readJson(path);
  if (value === undefined) {
    throw new UserError({
      code: 'no-such-file',
      what: `There is no file or folder ${path}.`,
      fix: 'Look for a typing error in its name.',
    });
  }
  if (isSingleTask(value)) return { values: new Map([[taskNameOf(path), value]]), faults: [] };
  if (!isJsonObject(value)) throw noTasks(path, 'It is no object of tasks.');
  const values = new Map(Object.entries(value));
  if (values.size === 0) throw noTasks(path, 'It has no task in it.');
  return { values, faults: [] };
}

/** A file that is not JSON spoils no other task. */
async function valuesInFolder(
  path: string,
  names: readonly string[],
  { readJson, only }: Reading,
): Promise<Values> {
  const own = names.filter((name) => /\.json$/i.test(name));
  if (own.length === 0) throw noTasks(path, 'No file in this folder ends in .json.');
  const values = new Map<string, unknown>();
  const faults: TaskFault[] = [];
  for (const name of own) {
    const id = taskNameOf(name);
    if (only !== undefined && id !== only) {
      values.set(id, undefined);
      continue;
    }
    try {
      values.set(id, await readJson(`${path}/${name}`));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      const { what, why } = error.explanation;
      faults.push({ task: id, what: [what, why].filter(Boolean).join(' ') });
    }
  }
  return { values, faults };
}

async function solutionsFor(
  files: ArcFiles,
  path: string,
  { solutions, only, readJson }: TaskFileQuestion & { readonly readJson: JsonReader },
): Promise<RawSolutions | null> {
  if (solutions === null) return null;
  const named = solutions === undefined ? solutionsPathOf(path) : files.absolute(solutions);
  if (named === null) return null;
  const found = await readSolutions(files, named, { readJson, only });
  if (found || solutions === undefined) return found;
  throw noSolutions(named, 'There is no such file or folder.');
}

function noTasks(path: string, why: string): UserError {
  return new UserError({
    code: 'no-tasks',
    what: `${path} holds no ARC tasks.`,
    why,
    fix: 'Name a file in the official form, a file of one task, or a folder of such files; docs/arc.md describes them.',
  });
}
