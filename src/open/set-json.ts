/** A run-set as a result for programs: the same for the command line and the page. Pure folds. */

import type { SetRow } from '../core/store.ts';
import { totalSpend } from '../core/totals.ts';
import { addTokens, noTokens, type Tokens } from '../core/usage.ts';
import { answerLine } from '../notes/answer.ts';
import { type RunSet, setOf } from '../studies/run-set/plan.ts';
import type { RowResult } from '../studies/run-set/rows.ts';
import { duration, formatDollars } from '../text/format.ts';
import { text } from '../text/json.ts';
import {
  allModels,
  freeReason,
  modelsText,
  outcomeText,
  partText,
  possiblyBilledCalls,
  sharedBudgetText,
  toolCallsOf,
} from '../text/labels.ts';

export type SetResult = {
  readonly set: RunSet;
  /** Why it ended; null while something is missing. */
  readonly reason: string | null;
  /** The process that is at work on it. */
  readonly pid: number | null;
  readonly rows: readonly RowResult[];
};

/** Why a set has ended. */
export const setReasons: Readonly<Record<string, string>> = {
  done: 'every row has ended',
  solved: 'a row has solved it, the rest was cancelled',
  answered: 'a row has an answer that its agent accepts, the rest was cancelled',
  budget: 'the budget has no room for more',
};

/** As a list shows it. */
export function setRowJson(row: SetRow) {
  const { plan } = setOf(row);
  const { id, createdAtMs, owner, ending } = row;
  const state = owner ? 'running' : ending ? text(ending, 'reason') : 'interrupted';
  return { id, createdAtMs, name: plan.name, rows: plan.rows.length, state, pid: owner?.pid ?? null };
}

/** `5 solved, 2 missing` */
export function countsText(rows: readonly Pick<RowResult, 'state' | 'view'>[]): string {
  const groups = Map.groupBy(rows, outcomeOf);
  return [...groups].map(([outcome, { length }]) => `${length} ${outcome}`).join(', ');
}

export function formatSpent(rows: readonly Pick<RowResult, 'view'>[]): string {
  const runViews = rows.flatMap(({ view }) => view ?? []);
  if (runViews.length > 0 && runViews.every((view) => freeReason(allModels(view)) !== null)) return 'free';
  const cost = runViews.reduce((sum, { totals }) => sum + totals.costUsd, 0);
  const isUnknown = runViews.some(({ totals }) => totals.callsOfUnknownCost > 0);
  return `${partText(isUnknown ? null : cost, cost, formatDollars)} spent`;
}

export function outcomeOf({ state, view }: Pick<RowResult, 'state' | 'view'>): string {
  const end = view?.end;
  // What the budget cut short can be gone on with, and has a result all the same.
  if (end?.cutShort && (state === 'ended' || state === 'interrupted'))
    return end.outcome === 'limit' ? sharedBudgetText : `${sharedBudgetText} (${end.outcome})`;
  if (end && state === 'ended') return outcomeText(end);
  // A resume goes on with it.
  if (end?.outcome === 'cancelled' && state === 'interrupted') return outcomeText(end);
  return state === 'missing' ? 'not begun' : state;
}

export function tokensOfRows(rows: readonly RowResult[]): Tokens {
  return rows.reduce((sum, { view }) => addTokens(sum, view?.totals.tokens ?? noTokens), noTokens);
}

/** Null where any of them are unknown. */
export function sumKnownTokens(rows: readonly RowResult[]): Tokens | null {
  const isUnknown = rows.some(({ view }) => (view?.totals.callsOfUnknownTokens ?? 0) > 0);
  return isUnknown ? null : tokensOfRows(rows);
}

/** How long it may still take, and what that is from; null where nothing is at work or nothing has ended yet. */
export function formatEta({ set, pid, rows }: Pick<SetResult, 'set' | 'pid' | 'rows'>): string | null {
  const ended = rows.filter(({ state }) => state === 'ended');
  const open = rows.filter(({ state }) => state !== 'ended');
  if (pid === null || ended.length === 0 || open.length === 0) return null;
  const usualMs = ended.reduce((sum, { view }) => sum + (view?.aliveMs ?? 0), 0) / ended.length;
  const left = open.map(({ view }) => Math.max(0, usualMs - (view?.aliveMs ?? 0)));
  const atOnce = Math.min(set.plan.concurrency, open.length);
  const leftMs = Math.max(left.reduce((sum, ms) => sum + ms, 0) / atOnce, ...left.slice(0, atOnce));
  return `about ${duration(leftMs)} left: ${open.length} to go as long as the ${ended.length} that have ended (${duration(usualMs)} each), ${atOnce} at once`;
}

export function setJson({ set, rows, reason, pid }: SetResult) {
  const { name, concurrency, budget, stopWhen, stopWithin = 'set' } = set.plan;
  const runViews = rows.flatMap(({ view }) => view ?? []);
  const isKnown = runViews.every(({ totals }) => totals.callsOfUnknownCost === 0);
  const costUsd = runViews.reduce((sum, { totals }) => sum + totals.costUsd, 0);
  return {
    id: set.id,
    name,
    createdAtMs: set.createdAtMs,
    /** Null while something is missing. */
    ended: reason,
    pid,
    concurrency,
    budget,
    stopWhen,
    stopWithin,
    totals: {
      tokens: sumKnownTokens(rows),
      knownTokens: tokensOfRows(rows),
      costUsd: isKnown ? costUsd : null,
      knownCostUsd: costUsd,
    },
    rows: rows.map(rowJson),
  };
}

export function rowJson(row: RowResult) {
  const { index, plan, runId, state, host = null, view } = row;
  const totals = view?.totals;
  const spent = totals && totalSpend(totals);
  return {
    row: index + 1,
    name: plan.name,
    run: runId,
    host,
    state,
    outcome: view?.end?.outcome ?? null,
    answer: answerLine(view?.end ?? null, Infinity),
    limit: view?.end?.limit ?? null,
    correct: view?.end?.grade?.correct ?? null,
    score: view?.end?.grade?.score ?? null,
    problem: view?.header?.problem.id ?? null,
    agent: plan.agent,
    models: plan.models,
    modelKinds: view ? [...new Set(Object.values(allModels(view)).map(({ kind }) => kind))] : [],
    label: view && freeReason(allModels(view)) ? modelsText(allModels(view)) : null,
    modelCalls: totals?.modelCalls ?? 0,
    toolCalls: totals ? toolCallsOf(totals) : 0,
    tokens: spent?.tokens ?? null,
    knownTokens: totals?.tokens ?? noTokens,
    costUsd: spent ? spent.costUsd : 0,
    possiblyBilled: view ? possiblyBilledCalls(view, state) : 0,
    aliveMs: view?.aliveMs ?? 0,
  };
}
