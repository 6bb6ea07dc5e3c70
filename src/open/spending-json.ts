/** What was spent, as a result for programs and in words: the same for `polya cost` and the page. Pure folds. */
import type { Expense } from '../core/spending.ts';
import { type SpendingKey, type Sum, spendingBy, sumOf } from '../core/spending.ts';
import { cacheHitRate } from '../core/usage.ts';
import { count, dollars, moment } from '../text/format.ts';
import { partText } from '../text/labels.ts';

export type Spending = { readonly sums: readonly Sum[]; readonly total: Sum };

export function spendingOf(expenses: readonly Expense[], by: SpendingKey): Spending {
  return { sums: spendingBy(expenses, by, dayOf), total: sumOf('total', expenses) };
}

function dayOf(atMs: number): string {
  return moment(atMs).slice(0, 'YYYY-MM-DD'.length);
}

export function sumJson(sum: Sum) {
  const { name, calls, tokens, costUsd, isFree, callsOfUnknownTokens, callsOfUnknownCost } = sum;
  const { possiblyBilled, possiblyUsd } = sum;
  return {
    name,
    modelCalls: calls,
    /** Null where any of them are unknown. */
    tokens: callsOfUnknownTokens > 0 ? null : tokens,
    knownTokens: tokens,
    callsOfUnknownTokens,
    cacheHitRate: cacheHitRate(tokens),
    /** Null where any of it is unknown. */
    costUsd: callsOfUnknownCost > 0 ? null : costUsd,
    knownCostUsd: costUsd,
    callsOfUnknownCost,
    possiblyBilled,
    possiblyUsd,
    free: isFree,
  };
}

/** `free (script)`, `$1.20`, `at least $1.20`, `unknown` */
export function spentText({ isFree, kinds, costUsd, callsOfUnknownCost }: Sum): string {
  if (isFree) return `free (${kinds.join(', ')})`;
  return partText(callsOfUnknownCost > 0 ? null : costUsd, costUsd, dollars);
}

/** Calls without a settlement; empty if there are none. */
export function lostText({ possiblyBilled, possiblyUsd }: Sum): string {
  if (possiblyBilled === 0) return '';
  const lost = `${count(possiblyBilled, 'call')} broken off or lost, not in the sums`;
  return `${lost}: if billed, ${dollars(possiblyUsd)} at most.`;
}
