/** Reads the rows of run-sets for the page. Of a row that has ended only what is shown of it is kept. */

import type { RunView } from '../core/fold.ts';
import type { SetRow, Store } from '../core/store.ts';
import { totalTokens } from '../core/usage.ts';
import { answerLine } from '../notes/answer.ts';
import type { SetHead, SetRowItem } from '../notes/page-items.ts';
import { explanationWithoutGold } from '../open/run-json.ts';
import {
  countsText,
  formatEta,
  formatSpent,
  outcomeOf,
  rowJson,
  type SetResult,
  setReasons,
  tokensOfRows,
} from '../open/set-json.ts';
import type { SetLayout } from '../studies/run-set/layout.ts';
import { type RunSet, runIdOf } from '../studies/run-set/plan.ts';
import { type RowResult, stateOf } from '../studies/run-set/rows.ts';
import { grouped, oneLine, truncate } from '../text/format.ts';
import { text } from '../text/json.ts';
import { allModels, costText, formatAmount, tokensText } from '../text/labels.ts';
import type { Reader } from './reader.ts';

type Kept = { readonly mark: string; readonly result: RowResult };

export class SetReader {
  readonly #store: Store;
  readonly #reader: Reader;
  /** By run. */
  readonly #kept = new Map<string, Kept>();

  constructor(store: Store, reader: Reader) {
    this.#store = store;
    this.#reader = reader;
  }

  /** Each row as it is now; what has ended is not looked at again. */
  async *rows(set: RunSet): AsyncGenerator<RowResult> {
    for (const [index, plan] of set.plan.rows.entries()) {
      const runId = runIdOf(set, index);
      const kept = this.#kept.get(runId);
      if (kept?.result.state === 'ended') {
        yield kept.result;
        continue;
      }
      const row = await this.#store.get(runId);
      const mark = row ? `${row.lastSeq} ${row.ended} ${row.owner?.pid}` : '';
      if (kept?.mark === mark) {
        yield kept.result;
        continue;
      }
      const view = row ? (await this.#reader.journal(runId)).view : null;
      const state = stateOf(row, view?.end ?? null);
      if (state === 'ended') this.#reader.evict(runId);
      const runView = view && (state === 'ended' ? visibleView(view) : view);
      const result = { index, plan, runId, state, host: row?.host, view: runView };
      this.#kept.set(runId, { mark, result });
      yield result;
    }
  }
}

/** Without what is large and not shown: prompts, statement, the parts of its work. */
function visibleView(view: RunView): RunView {
  const { header } = view;
  if (!header) return view;
  const problem = { ...header.problem, statement: [], reference: {}, detail: {} };
  return { ...view, header: { ...header, problem, prompts: {} }, byRole: {}, stages: [], suspended: [] };
}

export function resultOf(row: SetRow, set: RunSet, rows: readonly RowResult[]): SetResult {
  const reason = text(row.ending ?? undefined, 'reason') || null;
  return { set, reason, pid: row.owner?.pid ?? null, rows };
}

export function headOf(result: SetResult, { lines, columns }: SetLayout): SetHead {
  const { set, reason, pid, rows } = result;
  const { name, budget, concurrency } = set.plan;
  const ended = reason && (setReasons[reason] ?? reason);
  const { costUsd, tokens } = budget;
  const limits = [
    costUsd === undefined ? '' : formatAmount('costUsd', costUsd),
    tokens === undefined ? '' : `${formatAmount('tokens', tokens)} tokens`,
  ].filter(Boolean);
  const used = totalTokens(tokensOfRows(rows));
  const spentUsd = rows.reduce((sum, { view }) => sum + (view?.totals.costUsd ?? 0), 0);
  const shares = [costUsd ? spentUsd / costUsd : 0, tokens ? used / tokens : 0];
  const canGoOn = pid === null && (reason === null || reason === 'budget');
  return {
    id: set.id,
    name,
    createdAtMs: set.createdAtMs,
    lines,
    columns,
    concurrency,
    endedAtMs: rows.every(({ state }) => state === 'ended')
      ? rows.reduce((last, { view }) => Math.max(last, view?.lastAtMs ?? 0), set.createdAtMs)
      : null,
    isRunning: pid !== null,
    state: ended ?? (pid === null ? 'something is missing' : `running in process ${pid}`),
    rows: set.plan.rows.length,
    isRead: rows.length === set.plan.rows.length,
    ended: rows.filter(({ state }) => state === 'ended').length,
    counts: countsText(rows),
    spent: formatSpent(rows),
    tokens: grouped(used),
    budget: limits.length > 0 ? limits.join(', ') : null,
    budgetShare: limits.length > 0 ? Math.min(1, Math.max(...shares)) : null,
    eta: formatEta(result),
    goOn: canGoOn
      ? `polya run-set resume ${set.id}${reason === 'budget' ? (costUsd === undefined ? ' --max-tokens N' : ' --budget USD') : ''}`
      : null,
  };
}

export function rowItem(row: RowResult, { places }: SetLayout): SetRowItem {
  const { index, plan, runId, view } = row;
  const { state, outcome, correct, score, problem, modelCalls } = rowJson(row);
  const { line = index, column = 0 } = places[index] ?? {};
  return {
    index,
    line,
    column,
    name: plan.name,
    run: runId,
    state,
    outcome,
    correct,
    score,
    modelCalls,
    host: row.host ?? null,
    outcomeText: outcomeOf(row),
    why: view ? truncate(oneLine(explanationWithoutGold(view)), 600) : '',
    answer: answerLine(view?.end ?? null) ?? '',
    title: view?.header?.problem.title ?? '',
    problem: problem ?? '',
    family: plan.family,
    tokens: view ? tokensText(view.totals) : '',
    tokenCount: view ? totalTokens(view.totals.tokens) : 0,
    costUsd: view && view.totals.callsOfUnknownCost === 0 ? view.totals.costUsd : null,
    cost: view ? costText(view.totals, allModels(view)) : '',
    aliveMs: view?.aliveMs ?? null,
  };
}
