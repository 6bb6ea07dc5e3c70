/**
 * Which combination of a batch is better. The unit is the session, not the case: cases say how good one program is, not how
 * good the settings of its search are. A session counts with its mean points over the cases that all sessions of the same
 * problem and repeat were run on. Points are shares of the best that any of them reached, so that they can be averaged over
 * problems. Pure.
 */

import { type CaseOutcome, type Direction, isBetter, shareOfBest } from '../../../core/program.ts';
import { seededChance } from '../../../core/seeded-chance.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import { holm, permutationTest } from '../../../core/statistics/paired.ts';
import { typicalInterval } from '../../../core/statistics/typical-values.ts';
import type { TotalSpend } from '../../../core/totals.ts';

export type SessionOutcome = TotalSpend & {
  readonly problem: string;
  /** Two workspaces of one contest are two problems, because their cases may differ. */
  readonly workspace: string;
  readonly combination: number;
  readonly repeat: number;
  readonly direction: Direction;
  /** Of its final program, if possible on cases that no search saw; empty where it has no program. */
  readonly cases: readonly CaseOutcome[];
  /** Whether its search came to its end. Others are not compared. */
  readonly isDone: boolean;
  readonly aliveMs: number;
};

export type CombinationStats = ReturnType<typeof combinationStats>;

/** With fewer pairs no difference, however large, is significant at 5 %. */
export const fewest = 6;

/** The same with Holm's correction: the least possible p of so many pairs, times the comparisons, must be below 5 %. */
export function minSessionsFor(comparisons: number): number {
  return Math.ceil(Math.log2((2 * Math.max(1, comparisons)) / 0.05));
}

export function compareCombinations(
  sessionOutcomes: readonly SessionOutcome[],
  combinations: number,
): readonly CombinationStats[] {
  const points = pointsOfSessions(sessionOutcomes.filter(({ isDone }) => isDone));
  const all = Array.from({ length: combinations }, (_, combination) =>
    combinationStats(sessionOutcomes, points, combination),
  );
  const tested = all.flatMap(({ against }) => (against && against.p !== null ? [against] : []));
  const corrected = holm(tested.map(({ p }) => p ?? 1));
  return all.map((standing) => {
    const { against } = standing;
    const at = against ? tested.indexOf(against) : -1;
    return against && at >= 0 ? { ...standing, against: { ...against, p: corrected[at] ?? null } } : standing;
  });
}

/** Equal for sessions with the same problem and seed. */
const meetingOf = ({ workspace, repeat }: SessionOutcome): string => JSON.stringify([workspace, repeat]);

type Points = ReadonlyMap<SessionOutcome, number>;

/** A session without a program counts with 0 points. */
function pointsOfSessions(sessionOutcomes: readonly SessionOutcome[]): Points {
  const points = new Map<SessionOutcome, number>();
  for (const own of Map.groupBy(sessionOutcomes, meetingOf).values()) {
    const ran = own.filter(({ cases }) => cases.length > 0);
    const [first, ...siblings] = ran.map(({ cases }) => new Set(cases.map(({ name }) => name)));
    const common = [...(first ?? [])].filter((name) => siblings.every((names) => names.has(name)));
    const best = new Map(common.map((name) => [name, bestOf(name, ran)]));
    for (const outcome of own) {
      if (outcome.cases.length === 0) points.set(outcome, 0);
      else if (common.length > 0) points.set(outcome, meanShare(outcome, best));
    }
  }
  return points;
}

function bestOf(name: string, outcomes: readonly SessionOutcome[]): number | null {
  let best: number | null = null;
  for (const { cases, direction } of outcomes) {
    const found = cases.find((each) => each.name === name);
    if (found?.verdict !== 'AC' || found.score === null) continue;
    if (best === null || isBetter(found.score, best, direction)) best = found.score;
  }
  return best;
}

function meanShare({ cases, direction }: SessionOutcome, best: ReadonlyMap<string, number | null>): number {
  const shares = cases
    .filter(({ name }) => best.has(name))
    .map(({ name, verdict, score }) =>
      verdict === 'AC' && score !== null ? shareOfBest(score, best.get(name) ?? null, direction) : 0,
    );
  return mean(shares) ?? 0;
}

function combinationStats(sessionOutcomes: readonly SessionOutcome[], points: Points, combination: number) {
  const own = sessionOutcomes.filter((each) => each.combination === combination);
  const values = own.flatMap((each) => points.get(each) ?? []);
  return {
    combination,
    sessions: own.filter(({ isDone }) => isDone).length,
    /** The number of these sessions that ended without a program. */
    withoutProgram: own.filter(({ isDone, cases }) => isDone && cases.length === 0).length,
    /** Mean points of its sessions, 0 to 1; null where no session can be compared. */
    points: mean(values),
    /** 95 % interval over sessions; null with fewer than `fewest`. */
    ...intervalOf(values, `${combination}`),
    tokens: sumOrNull(own.map(({ tokens }) => tokens)),
    knownTokens: sum(own.map(({ knownTokens }) => knownTokens)),
    costUsd: sumOrNull(own.map(({ costUsd }) => costUsd)),
    knownCostUsd: sum(own.map(({ knownCostUsd }) => knownCostUsd)),
    aliveMs: sum(own.map(({ aliveMs }) => aliveMs)),
    /** Against the first combination, on the same problems and repeats; null for the first one. */
    against: combination === 0 ? null : differenceOf(sessionOutcomes, points, combination),
  };
}

function differenceOf(outcomes: readonly SessionOutcome[], points: Points, combination: number) {
  const differences = outcomes.flatMap((each) => {
    if (each.combination !== combination) return [];
    const other = outcomes.find((one) => one.combination === 0 && meetingOf(one) === meetingOf(each));
    const [now, then] = [points.get(each), other && points.get(other)];
    return now === undefined || then === undefined ? [] : [now - then];
  });
  if (differences.length === 0) return null;
  const random = seededChance(`batch permutation ${combination}`).next;
  return {
    /** Pairs of sessions with the same problem and repeat. */
    pairs: differences.length,
    mean: mean(differences) ?? 0,
    ...intervalOf(differences, `0 ${combination}`),
    /** Exact permutation test, corrected by Holm for all comparisons; null with fewer than `fewest` pairs. */
    p: differences.length < fewest ? null : permutationTest(differences, { random }),
  };
}

/** Seeded: the same values give the same interval. */
function intervalOf(values: readonly number[], name: string) {
  if (values.length < fewest) return { low: null, high: null };
  const interval = typicalInterval(values, { random: seededChance(`batch ${name}`).next });
  return { low: interval?.low ?? null, high: interval?.high ?? null };
}

function sumOrNull(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : sum(values.map((each) => each ?? 0));
}

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0);
