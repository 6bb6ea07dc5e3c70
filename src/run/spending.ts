/** What the journals of a store say was spent, call by call, without reading blobs. What a fork took over is its parent's. */
import type { ModelHeader } from '../core/event.ts';
import type { Damage } from '../core/journal-decoder.ts';

import { isJsonObject, type Json, type JsonObject, jsonIn } from '../core/json.ts';
import type { Expense } from '../core/spending.ts';
import { type EventRow, PartlyUnreadable, type RunFilter, type RunRow, type Store } from '../core/store.ts';
import { believed, noTokens, type Usage } from '../core/usage.ts';
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
    const found = await expensesOf(store, row, ({ seq, reason }) =>
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
    if (!(error instanceof PartlyUnreadable)) throw error;
    onUnread(error);
    return error.whole;
  }
}

/** For a damaged journal, the part before the damage. */
export async function expensesOf(
  store: Store,
  run: RunRow,
  onDamage: (damage: Damage) => void = () => undefined,
): Promise<readonly Expense[]> {
  const asked = new Map<string, { request: JsonObject; isOpen: boolean; atMs: number }>();
  const kinds = new Map<string, string>();
  const expenses: Expense[] = [];
  const spend = (request: JsonObject, atMs: number, spent: Spent): void => {
    expenses.push({ ...placeOf(run, request, kinds), atMs, reserved: reservedIn(request), ...spent });
  };
  const lose = (diedAtMs?: number): void => {
    for (const [key, { request, isOpen, atMs }] of asked) {
      if (isOpen) spend(request, diedAtMs ?? atMs, lost);
      asked.set(key, { request, isOpen: false, atMs });
    }
  };
  const read = (row: EventRow): void => {
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
  };
  for await (const { rows, gap } of pagesOf(store, run.id, run.parent?.seq ?? 0, run.lastSeq)) {
    for (const row of rows) read(row);
    if (gap) onDamage(gap);
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
  const known = usage ? believed(usage as unknown as Usage) : undefined;
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
