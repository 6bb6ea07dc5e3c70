/** Calls, tokens and dollars: how they are added up, and what of a sum is not known. */
import type { Event, Settlement } from './event.ts';
import { jsonIn } from './json.ts';
import { ExpenseReader, type Sum, sumOf } from './spending.ts';
import type { EventRow } from './store.ts';
import { addTokens, noTokens, type Tokens, totalTokens, type Usage } from './usage.ts';

/** Calls, tokens and dollars of a run, of a stage or of a role. */
export type Totals = {
  readonly modelCalls: number;
  /** Calls that ended without an answer: failed, refused or cancelled. */
  readonly failedModelCalls: number;
  readonly tokens: Tokens;
  /** Calls whose tokens are unknown; `tokens` is without them. */
  readonly callsOfUnknownTokens: number;
  readonly costUsd: number;
  /** Calls whose cost is unknown; `costUsd` is without them. */
  readonly callsOfUnknownCost: number;
  readonly toolCalls: Readonly<Record<string, number>>;
  readonly failedToolCalls: number;
  readonly programs: number;
};

/** Null where one call or more is unknown; the known part then stands beside it. */
export type TotalSpend = {
  readonly tokens: number | null;
  readonly knownTokens: number;
  readonly costUsd: number | null;
  readonly knownCostUsd: number;
};

export const noTotals: Totals = {
  modelCalls: 0,
  failedModelCalls: 0,
  tokens: noTokens,
  callsOfUnknownTokens: 0,
  costUsd: 0,
  callsOfUnknownCost: 0,
  toolCalls: {},
  failedToolCalls: 0,
  programs: 0,
};

/** Tokens and dollars of a sum, null where a part of them is not known. */
export function totalSpend(totals: Totals): TotalSpend {
  const knownTokens = totalTokens(totals.tokens);
  return {
    tokens: totals.callsOfUnknownTokens > 0 ? null : knownTokens,
    knownTokens,
    costUsd: totals.callsOfUnknownCost > 0 ? null : totals.costUsd,
    knownCostUsd: totals.costUsd,
  };
}

/** What the model calls of a run add up to so far, for a summary that is written at its end. */
export class SpendMeter {
  #totals = noTotals;
  #reader = new ExpenseReader({ id: '', summary: {} });

  add(event: Event): void {
    if (event.kind === 'run-fork') this.#reader = new ExpenseReader({ id: '', summary: {} });
    this.#reader.add(event);
    if (event.kind !== 'model-response' || event.body.status === 'refused') return;
    this.#totals = addTotals(this.#totals, modelCallTotals(event.body));
  }

  /** Of an earlier life: it may have been left open. */
  addRequest(row: EventRow): void {
    if (row.kind === 'model-request') this.#reader.add({ ...row, body: jsonIn(row.body) });
  }

  /** `own`: without the beginning that a fork took over. */
  get spent(): TotalSpend & Pick<Totals, 'modelCalls'> & { readonly own: Sum } {
    const { modelCalls } = this.#totals;
    return { modelCalls, ...totalSpend(this.#totals), own: sumOf('', this.#reader.expenses) };
  }
}

export function modelCallTotals(body: Settlement): Totals {
  const usage: Usage | undefined = 'usage' in body ? body.usage : undefined;
  const isFree = body.status !== 'ok' && !usage;
  return {
    ...noTotals,
    modelCalls: 1,
    failedModelCalls: body.status === 'ok' ? 0 : 1,
    tokens: usage?.tokens ?? noTokens,
    callsOfUnknownTokens: isFree || usage?.tokens ? 0 : 1,
    costUsd: usage?.costUsd ?? 0,
    callsOfUnknownCost: isFree || typeof usage?.costUsd === 'number' ? 0 : 1,
  };
}

export function addTotals(a: Totals, b: Totals): Totals {
  const toolCalls = new Map(Object.entries(a.toolCalls));
  // A model may call a tool `constructor`: names are looked up among our own only.
  for (const [name, count] of Object.entries(b.toolCalls)) {
    toolCalls.set(name, (toolCalls.get(name) ?? 0) + count);
  }
  return {
    modelCalls: a.modelCalls + b.modelCalls,
    failedModelCalls: a.failedModelCalls + b.failedModelCalls,
    tokens: addTokens(a.tokens, b.tokens),
    callsOfUnknownTokens: a.callsOfUnknownTokens + b.callsOfUnknownTokens,
    costUsd: a.costUsd + b.costUsd,
    callsOfUnknownCost: a.callsOfUnknownCost + b.callsOfUnknownCost,
    toolCalls: Object.fromEntries(toolCalls),
    failedToolCalls: a.failedToolCalls + b.failedToolCalls,
    programs: a.programs + b.programs,
  };
}
