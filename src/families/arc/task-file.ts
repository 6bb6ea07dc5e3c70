/**
 * A file or folder of ARC tasks with its solutions, in all the forms in which they are published, and which of its tasks
 * are meant. What is wrong with a task is said of that task; the others can be used.
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
import { type ArcTask, isSingleTask, outputsIn, readTask, type TaskIssue, testsIn } from './task.ts';

export type TaskFile = {
  readonly path: string;
  /** All that the file has, sorted, those with faults too. */
  readonly ids: readonly string[];
  /** The tasks without a fault, sorted by id. */
  readonly tasks: readonly ArcTask[];
  readonly faults: readonly TaskIssue[];
  /** How many test inputs each task has, sorted by id; of a faulty one as many as can be told, and at least one. */
  readonly tests: ReadonlyMap<string, number>;
  /** The solutions of the tasks without a fault; null if there are none. */
  readonly solutions: { readonly path: string; readonly byTask: ReadonlyMap<string, readonly Grid[]> } | null;
};

export type TaskFileQuestion = {
  readonly file: string;
  /** A path; null: without any; absent: beside the challenges, or in the file itself, if they are there. */
  readonly solutions?: string | null;
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
  const raw = await solutionsFor(files, path, { ...question, values, readJson });
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
  if ('faults' in read) return read;
  const solution = raw && solutionOf(raw, read.task);
  // In a file with the outputs of some tests, the other tasks are not graded.
  if (!solution || (raw.isOwn && 'faults' in solution)) return { task: read.task, grids: null };
  return 'faults' in solution ? solution : { task: read.task, grids: solution.grids };
}

type Values = { readonly values: ReadonlyMap<string, unknown>; readonly faults: TaskIssue[] };
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
async function valuesInFolder(path: string, names: readonly string[], { readJson, only }: Reading) {
  const own = names.filter((name) => /\.json$/i.test(name));
  if (own.length === 0) throw noTasks(path, 'No file in this folder ends in .json.');
  const values = new Map<string, unknown>();
  const issues: TaskIssue[] = [];
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
      issues.push({ task: id, what: [what, why].filter(Boolean).join(' ') });
    }
  }
  return { values, faults: issues };
}

async function solutionsFor(
  files: ArcFiles,
  path: string,
  {
    solutions,
    only,
    readJson,
    values,
  }: TaskFileQuestion & Pick<Values, 'values'> & Pick<Reading, 'readJson'>,
): Promise<RawSolutions | null> {
  if (solutions === null) return null;
  const named = solutions === undefined ? solutionsPathOf(path) : files.absolute(solutions);
  const byTask = new Map([...values].map(([id, value]) => [id, outputsIn(value)]));
  const isOwn = [...byTask.values()].some((outputs) => outputs !== undefined);
  const own = isOwn ? { path, byTask, isOwn } : null;
  if (named === null || (named === path && own)) return own;
  const found = await readSolutions(files, named, { readJson, only });
  if (!found && solutions !== undefined) throw noSolutions(named, 'There is no such file or folder.');
  return found ?? own;
}

function noTasks(path: string, why: string): UserError {
  return new UserError({
    code: 'no-tasks',
    what: `${path} holds no ARC tasks.`,
    why,
    fix: 'Name a file in the official form, a file of one task, or a folder of such files; docs/arc.md describes them.',
  });
}

/** `offset`: how many of the sorted ids are passed over. */
type TaskChoice = { readonly ids?: readonly string[]; readonly offset?: number; readonly count?: number };

/** In the order in which they are to be worked on; and the faults of those that cannot be used. */
export function chooseTasks(file: TaskFile, choice: TaskChoice) {
  const selected = choice.ids ? namedIds(file, choice, choice.ids) : idsFrom(file, choice);
  return {
    tasks: selected.flatMap((id) => file.tasks.filter((task) => task.id === id)),
    faults: selected.flatMap((id) => file.faults.filter(({ task }) => task === id)),
  };
}

function namedIds(file: TaskFile, { offset, count }: TaskChoice, ids: readonly string[]): readonly string[] {
  if (offset !== undefined || count !== undefined) {
    throw new UserError({
      code: 'options-conflict',
      what: 'Tasks are named, and an offset or a number is given too.',
      fix: 'Name the tasks, or say from where and how many.',
    });
  }
  const duplicate = ids.find((id, at) => ids.indexOf(id) !== at);
  if (duplicate !== undefined) {
    throw new UserError({
      code: 'named-twice',
      what: `The task ${duplicate} is named twice.`,
      fix: 'Name each task once.',
    });
  }
  const unknown = ids.filter((id) => !file.ids.includes(id));
  if (unknown.length > 0) throw unknownTasks(file, unknown);
  return ids;
}

function idsFrom({ ids, path }: TaskFile, { offset = 0, count }: TaskChoice): readonly string[] {
  if (offset >= ids.length) {
    throw new UserError({
      code: 'offset-past-end',
      what: `The offset ${offset} is past the end: ${path} has ${ids.length} ${ids.length === 1 ? 'task' : 'tasks'}.`,
      fix: `Give an offset from 0 to ${ids.length - 1}.`,
    });
  }
  return ids.slice(offset, count === undefined ? undefined : offset + count);
}

export function unknownTasks({ ids, path }: Pick<TaskFile, 'ids' | 'path'>, unknown: readonly string[]) {
  const more = unknown.length > 5 ? ` and ${unknown.length - 5} more` : '';
  return new UserError({
    code: 'unknown-tasks',
    what: `${path} has no task ${unknown.slice(0, 5).join(', ')}${more}.`,
    why: `It has ${ids.length}, the first ${ids.slice(0, 3).join(', ')}.`,
    fix: 'Name tasks by their ids, exactly as the file has them.',
  });
}

/** Faults as one error, for a caller that cannot go on with them. */
export function invalidTasksError(path: string, issues: readonly TaskIssue[]): UserError {
  const tasks = new Set(issues.map(({ task }) => task)).size;
  return new UserError({
    code: 'tasks-faulty',
    what: `${tasks === 1 ? 'A task' : `${tasks} tasks`} of ${path} cannot be used.`,
    why: formatIssues(issues),
    fix: 'Correct the file, or choose other tasks.',
  });
}

const mostFaults = 20;

/** The first of them, a line each. */
export function formatIssues(issues: readonly TaskIssue[]): string {
  const lines = issues.slice(0, mostFaults).map(({ task, what }) => `Task ${task}: ${what}.`);
  const more = issues.length > mostFaults ? [`And ${issues.length - mostFaults} more faults.`] : [];
  return [...lines, ...more].join('\n');
}
