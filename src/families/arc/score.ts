/** The official score of a submission: test pairs with any of two attempts right, by all test pairs. Pure. */
import type { Grid } from '../../core/problem.ts';
import { rightAttempts } from './answer.ts';
import type { SubmissionEntry } from './submission.ts';

/** `attempts`: of each test pair the one that is right, from 1, or null. `isMissing`: not in the submission, so wrong. */
type TaskScore = {
  readonly task: string;
  readonly pairs: number;
  readonly right: number;
  readonly attempts: readonly (number | null)[];
  readonly isMissing: boolean;
};

export type ArcScore = {
  readonly pairs: number;
  readonly right: number;
  /** From 0 to 1. */
  readonly score: number;
  /** Tasks of which all test pairs are right. */
  readonly solved: number;
  /** Those of the solutions, sorted by id. */
  readonly tasks: readonly TaskScore[];
};

export function scoreOf(
  entries: ReadonlyMap<string, readonly SubmissionEntry[]>,
  solutions: ReadonlyMap<string, readonly Grid[]>,
): ArcScore {
  const tasks = [...solutions].map(([task, grids]): TaskScore => {
    const found = entries.get(task);
    const attempts = rightAttempts(grids, found?.map((entry) => [entry.attempt_1, entry.attempt_2]) ?? []);
    const right = attempts.filter((attempt) => attempt !== null).length;
    return { task, pairs: grids.length, right, attempts, isMissing: found === undefined };
  });
  tasks.sort((a, b) => (a.task < b.task ? -1 : 1));
  const sum = (of: (task: TaskScore) => number) => tasks.reduce((total, task) => total + of(task), 0);
  const [pairs, right] = [sum((task) => task.pairs), sum((task) => task.right)];
  return {
    pairs,
    right,
    score: pairs === 0 ? 0 : right / pairs,
    solved: tasks.filter((task) => task.right === task.pairs).length,
    tasks,
  };
}
