/**
 * Submissions in the competition's form: for each task one entry a test input, each with two attempts; and their official
 * score. Writing one never leaves a task out; reading one names what is wrong by task, pair and attempt. Pure.
 */
import { isJsonObject } from '../../core/json.ts';
import type { Grid } from '../../core/problem.ts';
import { gridKey, isGrid, validateGrid } from '../../grids/grid.ts';
import { count } from '../../text/format.ts';
import { rightAttempts } from './answer.ts';
import type { TaskIssue } from './task.ts';

export type SubmissionEntry = { readonly attempt_1: Grid; readonly attempt_2: Grid };

/** Stands in the place of a missing attempt, as in the competition's sample. */
export const placeholder: Grid = [
  [0, 0],
  [0, 0],
];

type Attempts = readonly (readonly Grid[])[];

/**
 * Every task of the list, in its order. `answersOf` gives the answers to a task, the best first; several are dealt out
 * in turn. A test input with one attempt only gets it twice, one with none gets placeholders.
 */
export function submissionOf(
  tasks: readonly { readonly id: string; readonly test: { readonly length: number } }[],
  answersOf: (task: string) => readonly Attempts[],
): { readonly [task: string]: readonly SubmissionEntry[] } {
  return Object.fromEntries(
    tasks.map(({ id, test }) => {
      const answers = answersOf(id);
      const entry = (query: number) => entryOf(answers.map((attempts) => attempts[query] ?? []));
      return [id, Array.from({ length: test.length }, (_, query) => entry(query))];
    }),
  );
}

/** The first two different ones: first attempts of all answers, then their second ones. */
function entryOf(answers: readonly (readonly Grid[])[]): SubmissionEntry {
  const maxLength = Math.max(0, ...answers.map(({ length }) => length));
  const inTurn = Array.from({ length: maxLength }, (_, at) =>
    answers.flatMap((grids) => grids.slice(at, at + 1)),
  ).flat();
  const different = new Map(inTurn.map((grid) => [gridKey(grid), grid]));
  const [first = placeholder, second = first] = different.values();
  return { attempt_1: first, attempt_2: second };
}

/** `tests`: how many test inputs each task has. Tasks that are not in the submission are no fault here. */
export function readSubmission(value: unknown, tests: ReadonlyMap<string, number>) {
  const entries = new Map<string, readonly SubmissionEntry[]>();
  const issues: TaskIssue[] = [];
  for (const [task, list] of Object.entries(isJsonObject(value) ? value : {})) {
    const incorrect = findSubmissionIssues(list, tests.get(task));
    issues.push(...incorrect.map((what) => ({ task, what })));
    if (incorrect.length === 0 && Array.isArray(list)) entries.set(task, list.filter(isEntry));
  }
  return { entries, faults: issues };
}

function isEntry(value: unknown): value is SubmissionEntry {
  return isJsonObject(value) && isGrid(value.attempt_1) && isGrid(value.attempt_2);
}

function findSubmissionIssues(list: unknown, expected: number | undefined): readonly string[] {
  if (expected === undefined) return ['there is no such task in the solutions'];
  if (!Array.isArray(list)) return ['it is no list with an entry for each test input'];
  const entries = `${list.length} ${list.length === 1 ? 'entry' : 'entries'}`;
  const wrongCount = `it has ${entries}, the task ${count(expected, 'test input')}`;
  const issues = list.flatMap((entry: unknown, at) => findEntryIssues(entry, `test pair ${at + 1}`));
  return list.length === expected ? issues : [wrongCount, ...issues];
}

const keys = ['attempt_1', 'attempt_2'] as const;

function findEntryIssues(entry: unknown, place: string): readonly string[] {
  if (!isJsonObject(entry)) return [`${place} is no object with attempt_1 and attempt_2`];
  const unknown = Object.keys(entry).filter((key) => key !== 'attempt_1' && key !== 'attempt_2');
  return [
    ...keys.flatMap((key) => {
      const issue = validateGrid(entry[key]);
      return issue === null ? [] : [`${place}, ${key}: ${issue}`];
    }),
    ...unknown.map((key) => `${place} has ${JSON.stringify(key)}; there are attempt_1 and attempt_2 only`),
  ];
}

export type ArcScore = ReturnType<typeof scoreOf>;

export function scoreOf(
  entries: ReadonlyMap<string, readonly SubmissionEntry[]>,
  solutions: ReadonlyMap<string, readonly Grid[]>,
) {
  const tasks = [...solutions].map(([task, grids]) => {
    const found = entries.get(task);
    const attempts = rightAttempts(grids, found?.map((entry) => [entry.attempt_1, entry.attempt_2]) ?? []);
    const right = attempts.filter((attempt) => attempt !== null).length;
    /** Of each test pair the attempt that is right, from 1, or null. What is missing in the submission is wrong. */
    return { task, pairs: grids.length, right, attempts, isMissing: found === undefined };
  });
  tasks.sort((a, b) => (a.task < b.task ? -1 : 1));
  const sum = (of: (task: (typeof tasks)[number]) => number) =>
    tasks.reduce((total, task) => total + of(task), 0);
  const [pairs, right] = [sum((task) => task.pairs), sum((task) => task.right)];
  return {
    pairs,
    right,
    score: pairs === 0 ? 0 : right / pairs,
    solved: tasks.filter((task) => task.right === task.pairs).length,
    tasks,
  };
}
