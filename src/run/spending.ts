/** What the journals of a store say was spent, call by call, without reading blobs. What a fork took over is its parent's. */
import type { ModelHeader } from '../core/event.ts';

import { isJsonObject, type Json, type JsonObject, jsonIn } from '../core/json.ts';
import type { Expense } from '../core/spending.ts';
import type { EventRow, RunRow, Store } from '../core/store.ts';
import { noTokens, type Usage } from '../core/usage.ts';

/** Calls that ended, or were broken off, at this time or later. */
export async function readSpending(store: Store, sinceMs = 0): Promise<readonly Expense[]> {
  const expenses: Expense[] = [];
  for (const row of await store.list()) {
    if (row.lastAtMs >= sinceMs) expenses.push(...(await expensesOf(store, row)));
  }
  return expenses.filter(({ atMs }) => atMs >= sinceMs);
}

export async function expensesOf(store: Store, run: RunRow): Promise<readonly Expense[]> {
  const asked = new Map<string, { request: JsonObject; isOpen: boolean; atMs: number }>();
  const kinds = new Map<string, string>();
  const expenses: Expense[] = [];
  const spend = (request: JsonObject, atMs: number, spent: Spent): void => {
    expenses.push({ ...placeOf(run, request, kinds), atMs, reserved: reservedIn(request), ...spent });
  };
  const lose = (diedAtMs?: number): void => {
    for (const { request, isOpen, atMs } of asked.values())
      if (isOpen) spend(request, diedAtMs ?? atMs, lost);
  };
  for (const row of await store.events(run.id, run.parent?.seq ?? 0)) {
    const { kind, atMs } = row;
    const body = readable.has(kind) ? bodyOf(row) : {};
    if (kind === 'run-start' || kind === 'run-fork') learnKinds(kinds, body.models);
    else if (kind === 'model-request') asked.set(keyOf(row), { request: body, isOpen: true, atMs });
    else if (kind === 'run-resume') lose(atMs);
    else if (kind === 'model-response') {
      const request = asked.get(keyOf(row))?.request ?? {};
      asked.set(keyOf(row), { request, isOpen: false, atMs });
      if (body.status === 'cancelled') spend(request, atMs, lost);
      else if (body.status !== 'refused') spend(request, atMs, paid(body));
    }
  }
  // A process that is gone has left its calls open; one that lives will settle them.
  if (!run.owner) lose();
  return expenses;
}

const readable: ReadonlySet<string> = new Set(['run-start', 'run-fork', 'model-request', 'model-response']);

/** A torn line says nothing; what is whole is counted. */
function bodyOf({ body }: EventRow): JsonObject {
  const value = jsonIn(body);
  return isJsonObject(value) ? value : {};
}

function learnKinds(kinds: Map<string, string>, models: Json | undefined): void {
  if (!isJsonObject(models)) return;
  for (const model of Object.values(models)) {
    const { spec, kind } = model as unknown as ModelHeader;
    kinds.set(spec, kind);
  }
}

function keyOf({ branch, ordinal, attempt }: EventRow): string {
  return `${branch}#${ordinal}.${attempt}`;
}

function placeOf({ id, summary }: RunRow, request: JsonObject, kinds: ReadonlyMap<string, string>) {
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

type Spent = Pick<Expense, 'tokens' | 'isUncounted' | 'costUsd' | 'isKnown' | 'isPossible'>;

/** An error without usage was billed for certain not. */
function paid({ status, usage }: JsonObject): Spent {
  const known = usage as unknown as Usage | undefined;
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
const lost: Spent = {
  tokens: noTokens,
  isUncounted: false,
  costUsd: 0,
  isKnown: true,
  isPossible: true,
};

function reservedIn({ reserve }: JsonObject): Expense['reserved'] {
  const { tokens, costUsd } = isJsonObject(reserve) ? reserve : {};
  return {
    tokens: typeof tokens === 'number' ? tokens : 0,
    costUsd: typeof costUsd === 'number' ? costUsd : 0,
  };
}
