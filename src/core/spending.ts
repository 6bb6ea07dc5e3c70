/** What was spent on what: an expense for each model call, added up by what the user asks for. */
import type { ModelHeader } from './event.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import type { EventRow, RunRow } from './store.ts';
import { addTokens, noTokens, type Tokens, totalTokens, trustedUsage, type Usage } from './usage.ts';

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
export function maxExpense(expenses: readonly Expense[]): { tokens: number; costUsd: number } {
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
    possiblyUsd: expenses.reduce((sum, expense) => sum + possibleCostUsd(expense), 0),
    isFree: expenses.length > 0 && expenses.every(({ kind }) => kind !== 'live'),
    kinds: [...new Set(expenses.map(({ kind }) => kind))].sort(),
  };
}

function possibleCostUsd({ isPossible, kind, reserved }: Expense): number {
  return isPossible && kind === 'live' ? reserved.costUsd : 0;
}

function byName(a: Sum, b: Sum): number {
  return a.name < b.name ? -1 : 1;
}

type CallEvent = Pick<EventRow, 'kind' | 'atMs' | 'branch' | 'ordinal' | 'attempt'> & {
  readonly body: unknown;
};

/** Finds the expenses in the events of a journal, which come in their order. */
export class ExpenseReader {
  readonly #run: Pick<RunRow, 'id' | 'summary'>;
  readonly #requests = new Map<string, { request: JsonObject; isOpen: boolean; atMs: number }>();
  readonly #kinds = new Map<string, string>();
  readonly #expenses: Expense[] = [];

  constructor(run: Pick<RunRow, 'id' | 'summary'>) {
    this.#run = run;
  }

  get expenses(): readonly Expense[] {
    return this.#expenses;
  }

  add({ kind, atMs, body: value, ...position }: CallEvent): void {
    // A torn line says nothing; what is whole is counted.
    const body = isJsonObject(value) ? value : {};
    if (kind === 'run-start' || kind === 'run-fork') recordModelKinds(this.#kinds, body.models);
    else if (kind === 'model-request')
      this.#requests.set(keyOf(position), { request: body, isOpen: true, atMs });
    else if (kind === 'run-resume') this.expireOpenCalls(atMs);
    else if (kind === 'model-response') {
      const request = this.#requests.get(keyOf(position))?.request ?? {};
      this.#requests.set(keyOf(position), { request, isOpen: false, atMs });
      if (body.status === 'cancelled') this.#recordExpense(request, atMs, lost);
      else if (body.status !== 'refused') this.#recordExpense(request, atMs, readPayment(body));
    }
  }

  /** Their process is gone. */
  expireOpenCalls(lostAtMs?: number): void {
    for (const [key, { request, isOpen, atMs }] of this.#requests) {
      if (isOpen) this.#recordExpense(request, lostAtMs ?? atMs, lost);
      this.#requests.set(key, { request, isOpen: false, atMs });
    }
  }

  #recordExpense(request: JsonObject, atMs: number, spent: Payment): void {
    this.#expenses.push({
      ...placeOf(this.#run, request, this.#kinds),
      atMs,
      reserved: readReservation(request),
      ...spent,
    });
  }
}

function recordModelKinds(kinds: Map<string, string>, models: Json | undefined): void {
  if (!isJsonObject(models)) return;
  for (const model of Object.values(models)) {
    const { spec, kind } = model as unknown as ModelHeader;
    kinds.set(spec, kind);
  }
}

function keyOf({ branch, ordinal, attempt }: Pick<EventRow, 'branch' | 'ordinal' | 'attempt'>): string {
  return `${branch}#${ordinal}.${attempt}`;
}

function placeOf(
  { id, summary }: Pick<RunRow, 'id' | 'summary'>,
  request: JsonObject,
  kinds: ReadonlyMap<string, string>,
) {
  const model = textOf(request.model);
  return {
    run: id,
    family: textOf(summary.family),
    problem: textOf(summary.problem),
    role: textOf(request.role),
    model,
    kind: kinds.get(model) ?? 'live',
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : 'unknown';
}

type Payment = Pick<Expense, 'tokens' | 'isUncounted' | 'costUsd' | 'isKnown' | 'isPossible'>;

/** An error without usage was billed for certain not. */
function readPayment({ status, usage }: JsonObject): Payment {
  const known = usage ? trustedUsage(usage as unknown as Usage) : undefined;
  const isFree = status !== 'ok' && !known;
  return {
    tokens: known?.tokens ?? noTokens,
    isUncounted: !isFree && !known?.tokens,
    costUsd: known?.costUsd ?? 0,
    isKnown: isFree || typeof known?.costUsd === 'number',
    isPossible: false,
  };
}

/** Broken off, or left open by a process that died: whether it was billed, nobody knows. */
const lost: Payment = {
  tokens: noTokens,
  isUncounted: false,
  costUsd: 0,
  isKnown: true,
  isPossible: true,
};

function readReservation({ reserve }: JsonObject): Expense['reserved'] {
  const { tokens, costUsd } = isJsonObject(reserve) ? reserve : {};
  return {
    tokens: typeof tokens === 'number' ? tokens : 0,
    costUsd: typeof costUsd === 'number' ? costUsd : 0,
  };
}
