/** A run as a result for programs: the same for the command line and the page. Pure folds. */
import { describePartialText } from '../core/cut-off.ts';
import type { RunView, StageView } from '../core/fold.ts';
import type { Json } from '../core/json.ts';
import { unsafeLabel } from '../core/sandbox.ts';
import { type Expense, type SpendingKey, type Sum, spendingBy, sumOf } from '../core/spending.ts';
import type { RunRow } from '../core/store.ts';
import { type Totals, totalSpend } from '../core/totals.ts';
import { cacheHitRate } from '../core/usage.ts';
import { answerLine } from '../notes/answer.ts';
import { goldOf, withoutGold } from '../notes/note.ts';
import { count, formatDollars, formatTimestamp } from '../text/format.ts';
import { text } from '../text/json.ts';
import {
  allModels,
  formatAmount,
  labelOf,
  limitNames,
  partText,
  possiblyBilledCalls,
  toolCallsOf,
} from '../text/labels.ts';
import { placeOf } from './user-code/guard.ts';

type RunState = 'running' | 'interrupted' | 'ended';

export function stateOf(row: Pick<RunRow, 'ended' | 'owner'>): RunState {
  if (row.ended) return 'ended';
  return row.owner ? 'running' : 'interrupted';
}

/** `metrics`: those of its app; null where it has none. */
type RunAsJson = {
  readonly row: RunRow;
  readonly view: RunView;
  readonly metrics: { readonly json: Json } | null;
};

/** What `--json` says of a run. Costs and tokens that are not known are null. */
export function runJson({ row, view, metrics }: RunAsJson) {
  const { header, end } = view;
  const sandbox = header?.sandbox ?? null;
  return {
    id: row.id,
    state: stateOf(row),
    pid: row.owner?.pid ?? null,
    /** That had it last; null where the store is one machine's. */
    host: row.host ?? null,
    outcome: end?.outcome ?? null,
    limit: end?.limit ?? null,
    /** In one line: what was handed in, or the answers to the parts. Null: nothing. */
    answer: answerLine(end, Infinity),
    explanation: explanationOf(view),
    problem: text(row.summary, 'problem'),
    title: text(row.summary, 'title'),
    agent: text(row.summary, 'agent'),
    models: Object.entries(allModels(view)).map(([role, { spec, baseUrl = null, kind, settings = {} }]) => ({
      role,
      model: spec,
      /** Where its user said that it is, on the command line. */
      baseUrl,
      kind,
      label: labelOf(kind),
      settings,
    })),
    /** Where its programs ran; null where none could. */
    sandbox: sandbox && {
      backend: sandbox.backend,
      version: sandbox.version,
      label: unsafeLabel(sandbox),
    },
    settings: header?.agent.settings ?? {},
    /** Files of the user's that brought agent, family or models; missing where all came with Polya. */
    code: header?.code,
    limits: header?.limits ?? {},
    createdAtMs: row.createdAtMs,
    aliveMs: view.aliveMs,
    lives: view.lives,
    forkOf: row.parent,
    events: row.lastSeq,
    stages: stagesOf(view).map((stage) => ({
      stage: stage.stage,
      solved: stage.isDone && !stage.isUnjudged,
      answered: stage.isDone,
      aliveMs: stage.aliveMs,
      ...totalsToJson(stage.totals),
    })),
    totals: totalsToJson(view.totals),
    /** The part of the totals that the run took over from its parent, paid there. */
    inherited: totalsToJson(view.inherited),
    possiblyBilled: possiblyBilledCalls(view, stateOf(row)),
    /** Of Advent of Code, docs/aoc.md says what they are; null where the app of the run has none. */
    metrics: metrics?.json ?? null,
  };
}

/** Without the empty rest that follows the last stage. */
export function stagesOf(view: RunView): readonly StageView[] {
  return view.stages.filter(
    ({ stage, totals }) => stage !== '' || totals.modelCalls > 0 || toolCallsOf(totals) > 0,
  );
}

/** Why it ended as it did. */
export function explanationOf({ end, header }: RunView): string {
  if (!end) return '';
  const { outcome, error, grade, solution, limit } = end;
  const detail = outcome === 'solved' ? undefined : solution?.detail;
  const most = limit === undefined || limit === 'context' ? undefined : header?.limits[limit];
  const reached =
    limit &&
    most !== undefined &&
    `The limit of ${formatAmount(limit, most)} (${limitNames[limit]}) is reached.`;
  const place = error?.stack && placeOf(error);
  const failed = place ? `${error.message} (thrown at ${place})` : error?.message;
  const received = describePartialText(error?.model?.partialText);
  return [failed, received, reached, grade?.explanation, detail].filter(Boolean).join(' ');
}

/** For the page: where it is wrong, its gold answer stays hidden until somebody asks for it. */
export function explanationWithoutGold(view: RunView): string {
  const { grade } = view.end ?? {};
  const gold = grade?.correct === false ? text(grade.data, 'gold') || goldOf(view.header) : null;
  return withoutGold(explanationOf(view), gold);
}

function totalsToJson(totals: Totals) {
  const { modelCalls, failedModelCalls, failedToolCalls, programs } = totals;
  return {
    modelCalls,
    failedModelCalls,
    toolCalls: toolCallsOf(totals),
    toolCallsByName: totals.toolCalls,
    failedToolCalls,
    programs,
    tokens: totalSpend(totals).tokens,
    knownTokens: totals.tokens,
    /** The share of the known tokens; null if none was sent. */
    cacheHitRate: cacheHitRate(totals.tokens),
    costUsd: totalSpend(totals).costUsd,
    knownCostUsd: totals.costUsd,
  };
}

export type Spending = { readonly sums: readonly Sum[]; readonly total: Sum };

export function spendingOf(expenses: readonly Expense[], by: SpendingKey): Spending {
  return { sums: spendingBy(expenses, by, dayOf), total: sumOf('total', expenses) };
}

function dayOf(atMs: number): string {
  return formatTimestamp(atMs).slice(0, 'YYYY-MM-DD'.length);
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
export function formatSpent({ isFree, kinds, costUsd, callsOfUnknownCost }: Sum): string {
  if (isFree) return `free (${kinds.join(', ')})`;
  return partText(callsOfUnknownCost > 0 ? null : costUsd, costUsd, formatDollars);
}

/** Calls without a settlement; empty if there are none. */
export function formatPossiblyBilled({ possiblyBilled, possiblyUsd }: Sum): string {
  if (possiblyBilled === 0) return '';
  const error = `${count(possiblyBilled, 'call')} broken off or lost, not in the sums`;
  return `${error}: if billed, ${formatDollars(possiblyUsd)} at most.`;
}
