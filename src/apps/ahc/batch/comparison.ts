/**
 * Which combination of a batch is better. The unit is the session, not the case: cases say how good one program is, not how
 * good the settings of its search are. A session counts with its mean points over the cases that all sessions of the same
 * problem and repeat were run on. Points are shares of the best that any of them reached, so that they can be averaged over
 * problems. Pure.
 */
import type { Spent } from '../../../core/fold.ts';
import { type CaseOutcome, type Direction, isBetter, shareOfBest } from '../../../core/program.ts';
import { seededChance } from '../../../core/seeded-chance.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import { holm, permutationTest } from '../../../core/statistics/paired.ts';
import { typicalInterval } from '../../../core/statistics/typical-values.ts';

export type SessionOutcome = Spent & {
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

export type Standing = Spent & {
  readonly combination: number;
  readonly sessions: number;
  /** Those among them that ended without a program. */
  readonly withoutProgram: number;
  /** Mean points of its sessions, 0 to 1; null where no session can be compared. */
  readonly points: number | null;
  /** 95 % interval over sessions; null with fewer than `fewest`. */
  readonly low: number | null;
  readonly high: number | null;
  readonly aliveMs: number;
  /** Against the first combination, on the same problems and repeats; null for the first one. */
  readonly against: Difference | null;
};

export type Difference = {
  /** Pairs of sessions with the same problem and repeat. */
  readonly pairs: number;
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
  /** Exact permutation test, corrected by Holm for all comparisons; null with fewer than `fewest` pairs. */
  readonly p: number | null;
};

/** With fewer pairs no difference, however large, is significant at 5 %. */
export const fewest = 6;

/** The same with Holm's correction: the least possible p of so many pairs, times the comparisons, must be below 5 %. */
export function fewestFor(comparisons: number): number {
  return Math.ceil(Math.log2((2 * Math.max(1, comparisons)) / 0.05));
}

export function compareCombinations(
  outcomes: readonly SessionOutcome[],
  combinations: number,
): readonly Standing[] {
  const points = pointsOfSessions(outcomes.filter(({ isDone }) => isDone));
  const all = Array.from({ length: combinations }, (_, combination) =>
    standingOf(outcomes, points, combination),
  );
  const tested = all.filter(({ against }) => against?.p !== null && against !== null);
  const corrected = holm(tested.map(({ against }) => against?.p ?? 1));
  return all.map((standing) => {
    const at = tested.indexOf(standing);
    if (at < 0 || !standing.against) return standing;
    return { ...standing, against: { ...standing.against, p: corrected[at] ?? null } };
  });
}

/** Equal for sessions with the same problem and seed. */
function meetingOf({ workspace, repeat }: SessionOutcome): string {
  return JSON.stringify([workspace, repeat]);
}

/** A session without a program counts with 0 points. */
function pointsOfSessions(outcomes: readonly SessionOutcome[]): ReadonlyMap<SessionOutcome, number> {
  const points = new Map<SessionOutcome, number>();
  for (const meeting of new Set(outcomes.map(meetingOf))) {
    const own = outcomes.filter((each) => meetingOf(each) === meeting);
    const ran = own.filter(({ cases }) => cases.length > 0);
    const [first, ...others] = ran.map(({ cases }) => new Set(cases.map(({ name }) => name)));
    const common = [...(first ?? [])].filter((name) => others.every((names) => names.has(name)));
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

function standingOf(
  outcomes: readonly SessionOutcome[],
  points: ReadonlyMap<SessionOutcome, number>,
  combination: number,
): Standing {
  const own = outcomes.filter((each) => each.combination === combination);
  const values = own.flatMap((each) => points.get(each) ?? []);
  const interval = values.length >= fewest ? intervalOf(values, `${combination}`) : null;
  return {
    combination,
    sessions: own.filter(({ isDone }) => isDone).length,
    withoutProgram: own.filter(({ isDone, cases }) => isDone && cases.length === 0).length,
    points: mean(values),
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    tokens: sumOrNull(own.map(({ tokens }) => tokens)),
    knownTokens: sum(own.map(({ knownTokens }) => knownTokens)),
    costUsd: sumOrNull(own.map(({ costUsd }) => costUsd)),
    knownCostUsd: sum(own.map(({ knownCostUsd }) => knownCostUsd)),
    aliveMs: sum(own.map(({ aliveMs }) => aliveMs)),
    against: combination === 0 ? null : differenceOf(outcomes, points, combination),
  };
}

function differenceOf(
  outcomes: readonly SessionOutcome[],
  points: ReadonlyMap<SessionOutcome, number>,
  combination: number,
): Difference | null {
  const differences = outcomes.flatMap((each) => {
    if (each.combination !== combination) return [];
    const other = outcomes.find((one) => one.combination === 0 && meetingOf(one) === meetingOf(each));
    const [now, then] = [points.get(each), other && points.get(other)];
    return now === undefined || then === undefined ? [] : [now - then];
  });
  if (differences.length === 0) return null;
  const isEnough = differences.length >= fewest;
  const interval = isEnough ? intervalOf(differences, `0 ${combination}`) : null;
  const random = seededChance(`batch permutation ${combination}`).next;
  return {
    pairs: differences.length,
    mean: mean(differences) ?? 0,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    p: isEnough ? permutationTest(differences, { random }) : null,
  };
}

/** Seeded: the same values give the same interval. */
function intervalOf(values: readonly number[], name: string) {
  return typicalInterval(values, { random: seededChance(`batch ${name}`).next });
}

function sumOrNull(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : sum(values.map((each) => each ?? 0));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0);
}
