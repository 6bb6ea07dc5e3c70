/**
 * Two systems on the questions that both have answered: the difference of their accuracies, an interval for it, and how
 * likely such a difference is by chance. Asked once, McNemar's exact test; asked several times, a permutation test on the
 * shares of the questions. Pure.
 */

import type { Event } from '../../../core/event.ts';
import { foldRun, type Totals } from '../../../core/fold.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import { mcnemarExact, permutationTest } from '../../../core/statistics/paired.ts';
import { pairedDifferenceInterval, type Shares, shareInterval } from '../../../core/statistics/shares.ts';
import { totalTokens } from '../../../core/usage.ts';

/** A new one for each test, so that a test does not depend on those before it. */
export type Chances = () => () => number;

export type Comparison = ReturnType<typeof compare>;

export function compare(first: readonly Graded[], second: readonly Graded[], chances: Chances) {
  const [a, b] = [sharesByQuestion(first), sharesByQuestion(second)];
  const common = [...a.keys()].filter((question) => b.has(question));
  const before = sharesOf(first, a, common);
  const after = sharesOf(second, b, common);
  const differences = common.map((_, at) => (after.shares[at] ?? 0) - (before.shares[at] ?? 0));
  // Questions that one answers right more often than the other.
  const onlyFirst = differences.filter((each) => each < 0).length;
  const onlySecond = differences.filter((each) => each > 0).length;
  const areClear = isOnce([...before.shares, ...after.shares]);
  const isKnown = areEnough(before.shares) && areEnough(after.shares);
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

export type Graded = { readonly question: string; readonly isRight: boolean | null };

export type Accuracy = ReturnType<typeof accuracyOf>;

export function accuracyOf(runs: readonly Graded[]) {
  const shares = [...sharesByQuestion(runs).values()];
  const graded = runs.filter(({ isRight }) => isRight !== null).length;
  return {
    questions: shares.length,
    /** Those that were graded. */
    runs: graded,
    right: runs.filter(({ isRight }) => isRight === true).length,
    /** Each question counts the same; null where none was graded. */
    share: mean(shares),
    /** Null where too few questions were asked several times to tell how they spread. */
    interval: areEnough(shares) ? shareInterval({ shares, trials: graded }) : null,
  };
}

const fewest = 5;

/** Questions that came out the same each time say how they spread; of others, fewer say nothing of it. */
function areEnough(shares: readonly number[]): boolean {
  return shares.length >= fewest || isOnce(shares);
}

function isOnce(shares: readonly number[]): boolean {
  return shares.every((share) => share === 0 || share === 1);
}

/** Of each question, how often it was answered right. Each counts the same, however often it was asked. */
function sharesByQuestion(runs: readonly Graded[]): ReadonlyMap<string, number> {
  const counts = new Map<string, { right: number; all: number }>();
  for (const { question, isRight } of runs) {
    if (isRight === null) continue;
    const { right, all } = counts.get(question) ?? { right: 0, all: 0 };
    counts.set(question, { right: right + Number(isRight), all: all + 1 });
  }
  return new Map([...counts].map(([question, { right, all }]) => [question, right / all]));
}

/** Tokens and costs are without the calls of which they are not known. */
export type Spent = Readonly<typeof nothingSpent>;

export const nothingSpent = {
  ...{ calls: 0, tokens: 0, callsOfUnknownTokens: 0 },
  ...{ costUsd: 0, callsOfUnknownCost: 0, timeMs: 0 },
};

export function addSpent(all: readonly Spent[]): Spent {
  return all.reduce<Spent>((a, b) => spentPlus(a, 1, b), nothingSpent);
}

/** `a` and so many times `b`. */
export function spentPlus(a: Spent, times: 1 | -1, b: Spent): Spent {
  return {
    calls: a.calls + times * b.calls,
    tokens: a.tokens + times * b.tokens,
    callsOfUnknownTokens: a.callsOfUnknownTokens + times * b.callsOfUnknownTokens,
    costUsd: a.costUsd + times * b.costUsd,
    callsOfUnknownCost: a.callsOfUnknownCost + times * b.callsOfUnknownCost,
    timeMs: a.timeMs + times * b.timeMs,
  };
}

export function spentIn(totals: Totals, timeMs: number): Spent {
  const { modelCalls: calls, callsOfUnknownTokens, costUsd, callsOfUnknownCost } = totals;
  const tokens = totalTokens(totals.tokens);
  return { calls, tokens, callsOfUnknownTokens, costUsd, callsOfUnknownCost, timeMs };
}

/** A branch and those below it; the empty name is the whole run. */
export function spentInBranch(events: readonly Event[], name: string): Spent {
  const isInside = ({ branch }: Event) => name === '' || branch === name || branch.startsWith(`${name}/`);
  const own = events.filter(isInside);
  return spentIn(foldRun(own.filter(({ kind }) => kind !== 'run-resume')).totals, aliveIn(events, isInside));
}

/** From its first event to its last, without the time in which no process was at work on the run. */
function aliveIn(events: readonly Event[], isInside: (event: Event) => boolean): number {
  const first = events.findIndex(isInside);
  const last = events.findLastIndex(isInside);
  let alive = 0;
  for (let at = first + 1; at > 0 && at <= last; at += 1) {
    const [before, now] = [events[at - 1], events[at]];
    if (before && now && now.kind !== 'run-resume') alive += Math.max(0, now.atMs - before.atMs);
  }
  return alive;
}
