/** What the journals of a store say was spent, call by call, without reading blobs. What a fork took over is its parent's. */
import { z } from 'zod';
import type { Corruption } from '../core/journal-decoder.ts';
import { jsonIn } from '../core/json.ts';
import { type Expense, ExpenseReader, type Sum, sumOf } from '../core/spending.ts';
import { PartlyUnreadableError, type RunFilter, type RunRow, type Store } from '../core/store.ts';
import { pagesOf } from './load.ts';

/** Calls that ended, or were broken off, at this time or later. What cannot be read is told, and the rest returned. */
export async function readSpending(
  store: Store,
  sinceMs = 0,
  onUnread: (what: string) => void = () => undefined,
): Promise<readonly Expense[]> {
  const expenses: Expense[] = [];
  for (const row of await readableRuns(store, (error) => onUnread(error.message))) {
    if (row.lastAtMs < sinceMs) continue;
    const found = await readExpenses(store, row, ({ seq, reason }) =>
      onUnread(`The journal of run ${row.id} is damaged at event ${seq}: ${reason}.`),
    );
    expenses.push(...found.filter(({ atMs }) => atMs >= sinceMs));
  }
  return expenses;
}

/** The rows that can be read, the newest first. */
export async function readableRuns(
  store: Store,
  onUnread: (error: Error) => void,
  filter: RunFilter = {},
): Promise<readonly RunRow[]> {
  try {
    return await store.list(filter);
  } catch (error) {
    if (!(error instanceof PartlyUnreadableError)) throw error;
    onUnread(error);
    return error.whole;
  }
}

/** For a damaged journal, the part before the damage. */
export async function readExpenses(
  store: Store,
  run: RunRow,
  onDamage: (corruption: Corruption) => void = () => undefined,
): Promise<readonly Expense[]> {
  const reader = new ExpenseReader(run);
  for await (const { rows, gap } of pagesOf(store, run.id, run.parent?.seq ?? 0, run.lastSeq)) {
    for (const row of rows) reader.add({ ...row, body: jsonIn(row.body) });
    if (gap) onDamage(gap);
  }
  // A process that is gone has left its calls open; one that lives will settle them.
  if (!run.owner) reader.expireOpenCalls();
  return reader.expenses;
}

const amount = z.number().nonnegative();

/** As a run sums itself up at its end. */
const summarySchema = z.object({
  spent: z.object({
    own: z.object({
      name: z.string(),
      calls: amount,
      tokens: z.object({
        input: amount,
        cachedInput: amount,
        cacheWriteInput: amount.exactOptional(),
        output: amount,
        reasoning: amount,
      }),
      costUsd: amount,
      callsOfUnknownTokens: amount,
      callsOfUnknownCost: amount,
      possiblyBilled: amount,
      possiblyUsd: amount,
      isFree: z.boolean(),
      kinds: z.array(z.string()),
    }),
  }),
});

/** The sum of `readExpenses`. The journal of a run that has ended need not be opened. */
export async function totalSpent(store: Store, run: RunRow): Promise<Sum> {
  const summary = run.ended ? summarySchema.safeParse(run.summary).data : undefined;
  return summary?.spent.own ?? sumOf('', await readExpenses(store, run));
}
