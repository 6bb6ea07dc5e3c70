/** What model calls of a run used, all of them or those of one branch. Folds over events; pure. */
import type { Event } from '../../../core/event.ts';
import { foldRun, type Totals } from '../../../core/fold.ts';
import { totalTokens } from '../../../core/usage.ts';

export type Spent = {
  readonly calls: number;
  /** Without the calls of which nobody knows. */
  readonly tokens: number;
  readonly callsOfUnknownTokens: number;
  readonly costUsd: number;
  readonly callsOfUnknownCost: number;
  readonly timeMs: number;
};

export const nothingSpent: Spent = {
  calls: 0,
  tokens: 0,
  callsOfUnknownTokens: 0,
  costUsd: 0,
  callsOfUnknownCost: 0,
  timeMs: 0,
};

export function addSpent(all: readonly Spent[]): Spent {
  return all.reduce(
    (a, b) => ({
      calls: a.calls + b.calls,
      tokens: a.tokens + b.tokens,
      callsOfUnknownTokens: a.callsOfUnknownTokens + b.callsOfUnknownTokens,
      costUsd: a.costUsd + b.costUsd,
      callsOfUnknownCost: a.callsOfUnknownCost + b.callsOfUnknownCost,
      timeMs: a.timeMs + b.timeMs,
    }),
    nothingSpent,
  );
}

export function spentIn(totals: Totals, timeMs: number): Spent {
  const { modelCalls, tokens, callsOfUnknownTokens, costUsd, callsOfUnknownCost } = totals;
  return {
    calls: modelCalls,
    tokens: totalTokens(tokens),
    callsOfUnknownTokens,
    costUsd,
    callsOfUnknownCost,
    timeMs,
  };
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
