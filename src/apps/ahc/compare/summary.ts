/** What the cases of one evaluation come to together. Pure. */
import { type Direction, isBetter, shareOfBest } from '../../../core/program.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import type { CaseVerdict } from '../../../families/ahc/judge/verdict.ts';
import type { BestScores } from '../../../families/ahc/records/best.ts';
import { type CaseRecord, caseKey } from '../../../families/ahc/records/history.ts';

export type Scale = { readonly direction: Direction; readonly best: BestScores };

export type Summary = {
  readonly cases: number;
  readonly verdicts: Readonly<Partial<Record<CaseVerdict, number>>>;
  /** Cases with a score: AC, where something scores. */
  readonly scored: number;
  readonly total: number | null;
  /** Over the cases that have a score. */
  readonly average: number | null;
  /** Of all cases, in points of 10^9 of the best known; a case without a score has 0. Null where nothing is scored. */
  readonly relativeTotal: number | null;
  readonly relativeAverage: number | null;
  readonly slowestMs: number;
};

export function summaryOf(cases: readonly CaseRecord[], scale: Scale): Summary {
  const verdicts: Partial<Record<CaseVerdict, number>> = {};
  for (const { verdict } of cases) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  const scores = cases.flatMap(({ score }) => (score === null ? [] : [score]));
  const points = cases.map((each) => pointsOf(each, scale));
  const isScored = scores.length > 0;
  return {
    cases: cases.length,
    verdicts,
    scored: scores.length,
    total: isScored ? sum(scores) : null,
    average: mean(scores),
    relativeTotal: isScored ? sum(points) : null,
    relativeAverage: isScored ? mean(points) : null,
    slowestMs: cases.reduce((most, each) => Math.max(most, timeOf(each)), 0),
  };
}

export function pointsOf(each: CaseRecord, { direction, best }: Scale): number {
  return relativeScore(direction, each.score, best.of(each));
}

/** The points of a case in a contest with relative scores: at most 10^9, 0 without a score. */
export function relativeScore(direction: Direction, score: number | null, best: number | null): number {
  return score === null ? 0 : Math.round(1e9 * shareOfBest(score, best, direction));
}

/** CPU time of several threads may be more than the wall's, time asleep less. */
export function timeOf({ cpuMs, wallMs }: Pick<CaseRecord, 'cpuMs' | 'wallMs'>): number {
  return Math.max(cpuMs, wallMs);
}

export function slowest(cases: readonly CaseRecord[], count: number): readonly CaseRecord[] {
  return cases.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, count);
}

/** Those without a score first, then those that are furthest from the best known; only what has something to gain. */
export function worst(cases: readonly CaseRecord[], scale: Scale, count: number): readonly CaseRecord[] {
  return cases
    .filter((each) => {
      const best = scale.best.of(each);
      return (
        each.verdict !== 'AC' ||
        (each.score !== null && best !== null && isBetter(best, each.score, scale.direction))
      );
    })
    .toSorted((a, b) => pointsOf(a, scale) - pointsOf(b, scale))
    .slice(0, count);
}

/** How close to the limit is close: the judge's machine may be slower than this one. */
const closeTo = 0.9;

/** Cases that are AC here and may be late on another machine. `spread`: of this machine's times, as a part of 1. */
export function nearLimit(
  cases: readonly CaseRecord[],
  timeLimitMs: number,
  spread: number,
): readonly CaseRecord[] {
  const most = timeLimitMs * Math.min(closeTo, 1 / (1 + spread));
  return cases.filter((each) => each.verdict === 'AC' && timeOf(each) > most);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}

type VersionCases = { readonly name: string; readonly cases: readonly CaseRecord[] };

export type Course = {
  /** How many cases all the points are over. */
  readonly common: number;
  readonly unit: 'score' | 'points';
  readonly points: readonly { readonly name: string; readonly value: number; readonly scored: number }[];
  /** Versions that share less than half of the newest one's cases. */
  readonly leftOut: readonly string[];
};

type CourseOptions = Scale & { readonly scoring: 'absolute' | 'relative' };

/** `versions`: the oldest first. The newest that was run at all says which cases matter. */
export function courseOf(versions: readonly VersionCases[], options: CourseOptions): Course {
  const newest = versions.findLast(({ cases }) => cases.length > 0);
  const unit = options.scoring === 'absolute' && options.direction === 'maximise' ? 'score' : 'points';
  if (!newest) return { common: 0, unit, points: [], leftOut: versions.map(({ name }) => name) };
  let common = new Set(newest.cases.map(caseKey));
  const least = common.size / 2;
  const shown: VersionCases[] = [];
  const leftOut: string[] = [];
  for (const version of versions.toReversed()) {
    const own = new Set(version.cases.map(caseKey));
    const shared = new Set([...common].filter((key) => own.has(key)));
    if (shared.size < least || shared.size === 0) {
      leftOut.unshift(version.name);
    } else {
      common = shared;
      shown.unshift(version);
    }
  }
  const points = shown.map(({ name, cases }) => {
    const own = cases.filter((each) => common.has(caseKey(each)));
    const values = own.map((each) => (unit === 'score' ? (each.score ?? 0) : pointsOf(each, options)));
    return { name, value: mean(values) ?? 0, scored: own.filter(({ score }) => score !== null).length };
  });
  return { common: common.size, unit, points, leftOut };
}
