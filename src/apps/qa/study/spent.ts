/** What a run, or a branch of it, spent: calls, tokens, cost and time. Pure. */
import type { Event } from '../../../core/event.ts';
import { foldRun } from '../../../core/fold.ts';
import type { Totals } from '../../../core/totals.ts';
import { totalTokens } from '../../../core/usage.ts';

/** Tokens and costs are without the calls of which they are not known. */
export type Spent = Readonly<typeof nothingSpent>;

export const nothingSpent = {
  calls: 0,
  tokens: 0,
  callsOfUnknownTokens: 0,
  costUsd: 0,
  callsOfUnknownCost: 0,
  timeMs: 0,
};

export function addSpent(all: readonly Spent[]): Spent {
  return all.reduce<Spent>((a, b) => addTwo(a, 1, b), nothingSpent);
}

/** `a` and so many times `b`. */
export function addTwo(a: Spent, times: 1 | -1, b: Spent): Spent {
  return {
    calls: a.calls + times * b.calls,
    tokens: a.tokens + times * b.tokens,
    callsOfUnknownTokens: a.callsOfUnknownTokens + times * b.callsOfUnknownTokens,
    costUsd: a.costUsd + times * b.costUsd,
    callsOfUnknownCost: a.callsOfUnknownCost + times * b.callsOfUnknownCost,
    timeMs: a.timeMs + times * b.timeMs,
  };
}

export function spentFromTotals(totals: Totals, timeMs: number): Spent {
  const { modelCalls: calls, callsOfUnknownTokens, costUsd, callsOfUnknownCost } = totals;
  const tokens = totalTokens(totals.tokens);
  return { calls, tokens, callsOfUnknownTokens, costUsd, callsOfUnknownCost, timeMs };
}

/** A branch and those below it; the empty name is the whole run. */
export function spentInBranch(events: readonly Event[], name: string): Spent {
  const isInside = ({ branch }: Event) =>
    name === '' || [name, `${name}-review`].includes(branch) || branch.startsWith(`${name}/`);
  const own = events.filter(isInside);
  return spentFromTotals(
    foldRun(own.filter(({ kind }) => kind !== 'run-resume')).totals,
    aliveIn(events, isInside),
  );
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
