/**
 * The course of a score over versions. Versions that were run on different cases cannot stand on one line as they are:
 * what is drawn is over the cases that all of them share, and who shares too few is left out and named. Pure.
 */
import { mean } from '../../../core/statistics/bootstrap.ts';
import { type CaseRecord, caseKey } from '../../../families/ahc/records/history.ts';
import { pointsOf, type Scale } from './summary.ts';

export type VersionCases = { readonly name: string; readonly cases: readonly CaseRecord[] };

export type Course = {
  /** How many cases all the points are over. */
  readonly common: number;
  readonly unit: 'score' | 'points';
  readonly points: readonly { readonly name: string; readonly value: number; readonly scored: number }[];
  /** Versions that share less than half of the newest one's cases. */
  readonly leftOut: readonly string[];
};

export type CourseOptions = Scale & { readonly scoring: 'absolute' | 'relative' };

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
