/** What was spent on what: an expense for each model call, added up by what the user asks for. */
import { addTokens, noTokens, type Tokens, totalTokens } from './usage.ts';

/** One model call that ended or was cancelled. */
export type Expense = {
  readonly atMs: number;
  readonly run: string;
  readonly family: string;
  readonly problem: string;
  readonly role: string;
  readonly model: string;
  /** `live`, or another kind, for which nobody is paid. */
  readonly kind: string;
  readonly tokens: Tokens;
  /** True: `tokens` are unknown, and counted as none. */
  readonly isUncounted: boolean;
  readonly costUsd: number;
  /** False: `costUsd` is unknown, and counted as 0. */
  readonly isKnown: boolean;
  /** Broken off or lost: it may have been billed, at most with what was reserved. */
  readonly isPossible: boolean;
  readonly reserved: { readonly tokens: number; readonly costUsd: number };
};

export type Sum = {
  readonly name: string;
  readonly calls: number;
  readonly tokens: Tokens;
  readonly costUsd: number;
  /** Calls of unknown usage; `tokens` are without them. */
  readonly callsOfUnknownTokens: number;
  /** Calls of unknown cost; `costUsd` is without them. */
  readonly callsOfUnknownCost: number;
  readonly possiblyBilled: number;
  /** What those may have cost at most. */
  readonly possiblyUsd: number;
  /** Every call was answered by a script or a person. */
  readonly isFree: boolean;
  /** The kinds of the models that were asked: `live`, `script`, `person` … */
  readonly kinds: readonly string[];
};

export const spendingKeys = ['model', 'role', 'run', 'day', 'family'] as const;
export type SpendingKey = (typeof spendingKeys)[number];

/** The most that can have been spent: what is unknown counts as all that was reserved for it. */
export function mostSpent(expenses: readonly Expense[]): { tokens: number; costUsd: number } {
  const spent = { tokens: 0, costUsd: 0 };
  for (const { tokens, isUncounted, costUsd, isKnown, isPossible, reserved } of expenses) {
    // Without a price the tokens are known all the same.
    spent.tokens += isPossible || isUncounted ? reserved.tokens : totalTokens(tokens);
    spent.costUsd += isPossible || !isKnown ? reserved.costUsd : costUsd;
  }
  return spent;
}

/** Largest first. `dayOf` is handed in because a day depends on where the user is. */
export function spendingBy(
  expenses: readonly Expense[],
  key: SpendingKey,
  dayOf: (atMs: number) => string,
): readonly Sum[] {
  const groups = Map.groupBy(expenses, (each) => (key === 'day' ? dayOf(each.atMs) : each[key]));
  const sums = [...groups].map(([name, group]) => sumOf(name, group));
  return key === 'day'
    ? sums.toSorted(byName)
    : sums.toSorted((a, b) => b.costUsd - a.costUsd || byName(a, b));
}

export function sumOf(name: string, expenses: readonly Expense[]): Sum {
  const count = (fits: (expense: Expense) => boolean) => expenses.filter(fits).length;
  return {
    name,
    calls: expenses.length,
    tokens: expenses.reduce((sum, { tokens }) => addTokens(sum, tokens), noTokens),
    costUsd: expenses.reduce((sum, { costUsd }) => sum + costUsd, 0),
    callsOfUnknownTokens: count(({ isUncounted }) => isUncounted),
    callsOfUnknownCost: count(({ isKnown }) => !isKnown),
    possiblyBilled: count(({ isPossible, kind }) => isPossible && kind === 'live'),
    possiblyUsd: expenses.reduce((sum, expense) => sum + possibleUsd(expense), 0),
    isFree: expenses.length > 0 && expenses.every(({ kind }) => kind !== 'live'),
    kinds: [...new Set(expenses.map(({ kind }) => kind))].sort(),
  };
}

function possibleUsd({ isPossible, kind, reserved }: Expense): number {
  return isPossible && kind === 'live' ? reserved.costUsd : 0;
}

function byName(a: Sum, b: Sum): number {
  return a.name < b.name ? -1 : 1;
}
