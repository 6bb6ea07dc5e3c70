/** The list of runs: what the page asks for, and what the server answers. How a run stands, and totals over runs. Pure. */
import type { RunItem } from './page-items.ts';

export const stateNames = [
  'waits',
  'running',
  'interrupted',
  'solved',
  'answered',
  'doubtful',
  'scored',
  'wrong',
  'gave-up',
  'limit',
  'error',
  'stopped',
] as const;
export type RunStateName = (typeof stateNames)[number];

const ofOutcome: Readonly<Record<string, RunStateName>> = {
  solved: 'solved',
  passed: 'solved',
  answered: 'answered',
  doubtful: 'doubtful',
  scored: 'scored',
  wrong: 'wrong',
  rejected: 'wrong',
  limit: 'limit',
  'gave-up': 'gave-up',
  cancelled: 'stopped',
};

export function stateName(item: Pick<RunItem, 'state' | 'question' | 'outcome'>): RunStateName {
  if (item.question !== null) return 'waits';
  if (item.state !== 'ended') return item.state;
  return ofOutcome[item.outcome ?? ''] ?? 'error';
}

/** The word for users; outcomes keep their names. */
export function stateWord(item: Pick<RunItem, 'state' | 'question' | 'outcome'>): string {
  const name = stateName(item);
  if (name === 'waits') return 'waits for you';
  if (item.state !== 'ended') return item.state;
  return item.outcome === 'cancelled' ? 'stopped' : (item.outcome ?? 'ended');
}

export const facetNames = ['state', 'family', 'model', 'agent', 'host'] as const;
export type FilterField = (typeof facetNames)[number];

/** Scripts have a name each: together they are what no model said. A model of price 0 has its own name. */
export function filterValues(item: RunItem): Readonly<Record<FilterField, readonly string[]>> {
  const { family, agent, models, free, host } = item;
  const isLive = free === null || free.includes('price 0');
  return {
    state: [stateName(item)],
    family: [family],
    agent: [agent],
    model: isLive ? models : [free.replace(/^free \((.*)\)$/, '$1')],
    host: host === null ? [] : [host],
  };
}

export const sortNames = ['newest first', 'dearest first', 'longest silent first'] as const;
export type SortName = (typeof sortNames)[number];

export type RunQuery = {
  /** All of them have to be found in what the row says. */
  readonly words: string;
  readonly facets: Readonly<Partial<Record<FilterField, readonly string[]>>>;
  /** Only runs whose last event is not older; null: all. */
  readonly sinceHours: number | null;
  readonly sort: SortName;
  readonly offset: number;
  readonly limit: number;
};

/** Sums over runs. What is not yet read of one is in none of them: `unread` says of how many. */
export type RunTotals = {
  readonly runs: number;
  readonly unread: number;
  readonly states: Readonly<Partial<Record<RunStateName, number>>>;
  /** Runs that no provider was paid for. */
  readonly free: number;
  readonly knownCostUsd: number;
  /** Paid runs whose cost is not known in full. */
  readonly unknownCost: number;
  readonly knownTokens: number;
  readonly unknownTokens: number;
};

export type RunList = {
  /** Grows with each change of the store that the server has seen. */
  readonly version: number;
  /** Of all runs. */
  readonly counts: RunCounts;
  readonly facets: Readonly<Record<FilterField, readonly (readonly [value: string, count: number])[]>>;
  /** Of the runs that fit the query. */
  readonly totals: RunTotals;
  readonly groups: readonly { readonly head: string; readonly count: number }[];
  /** Those from `offset` on, in the order of the groups. */
  readonly offset: number;
  readonly runs: readonly RunItem[];
};

export type RunCounts = {
  readonly runs: number;
  readonly running: number;
  readonly waiting: number;
  readonly unread: number;
};

/** In this order in the list. */
export const groupHeads = ['Waits for you', 'Running', 'Interrupted', 'Ended'] as const;

export function groupOf(item: RunItem): number {
  const at = ['waits', 'running', 'interrupted'].indexOf(stateName(item));
  return at < 0 ? 3 : at;
}
