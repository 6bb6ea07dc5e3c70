/**
 * Two systems on the questions that both have answered: the difference of their accuracies, an interval for it, and how
 * likely such a difference is by chance. Asked once, McNemar's exact test; asked several times, a permutation test on the
 * shares of the questions. Pure.
 */
import { mean } from '../../../core/statistics/bootstrap.ts';
import { mcnemarExact, permutationTest } from '../../../core/statistics/paired.ts';
import type { Interval } from '../../../core/statistics/proportion.ts';
import { pairedDifferenceInterval, type Shares } from '../../../core/statistics/shares.ts';
import { areEnough, type Graded, isOnce, sharesByQuestion } from './accuracy.ts';

/** A new one for each test, so that a test does not depend on those before it. */
export type Chances = () => () => number;

export type Comparison = {
  /** In common. */
  readonly questions: number;
  readonly first: number | null;
  readonly second: number | null;
  /** Second less first. */
  readonly difference: number | null;
  readonly interval: Interval | null;
  /** Questions that one answers right more often than the other. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly test: 'mcnemar' | 'permutation';
  readonly p: number;
};

export function compare(first: readonly Graded[], second: readonly Graded[], chances: Chances): Comparison {
  const [a, b] = [sharesByQuestion(first), sharesByQuestion(second)];
  const common = [...a.keys()].filter((question) => b.has(question));
  const before = sharesOf(first, a, common);
  const after = sharesOf(second, b, common);
  const differences = common.map((_, at) => (after.shares[at] ?? 0) - (before.shares[at] ?? 0));
  const onlyFirst = differences.filter((each) => each < 0).length;
  const onlySecond = differences.filter((each) => each > 0).length;
  const areClear = isOnce([...before.shares, ...after.shares]);
  const isKnown = areEnough(before.shares) && areEnough(after.shares);
  return {
    questions: common.length,
    first: mean(before.shares),
    second: mean(after.shares),
    difference: mean(differences),
    interval: isKnown ? pairedDifferenceInterval(before, after) : null,
    onlyFirst,
    onlySecond,
    test: areClear ? 'mcnemar' : 'permutation',
    p: areClear ? mcnemarExact(onlyFirst, onlySecond) : permutationTest(differences, { random: chances() }),
  };
}

/** Of the questions in common alone. */
function sharesOf(
  runs: readonly Graded[],
  shares: ReadonlyMap<string, number>,
  common: readonly string[],
): Shares {
  const known = new Set(common);
  const trials = runs.filter(({ question, isRight }) => isRight !== null && known.has(question)).length;
  return { shares: common.map((question) => shares.get(question) ?? 0), trials };
}
