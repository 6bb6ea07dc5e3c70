/**
 * What graded runs say of systems: how often each is right, and of two on the questions that both have answered the
 * difference, an interval for it, and how likely it is by chance. Asked once, McNemar's exact test; asked several times, a
 * permutation test on the shares of the questions. Pure.
 */
import { mean } from './bootstrap.ts';
import { mcnemarExact, permutationTest } from './paired.ts';
import { type Proportions, pairedDifferenceInterval, shareInterval } from './shares.ts';

/** A new one for each test, so that a test does not depend on those before it. */
export type Probabilities = () => () => number;

export type Comparison = ReturnType<typeof compare>;

export function compare(first: readonly Graded[], second: readonly Graded[], chances: Probabilities) {
  const [a, b] = [correctRateByQuestion(first), correctRateByQuestion(second)];
  const common = [...a.keys()].filter((question) => b.has(question));
  const before = questionRates(first, a, common);
  const after = questionRates(second, b, common);
  const differences = common.map((_, at) => (after.shares[at] ?? 0) - (before.shares[at] ?? 0));
  // Questions that one answers right more often than the other.
  const onlyFirst = differences.filter((each) => each < 0).length;
  const onlySecond = differences.filter((each) => each > 0).length;
  const areClear = isOnce([...before.shares, ...after.shares]);
  const isKnown = isSufficient(before.shares) && isSufficient(after.shares);
  return {
    /** In common. */
    questions: common.length,
    first: mean(before.shares),
    second: mean(after.shares),
    /** Second less first. */
    difference: mean(differences),
    interval: isKnown ? pairedDifferenceInterval(before, after) : null,
    onlyFirst,
    onlySecond,
    test: areClear ? ('mcnemar' as const) : ('permutation' as const),
    p: areClear ? mcnemarExact(onlyFirst, onlySecond) : permutationTest(differences, { random: chances() }),
  };
}

/** Uses only the questions that both have. */
function questionRates(
  runs: readonly Graded[],
  shares: ReadonlyMap<string, number>,
  common: readonly string[],
): Proportions {
  const known = new Set(common);
  const trials = runs.filter(({ question, isRight }) => isRight !== null && known.has(question)).length;
  return { shares: common.map((question) => shares.get(question) ?? 0), trials };
}

export type Graded = { readonly question: string; readonly isRight: boolean | null };

export type Accuracy = ReturnType<typeof accuracyOf>;

export function accuracyOf(runs: readonly Graded[]) {
  const shares = [...correctRateByQuestion(runs).values()];
  const graded = runs.filter(({ isRight }) => isRight !== null).length;
  return {
    questions: shares.length,
    /** The runs that were graded. */
    runs: graded,
    right: runs.filter(({ isRight }) => isRight === true).length,
    /** Each question counts the same; null where none was graded. */
    share: mean(shares),
    /** Null where too few questions were asked several times to tell how they spread. */
    interval: isSufficient(shares) ? shareInterval({ shares, trials: graded }) : null,
  };
}

const fewest = 5;

/** Questions that came out the same each time say how they spread; of others, fewer say nothing of it. */
function isSufficient(shares: readonly number[]): boolean {
  return shares.length >= fewest || isOnce(shares);
}

function isOnce(shares: readonly number[]): boolean {
  return shares.every((share) => share === 0 || share === 1);
}

/** Of each question, how often it was answered right. Each counts the same, however often it was asked. */
function correctRateByQuestion(runs: readonly Graded[]): ReadonlyMap<string, number> {
  const counts = new Map<string, { right: number; all: number }>();
  for (const { question, isRight } of runs) {
    if (isRight === null) continue;
    const { right, all } = counts.get(question) ?? { right: 0, all: 0 };
    counts.set(question, { right: right + Number(isRight), all: all + 1 });
  }
  return new Map([...counts].map(([question, { right, all }]) => [question, right / all]));
}
