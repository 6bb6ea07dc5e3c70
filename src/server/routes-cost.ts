/** What the journals of the store say was spent, as `polya cost` tells it. Of a run that has ended it is added up once. */
import { Hono } from 'hono';
import { type Expense, type Sum, spendingKeys } from '../core/spending.ts';
import type { CostLine, CostTable } from '../notes/page-items.ts';
import { formatPossiblyBilled, formatSpent, spendingOf, sumJson } from '../open/run-json.ts';
import { readableRuns, readExpenses } from '../run/spending.ts';
import { formatDollars } from '../text/format.ts';
import { rejectRequest } from './guard.ts';
import type { Routes } from './routes.ts';

export function costRoutes({ polya }: Routes): Hono {
  const { store } = polya.world;
  /** By run. */
  const known = new Map<
    string,
    { readonly mark: string; readonly expenses: readonly Expense[]; readonly unread: readonly string[] }
  >();
  const app = new Hono();

  app.get('/cost', async (context) => {
    const by = spendingKeys.find((key) => key === (context.req.query('by') ?? 'model'));
    if (!by) return rejectRequest(context, 400, `It is added up by one of ${spendingKeys.join(', ')}.`);
    const sinceMs = Number(context.req.query('sinceMs') ?? 0) || 0;
    const unread: string[] = [];
    const expenses: Expense[] = [];
    for (const row of await readableRuns(store, ({ message }) => unread.push(message))) {
      if (row.lastAtMs < sinceMs) continue;
      const mark = `${row.lastSeq} ${row.owner?.pid}`;
      const kept = known.get(row.id);
      const damages: string[] = [];
      const found =
        kept?.mark === mark
          ? kept
          : {
              mark,
              expenses: await readExpenses(store, row, ({ seq, reason }) =>
                damages.push(`The journal of run ${row.id} is damaged at event ${seq}: ${reason}.`),
              ),
              unread: damages,
            };
      known.set(row.id, found);
      unread.push(...found.unread);
      expenses.push(...found.expenses.filter(({ atMs }) => atMs >= sinceMs));
    }
    const { sums, total } = spendingOf(expenses, by);
    const table = {
      by,
      lines: sums.map(lineOf),
      total: lineOf(total),
      lost: formatPossiblyBilled(total),
      unread,
    };
    return context.json(table satisfies CostTable);
  });

  return app;
}

function lineOf(sum: Sum): CostLine {
  const { name, modelCalls, tokens, cacheHitRate, costUsd, knownCostUsd, possiblyBilled, free } =
    sumJson(sum);
  const known = { name, modelCalls, cacheHitRate, costUsd, knownCostUsd, possiblyBilled, free };
  return { ...known, input: tokens?.input ?? null, output: tokens?.output ?? null, cost: costOf(sum) };
}

/** Something that may have been billed makes a sum a lower bound, and nothing that is known is unknown. */
function costOf(sum: Sum): string {
  const { isFree, costUsd, callsOfUnknownCost, possiblyBilled } = sum;
  if (isFree || (callsOfUnknownCost === 0 && possiblyBilled === 0)) return formatSpent(sum);
  return costUsd > 0 ? `≥ ${formatDollars(costUsd)}` : 'unknown';
}
