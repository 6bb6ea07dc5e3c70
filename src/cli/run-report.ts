/** A run as a result: for people a summary with a table of its stages, for programs the same as JSON. Pure folds. */

import { modelsBehind } from '../core/event.ts';
import { type RunView, type StageView, spentOf, type Totals } from '../core/fold.ts';
import { type SandboxInfo, unsafeLabel } from '../core/sandbox.ts';
import type { RunRow } from '../core/store.ts';
import { cacheHitRate } from '../core/usage.ts';
import { placeOf } from '../open/user-code/failures.ts';
import { count, duration, moment } from '../text/format.ts';
import { text } from '../text/json.ts';
import {
  allModels,
  amountText,
  cacheText,
  costText,
  freeBecause,
  inheritedModels,
  labelOf,
  limitNames,
  modelsText,
  outcomeText,
  outcomeTone,
  possiblyBilledOf,
  tokensText,
  toolCallsOf,
} from '../text/labels.ts';
import { type Fact, factLines, table } from '../text/table.ts';
import type { Output, RunResult } from './contract.ts';

export type RunState = 'running' | 'interrupted' | 'ended';

export function stateOf(row: Pick<RunRow, 'ended' | 'owner'>): RunState {
  if (row.ended) return 'ended';
  return row.owner ? 'running' : 'interrupted';
}

/** What `--json` says of a run. Costs and tokens that are not known are null. */
export function runJson({ row, view, metrics }: RunResult) {
  const { header, end } = view;
  const sandbox = header?.sandbox ?? null;
  return {
    id: row.id,
    state: stateOf(row),
    pid: row.owner?.pid ?? null,
    outcome: end?.outcome ?? null,
    limit: end?.limit ?? null,
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
      solved: stage.isDone,
      aliveMs: stage.aliveMs,
      ...totalsJson(stage.totals),
    })),
    totals: totalsJson(view.totals),
    /** The part of the totals that the run took over from its parent, paid there. */
    inherited: totalsJson(view.inherited),
    possiblyBilled: possiblyBilledOf(view, stateOf(row)),
    /** Of Advent of Code, docs/aoc-metrics.md says what they are; null where the app of the run has none. */
    metrics: metrics?.json ?? null,
  };
}

export function runText(output: Output, { row, view, metrics }: RunResult): string {
  const { header, inherited } = view;
  const { parent } = row;
  const forked = parent ? `, as a fork of ${parent.run} after its event ${parent.seq}` : '';
  const taken = `${count(inherited.modelCalls, 'model call')}, ${tokensText(inherited)} tokens of the sums are the parent's, ${costText(inherited, inheritedModels(header))}`;
  const broken = possiblyBilledOf(view, stateOf(row));
  const lost = `${count(broken, 'model call')} broken off or lost; tokens and cost are not in the sums`;
  const isFree = header !== null && freeBecause(modelsBehind(header)) !== null;
  const facts: readonly Fact[] = [
    ['problem', `${text(row.summary, 'title')} (${text(row.summary, 'problem')})`],
    ['agent', text(row.summary, 'agent')],
    ['model', header ? modelsText(modelsBehind(header)) : 'unknown'],
    ...(header?.code ?? []).map(({ file, brings }) => ['code', `${brings.join(', ')} from ${file}`] as const),
    // The user's own, a line for each role that has some.
    ...Object.entries(header?.models ?? {}).map(([role, { settings }]) => {
      const set = Object.entries(settings ?? {}).map(([name, value]) => `${name}=${value}`);
      return ['setting', settings && `${role}: ${set.join(', ')}`] as const;
    }),
    ['begun', `${moment(row.createdAtMs)}${forked}`],
    ['sandbox', sandboxText(header?.sandbox ?? null)],
    ['result', explanationOf(view)],
    ['resumed', view.lives > 1 ? count(view.lives - 1, 'time') : null],
    ['taken over', inherited.modelCalls > 0 ? taken : null],
    ['cache', cacheText(view.totals.tokens)],
    ['broken off', broken > 0 && isFree ? `${lost}; nobody bills them` : null],
    ['possibly billed', broken > 0 && !isFree ? lost : null],
  ];
  const stages = header ? `\n${stageTable(output, view)}` : '';
  const parts = metrics ? `\n${metrics.table(output)}` : '';
  return `${title(output, row, view)}\n${factLines(output, facts, 16)}${stages}${parts}`;
}

function sandboxText(sandbox: SandboxInfo | null): string {
  return unsafeLabel(sandbox) ?? (sandbox ? `${sandbox.backend} ${sandbox.version}` : '');
}

function title(output: Output, row: RunRow, view: RunView): string {
  const state = stateOf(row);
  const outcome = view.end && state === 'ended' ? outcomeText(view.end) : state;
  const tone = state === 'running' ? 'accent' : outcomeTone(view.end?.outcome ?? null);
  const pid = row.owner ? ` in process ${row.owner.pid}` : '';
  return `${output.paint('strong', `Run ${row.id}`)}: ${output.paint(tone, outcome)}${pid}`;
}

function stageTable(output: Output, view: RunView): string {
  const models = allModels(view);
  const cells = (totals: Totals, aliveMs: number) => [
    ...[totals.modelCalls, toolCallsOf(totals), tokensText(totals), costText(totals, models)],
    duration(aliveMs),
  ];
  const stages = stagesOf(view);
  // Of a problem without stages, the total says it all.
  const told = stages.some(({ stage }) => stage !== '') ? stages : [];
  const rows = told.map(({ stage, isDone, totals, aliveMs }) => [
    stage || '(after)',
    stage === '' ? '' : isDone ? 'solved' : 'open',
    ...cells(totals, aliveMs),
  ]);
  const total = ['total', '', ...cells(view.totals, view.aliveMs)];
  const head = ['stage', '', 'model calls', 'tool calls', 'tokens', 'cost', 'time'];
  return table(output, head, [...rows, total]);
}

/** Without the empty rest that follows the last stage. */
function stagesOf(view: RunView): readonly StageView[] {
  return view.stages.filter(
    ({ stage, totals }) => stage !== '' || totals.modelCalls > 0 || toolCallsOf(totals) > 0,
  );
}

/** Why it ended as it did. */
function explanationOf({ end, header }: RunView): string {
  if (!end) return '';
  const { outcome, error, grade, solution, limit } = end;
  const detail = outcome === 'solved' ? undefined : solution?.detail;
  const most = limit && header?.limits[limit];
  const reached =
    limit &&
    most !== undefined &&
    `The limit of ${amountText(limit, most)} (${limitNames[limit]}) is reached.`;
  const place = error?.stack && placeOf(error);
  const failed = place ? `${error.message} (thrown at ${place})` : error?.message;
  return [failed, reached, grade?.explanation, detail].filter(Boolean).join(' ');
}

function totalsJson(totals: Totals) {
  const { modelCalls, failedModelCalls, failedToolCalls, programs } = totals;
  return {
    ...{ modelCalls, failedModelCalls, toolCalls: toolCallsOf(totals), toolCallsByName: totals.toolCalls },
    ...{ failedToolCalls, programs, tokens: spentOf(totals).tokens },
    knownTokens: totals.tokens,
    /** Of the known tokens; null where none was sent. */
    cacheHitRate: cacheHitRate(totals.tokens),
    costUsd: spentOf(totals).costUsd,
    knownCostUsd: totals.costUsd,
  };
}
