/**
 * Which combination of a batch is better. The unit is the session, because the search itself is what differs: a session's
 * cases say how good its one program is, not how good its settings are. A session counts with the mean of its cases'
 * points on the cases that all sessions of the same problem and repeat were run on in the end; points are shares of the best
 * that any of them reached there, so that problems can be put together. Pure.
 */
import type { Spent } from '../../../core/fold.ts';
import { type CaseOutcome, type Direction, isBetter, shareOfBest } from '../../../core/program.ts';
import { seededChance } from '../../../core/seeded-chance.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import { holm } from '../../../core/statistics/holm.ts';
import { permutationTest } from '../../../core/statistics/paired.ts';
import { typicalInterval } from '../../../core/statistics/typical-values.ts';

export type SessionOutcome = Spent & {
  readonly problem: string;
  /** Where it lives; two workspaces of one contest are two problems, for they need not have the same cases. */
  readonly workspace: string;
  readonly combination: number;
  readonly repeat: number;
  readonly direction: Direction;
  /** Of its final program, where it can be on cases that no search saw; empty where it has none. */
  readonly cases: readonly CaseOutcome[];
  /** Whether its search was brought to its end; one that was not, or that broke on an error, is left out. */
  readonly isDone: boolean;
  readonly aliveMs: number;
};

export type Standing = Spent & {
  readonly combination: number;
  readonly sessions: number;
  /** Of those, the ones that ended without a program. */
  readonly withoutProgram: number;
  /** Mean points of its sessions, 0 to 1; null where it has none that can be compared. */
  readonly points: number | null;
  /** 95 % interval over sessions; null with fewer than `fewest`. */
  readonly low: number | null;
  readonly high: number | null;
  readonly aliveMs: number;
  /** Against the first combination, on the same problems and repeats; null for that one itself. */
  readonly against: Difference | null;
};

export type Difference = {
  /** Pairs of sessions with the same problem and repeat. */
  readonly pairs: number;
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
  /** Exact permutation test, by Holm corrected for all comparisons; null where the pairs are too few to say anything. */
  readonly p: number | null;
};

/** With fewer pairs no difference could be told from noise at 5 %, however large it is. */
export const fewest = 6;

/** The same where Holm corrects for so many comparisons: the least p of so many pairs must bear to be multiplied. */
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

/** Sessions that met the same problem with the same chances. */
function meetingOf({ workspace, repeat }: SessionOutcome): string {
  return JSON.stringify([workspace, repeat]);
}

/** One without a program has no points: it is worth nothing, and that counts. */
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

/** The same values give the same interval, today and tomorrow. */
function intervalOf(values: readonly number[], name: string) {
  return typicalInterval(values, { random: seededChance(`batch ${name}`).next });
}

function sumOrNull(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : sum(values.map((each) => each ?? 0));
}

function sum(values: readonly number[]): number {
  return values.reduce((all, each) => all + each, 0);
}
