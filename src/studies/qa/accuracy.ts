/**
 * How often runs are right, with an interval: Wilson's where each question was asked once, or came out the same each
 * time; else by resampling whole questions, for the samples of one question are no independent draws. Pure.
 */
import { bootstrapMean, mean } from '../../core/statistics/bootstrap.ts';
import { type Interval, wilsonInterval } from '../../core/statistics/proportion.ts';

export type Graded = { readonly question: string; readonly isRight: boolean | null };

export type Accuracy = {
  readonly questions: number;
  /** Those that were graded. */
  readonly runs: number;
  readonly right: number;
  /** Each question counts the same; null where none was graded. */
  readonly share: number | null;
  /** Null where too few questions were asked several times to resample them. */
  readonly interval: Interval | null;
};

/** A new one for each interval, so that an interval does not depend on those before it. */
export type Chances = () => () => number;

export function accuracyOf(runs: readonly Graded[], chances: Chances): Accuracy {
  const shares = [...sharesByQuestion(runs).values()];
  const graded = runs.filter(({ isRight }) => isRight !== null).length;
  const right = runs.filter(({ isRight }) => isRight === true).length;
  return {
    questions: shares.length,
    runs: graded,
    right,
    share: mean(shares),
    interval: intervalOf(shares, chances),
  };
}

/** Fewer would all be drawn alike so often that the interval tells nothing. */
export const fewestResampled = 5;

function intervalOf(shares: readonly number[], chances: Chances): Interval | null {
  if (shares.length === 0) return null;
  const isClear = shares.every((share) => share === 0 || share === 1);
  if (isClear) return wilsonInterval(shares.filter((share) => share === 1).length, shares.length);
  return shares.length < fewestResampled ? null : bootstrapMean(shares, { random: chances() });
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
