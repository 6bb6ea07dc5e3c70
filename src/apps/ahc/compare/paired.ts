/**
 * Two versions on the cases that both were run on: who wins how often, the mean of the differences, and whether that is
 * more than noise. Other cases say nothing of a difference and are left out. Pure; chance is handed in.
 */
import { isBetter } from '../../../core/program.ts';
import { bootstrapMean, mean } from '../../../core/statistics/bootstrap.ts';
import { permutationTest } from '../../../core/statistics/paired.ts';
import type { Interval } from '../../../core/statistics/proportion.ts';
import { type CaseRecord, caseKey } from '../../../families/ahc/records/history.ts';
import { relativeScore, type Scale } from './summary.ts';

export type PairedOptions = Scale & {
  readonly scoring: 'absolute' | 'relative';
  /** Uniform in [0, 1): the same numbers give the same interval. */
  readonly random: () => number;
};

export type Comparison = ReturnType<typeof compareVersions>;

type Pair = { readonly each: CaseRecord; readonly old: CaseRecord };

export function compareVersions(
  news: readonly CaseRecord[],
  olds: readonly CaseRecord[],
  options: PairedOptions,
) {
  const oldByKey = new Map(olds.map((each) => [caseKey(each), each]));
  const pairs = news.flatMap((each): Pair[] => {
    const old = oldByKey.get(caseKey(each));
    return old ? [{ each, old }] : [];
  });
  const isWin = (one: number | null, other: number | null): boolean =>
    one !== null && (other === null || isBetter(one, other, options.direction));
  const wins = pairs.filter(({ each, old }) => isWin(each.score, old.score)).length;
  const losses = pairs.filter(({ each, old }) => isWin(old.score, each.score)).length;
  return {
    /** Cases that both were run on. */
    common: pairs.length,
    /** Cases of each that the other was not run on, or not with this input. */
    onlyNew: news.length - pairs.length,
    onlyOld: olds.length - pairs.length,
    wins,
    losses,
    ties: pairs.length - wins - losses,
    /** Cases that only one of them has a score on; they are wins and losses and no part of the differences. */
    scoredOnlyNew: pairs.filter(({ each, old }) => each.score !== null && old.score === null).length,
    scoredOnlyOld: pairs.filter(({ each, old }) => each.score === null && old.score !== null).length,
    ...differencesOf(
      pairs.filter(({ each, old }) => each.score !== null && old.score !== null),
      options,
    ),
  };
}

function differencesOf(pairs: readonly Pair[], options: PairedOptions) {
  const { random, scoring } = options;
  const values = pairs.map((pair) => valuesOf(pair, options));
  // What is less is better where scores are minimised; points are always the more the better.
  const sign = scoring === 'absolute' && options.direction === 'minimise' ? -1 : 1;
  const differences = values.map(({ now, before }) => sign * (now - before));
  const difference = mean(differences);
  const before = mean(values.map((each) => each.before));
  const interval = bootstrapMean(differences, { random });
  const p = differences.length > 0 ? permutationTest(differences, { random }) : null;
  return {
    /** Cases that both have a score on: what `difference` and `interval` are of. */
    paired: pairs.length,
    /** Of the score, or in a contest with relative scores of the points; above 0 the new version is better. */
    difference,
    unit: scoring === 'relative' ? ('points' as const) : ('score' as const),
    /** As a part of the old version's mean. */
    change: difference === null || !before ? null : difference / Math.abs(before),
    /** Of the mean difference, 95 %. */
    interval,
    /** How likely a difference like this is where there is none. */
    p,
    verdict: verdictOf(differences, interval, p),
  };
}

function valuesOf({ each, old }: Pair, { scoring, direction, best }: PairedOptions) {
  if (scoring === 'absolute') return { now: each.score ?? 0, before: old.score ?? 0 };
  const known = best.of(each);
  return {
    now: relativeScore(direction, each.score, known),
    before: relativeScore(direction, old.score, known),
  };
}

const surely = 0.05;

/** Where n cases differ, and all in one direction, p is 2 / 2^n. */
const leastThatDiffer = Math.ceil(1 - Math.log2(surely));

/**
 * `few`: so few cases differ that nothing could be more than noise, however far. Interval and test must both say that it
 * is more: the interval is narrow on few cases, the test knows that they are few.
 */
function verdictOf(
  differences: readonly number[],
  interval: Interval | null,
  p: number | null,
): 'better' | 'worse' | 'noise' | 'few' {
  const differing = differences.filter((each) => each !== 0).length;
  if (differences.length === 0 || (differing > 0 && differing < leastThatDiffer)) return 'few';
  if (!interval || p === null || p >= surely) return 'noise';
  return interval.low > 0 ? 'better' : interval.high < 0 ? 'worse' : 'noise';
}
