/**
 * How often runs are right, with an interval: Wilson's where each question was asked once; else for so many independent
 * questions as the shares of these spread like, for the samples of one question are no independent draws. Pure.
 */
import { mean } from '../../../core/statistics/bootstrap.ts';
import type { Interval } from '../../../core/statistics/proportion.ts';
import { shareInterval } from '../../../core/statistics/shares.ts';

export type Graded = { readonly question: string; readonly isRight: boolean | null };

export type Accuracy = {
  readonly questions: number;
  /** Those that were graded. */
  readonly runs: number;
  readonly right: number;
  /** Each question counts the same; null where none was graded. */
  readonly share: number | null;
  /** Null where too few questions were asked several times to tell how they spread. */
  readonly interval: Interval | null;
};

export function accuracyOf(runs: readonly Graded[]): Accuracy {
  const shares = [...sharesByQuestion(runs).values()];
  const graded = runs.filter(({ isRight }) => isRight !== null).length;
  const right = runs.filter(({ isRight }) => isRight === true).length;
  return {
    questions: shares.length,
    runs: graded,
    right,
    share: mean(shares),
    interval: areEnough(shares) ? shareInterval({ shares, trials: graded }) : null,
  };
}

const fewest = 5;

/** Questions that came out the same each time say how they spread; of others, fewer say nothing of it. */
export function areEnough(shares: readonly number[]): boolean {
  return shares.length >= fewest || isOnce(shares);
}

export function isOnce(shares: readonly number[]): boolean {
  return shares.every((share) => share === 0 || share === 1);
}

/** Of each question, how often it was answered right. Each counts the same, however often it was asked. */
export function sharesByQuestion(runs: readonly Graded[]): ReadonlyMap<string, number> {
  const counts = new Map<string, { right: number; all: number }>();
  for (const { question, isRight } of runs) {
    if (isRight === null) continue;
    const { right, all } = counts.get(question) ?? { right: 0, all: 0 };
    counts.set(question, { right: right + Number(isRight), all: all + 1 });
  }
  return new Map([...counts].map(([question, { right, all }]) => [question, right / all]));
}
