/**
 * What the cases of an evaluation come to together, and two versions on the cases that both were run on: who wins how
 * often, the mean of the differences, and whether that is more than noise. Pure; chance is handed in.
 */
import { type CaseOutcome, type Direction, isBetter, shareOfBest } from '../../../core/program.ts';
import { bootstrapMean, mean } from '../../../core/statistics/bootstrap.ts';
import { permutationTest } from '../../../core/statistics/paired.ts';
import type { Interval } from '../../../core/statistics/proportion.ts';
import type { CaseVerdict } from '../../../families/ahc/judge/verdict.ts';
import type { BestScores } from '../../../families/ahc/records/best.ts';
import { caseKey } from '../../../families/ahc/records/history.ts';

export type Scale = { readonly direction: Direction; readonly best: BestScores };

export function summaryOf(cases: readonly CaseOutcome[], scale: Scale) {
  const verdicts: Partial<Record<CaseVerdict, number>> = {};
  for (const { verdict } of cases) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  const scores = cases.map(({ score }) => score).filter((score) => score !== null);
  const points = cases.filter(isJudged).map((each) => pointsOf(each, scale));
  const isScored = scores.length > 0;
  return {
    cases: cases.length,
    verdicts,
    /** Cases with a score: AC, where something scores. */
    scored: scores.length,
    total: isScored ? sum(scores) : null,
    /** Over the cases that have a score. */
    average: mean(scores),
    /** Of all cases, in points of 10^9 of the best known; a case without a score has 0. Null where nothing is scored. */
    relativeTotal: isScored ? sum(points) : null,
    relativeAverage: isScored ? mean(points) : null,
    slowestMs: Math.max(0, ...cases.map(timeOf)),
  };
}

/** What was not judged is worth neither something nor nothing. */
const isJudged = ({ verdict }: CaseOutcome): boolean => verdict !== 'NJ';

export function pointsOf(each: CaseOutcome, { direction, best }: Scale): number {
  return relativeScore(direction, each.score, best.of(each));
}

/** The points of a case in a contest with relative scores: at most 10^9, 0 without a score. */
export function relativeScore(direction: Direction, score: number | null, best: number | null): number {
  return score === null ? 0 : Math.round(1e9 * shareOfBest(score, best, direction));
}

/** CPU time of several threads may be more than the wall's, time asleep less. */
export function timeOf({ cpuMs, wallMs }: Pick<CaseOutcome, 'cpuMs' | 'wallMs'>): number {
  return Math.max(cpuMs, wallMs);
}

export function slowest(cases: readonly CaseOutcome[], count: number): readonly CaseOutcome[] {
  return cases.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, count);
}

/** Those without a score first, then those that are furthest from the best known; only what has something to gain. */
export function worst(cases: readonly CaseOutcome[], scale: Scale, count: number): readonly CaseOutcome[] {
  return cases
    .filter((each) => {
      const { verdict, score } = each;
      const best = scale.best.of(each);
      if (!isJudged(each)) return false;
      return verdict !== 'AC' || (score !== null && best !== null && isBetter(best, score, scale.direction));
    })
    .toSorted((a, b) => pointsOf(a, scale) - pointsOf(b, scale))
    .slice(0, count);
}

/** As a part of the limit: the judge's machine may be slower than this one. */
const closeTo = 0.9;

/** Cases that are AC here and may be late on another machine. */
export function nearLimit(cases: readonly CaseOutcome[], timeLimitMs: number): readonly CaseOutcome[] {
  return cases.filter((each) => each.verdict === 'AC' && timeOf(each) > timeLimitMs * closeTo);
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

export type PairedOptions = Scale & {
  readonly scoring: 'absolute' | 'relative';
  /** Uniform in [0, 1): the same numbers give the same interval. */
  readonly random: () => number;
};

export type Comparison = ReturnType<typeof compareVersions>;

type Pair = { readonly each: CaseOutcome; readonly old: CaseOutcome };

export function compareVersions(
  update: readonly CaseOutcome[],
  olds: readonly CaseOutcome[],
  options: PairedOptions,
) {
  const oldByKey = new Map(olds.filter(isJudged).map((each) => [caseKey(each), each]));
  const pairs = update.filter(isJudged).flatMap((each): Pair[] => {
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
    onlyNew: update.length - pairs.length,
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
    /** The 95 % interval of the mean difference. */
    interval,
    /** The probability of such a difference by chance alone. */
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
