/** A run-set as a table, as JSON and as CSV: its rows, what came of them and what they cost. Pure. */
import { csvCell } from '../core/csv.ts';
import { spentOf } from '../core/fold.ts';
import { addTokens, noTokens, type Tokens } from '../core/usage.ts';
import type { RunSet } from '../studies/run-set/plan.ts';
import type { RowResult } from '../studies/run-set/rows.ts';
import { count, dollars, duration, grouped, oneLine } from '../text/format.ts';
import {
  allModels,
  cacheText,
  costText,
  freeBecause,
  limitNames,
  modelsText,
  outcomeText,
  possiblyBilledOf,
  sharedBudgetText,
  tokensText,
  toolCallsOf,
} from '../text/labels.ts';
import { table } from '../text/table.ts';
import type { Output } from './contract.ts';
import { limitsText } from './estimate.ts';

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

export function setText(output: Output, { set, rows, reason, pid }: SetResult): string {
  const { name, budget } = set.plan;
  const ended = reason && (setReasons[reason] ?? reason);
  const state = ended ?? (pid ? `running in process ${pid}` : 'something is missing');
  const within = limitsText(budget);
  const hits = cacheText(tokensOf(rows));
  const facts = [
    `${output.paint('strong', `Run-set ${set.id}`)}: ${oneLine(name)}; ${state}`,
    `${count(rows.length, 'row')}, ${countsText(rows)}; ${spentText(rows)}${within === 'none' ? '' : ` of ${within}`}`,
    hits && `Cache: ${hits}.`,
    inDoubtText(rows, Object.keys(budget).length > 0),
  ];
  const head = ['row', 'run', 'outcome', 'model calls', 'tool calls', 'tokens', 'cost', 'time'];
  return `${facts.filter(Boolean).join('\n')}\n\n${table(output, head, rows.map(cells))}`;
}

function inDoubtText(rows: readonly RowResult[], hasBudget: boolean): string {
  const lost = rows.reduce((sum, row) => sum + inDoubt(row), 0);
  if (lost === 0) return '';
  const told = `${count(lost, 'call')} broken off or lost may have been billed`;
  const much = '(`polya cost` tells how much)';
  if (!hasBudget) return `${told} ${much}.`;
  return `${told}: the budget counts all that ${lost === 1 ? 'it' : 'they'} may have cost ${much}.`;
}

/** The replies of a script are not billed. */
function inDoubt({ view, state }: RowResult): number {
  return view && !freeBecause(allModels(view)) ? possiblyBilledOf(view, state) : 0;
}

function tokensOf(rows: readonly RowResult[]): Tokens {
  return rows.reduce((sum, { view }) => addTokens(sum, view?.totals.tokens ?? noTokens), noTokens);
}

/** `5 solved, 2 missing` */
export function countsText(rows: readonly Pick<RowResult, 'state' | 'view'>[]): string {
  const groups = Map.groupBy(rows, outcomeOf);
  return [...groups].map(([outcome, { length }]) => `${length} ${outcome}`).join(', ');
}

export function spentText(rows: readonly Pick<RowResult, 'view'>[]): string {
  const views = rows.flatMap(({ view }) => view ?? []);
  if (views.length > 0 && views.every((view) => freeBecause(allModels(view)) !== null)) return 'free';
  const cost = views.reduce((sum, { totals }) => sum + totals.costUsd, 0);
  const isUnknown = views.some(({ totals }) => totals.callsOfUnknownCost > 0);
  return `${dollars(cost)}${isUnknown ? ' + unknown' : ''} spent`;
}

export function outcomeOf({ state, view }: Pick<RowResult, 'state' | 'view'>): string {
  const end = view?.end;
  // What the budget cut short can be gone on with, and has a result all the same.
  if (end?.cutShort && (state === 'ended' || state === 'interrupted'))
    return end.outcome === 'limit' ? sharedBudgetText : `${sharedBudgetText} (${end.outcome})`;
  if (end && state === 'ended') return outcomeText(end);
  return state === 'missing' ? 'not begun' : state;
}

function cells(row: RowResult): readonly (string | number)[] {
  const { plan, runId, view } = row;
  const begun = [plan.name, runId, outcomeOf(row)];
  if (!view) return [...begun, '', '', '', '', ''];
  const { totals } = view;
  const calls = [grouped(totals.modelCalls), toolCallsOf(totals), tokensText(totals)];
  return [...begun, ...calls, costText(totals, allModels(view)), duration(view.aliveMs)];
}

export function setJson({ set, rows, reason, pid }: SetResult) {
  const { name, concurrency, budget, stopWhen, stopWithin = 'set' } = set.plan;
  const views = rows.flatMap(({ view }) => view ?? []);
  const isKnown = views.every(({ totals }) => totals.callsOfUnknownCost === 0);
  const costUsd = views.reduce((sum, { totals }) => sum + totals.costUsd, 0);
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
    totals: { tokens: tokensOf(rows), costUsd: isKnown ? costUsd : null, knownCostUsd: costUsd },
    rows: rows.map(rowJson),
  };
}

export function rowJson(row: RowResult) {
  const { index, plan, runId, state, view } = row;
  const totals = view?.totals;
  const spent = totals && spentOf(totals);
  return {
    row: index + 1,
    name: plan.name,
    run: runId,
    state,
    outcome: view?.end?.outcome ?? null,
    limit: view?.end?.limit ?? null,
    correct: view?.end?.grade?.correct ?? null,
    score: view?.end?.grade?.score ?? null,
    problem: view?.header?.problem.id ?? null,
    agent: plan.agent,
    models: plan.models,
    modelKinds: view ? [...new Set(Object.values(allModels(view)).map(({ kind }) => kind))] : [],
    label: view && freeBecause(allModels(view)) ? modelsText(allModels(view)) : null,
    modelCalls: totals?.modelCalls ?? 0,
    toolCalls: totals ? toolCallsOf(totals) : 0,
    tokens: spent?.tokens ?? null,
    knownTokens: totals?.tokens ?? noTokens,
    costUsd: spent ? spent.costUsd : 0,
    possiblyBilled: view ? possiblyBilledOf(view, state) : 0,
    aliveMs: view?.aliveMs ?? 0,
  };
}

const columns = [
  ...['row', 'name', 'run', 'state', 'outcome', 'limit', 'correct', 'score', 'problem', 'agent', 'models'],
  ...['modelKinds', 'modelCalls', 'toolCalls', 'tokens', 'costUsd', 'possiblyBilled', 'aliveMs'],
] as const;

export function setCsv({ rows }: Pick<SetResult, 'rows'>): string {
  const lines = rows.map((row) => {
    const fields: Readonly<Record<string, unknown>> = rowJson(row);
    return columns.map((column) => csvField(fields[column])).join(',');
  });
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}

export function csvField(value: unknown): string {
  if (value === null || value === undefined) return '';
  return csvCell(typeof value === 'object' ? Object.values(value).join(' ') : String(value));
}

/** Of a row that has ended, one line. */
export function rowLine(row: RowResult): string {
  const { plan, view } = row;
  const { limit, cutShort } = view?.end ?? {};
  const ended = limit && !cutShort ? `limit (${limitNames[limit]})` : outcomeOf(row);
  const facts = view ? [costText(view.totals, allModels(view)), duration(view.aliveMs)] : [];
  return oneLine([`Row ${row.index + 1}, ${plan.name}: ${ended}`, ...facts].join(' · '));
}
