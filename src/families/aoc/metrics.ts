/**
 * What a run is measured by, part by part, under the names of the specification. A pure fold over the run's events: any
 * journal gives the same numbers at any time. A null means that nobody knows, never that there was nothing.
 */
import type { Event, Header } from '../../core/event.ts';
import { foldRun, noTotals, type RunView, type Totals } from '../../core/fold.ts';
import { totalTokens } from '../../core/usage.ts';
import { causeOf, type ErrorType, type Failure, failureOf } from './failure.ts';
import { type ToolStep, toolStepsOf } from './tool-steps.ts';

const toolNames = ['DownloadProblemStatement', 'DownloadInput', 'RunGeneratedCode', 'SubmitAnswer'] as const;

type PartMetrics = {
  readonly success: boolean;
  /** Null for a part that is solved. */
  readonly errorType: ErrorType | null;
  /** Time alive, locks of the site that were waited out included, downtime excluded. */
  readonly timeSpentSeconds: number;
  readonly waitedSeconds: number;
  /** Prompts and completions; null where a provider did not say. */
  readonly tokensUsed: number | null;
  /** The four tools, and whatever else the model called. */
  readonly toolCallCounts: Readonly<Record<string, number>>;
  readonly lastFailure: Failure | null;
};

type OfPart<Part extends 1 | 2> = {
  readonly [K in `success_part${Part}`]: boolean;
} & { readonly [K in `error_type_part${Part}`]: ErrorType | null } & {
  readonly [K in `time_spent_part${Part}`]: number;
} & { readonly [K in `tokens_used_part${Part}`]: number | null } & {
  readonly [K in `tool_call_counts_part${Part}`]: Readonly<Record<string, number>>;
} & { readonly [K in `waited_seconds_part${Part}`]: number } & {
  readonly [K in `last_failure_part${Part}`]: Failure | null;
};

export type AocMetrics = {
  readonly run_id: string;
  readonly site: string;
  readonly year: number;
  readonly day: number;
  readonly lang: string;
  readonly model: string;
  /** `live`; or `script`, `recording`, `person`: then no model was asked. */
  readonly model_kind: string;
  readonly toolchain: string;
  readonly level: string;
  /** The back-end that ran the programs; `none`: without a sandbox. */
  readonly sandbox: string;
  /** How the run ended; null where it has not. */
  readonly outcome: string | null;
  readonly cost_usd: number | null;
  readonly reminders: number;
} & OfPart<1> &
  OfPart<2>;

/** Null where the events are not of an Advent of Code run. */
export function aocMetrics(events: readonly Event[]): AocMetrics | null {
  const view = foldRun(events);
  const { header } = view;
  if (header?.problem.family !== 'aoc') return null;
  const steps = toolStepsOf(events);
  return {
    ...headerMetrics(header),
    outcome: view.end?.outcome ?? null,
    cost_usd: view.totals.callsOfUnknownCost > 0 ? null : view.totals.costUsd,
    reminders: events.filter((event) => event.kind === 'note' && event.body.kind === 'reminder').length,
    ...partOne(partMetrics(view, steps, 'part1')),
    ...partTwo(partMetrics(view, steps, 'part2')),
  };
}

function headerMetrics({ runId, problem, models, sandbox }: Header) {
  const { site, year, day, lang } = problem.reference;
  const used = Object.values(models);
  return {
    run_id: runId,
    site: String(site),
    year: Number(year),
    day: Number(day),
    lang: String(lang),
    model: [...new Set(used.map(({ spec }) => spec))].join(', '),
    model_kind: [...new Set(used.map(({ kind }) => kind))].join(', '),
    toolchain: String(problem.detail.toolchain ?? ''),
    level: String(problem.detail.level ?? ''),
    sandbox: sandbox?.backend ?? '',
  };
}

function partMetrics(view: RunView, steps: readonly ToolStep[], stage: 'part1' | 'part2'): PartMetrics {
  const stageView = view.stages.find((each) => each.stage === stage);
  const own = steps.filter((step) => step.stage === stage);
  const totals = stageView?.totals ?? noTotals;
  const success = stage === 'part1' ? isSolved(own) : isSecondSolved(steps);
  return {
    success,
    errorType: success ? null : stageView ? causeOf(view, own) : 'not_attempted',
    timeSpentSeconds: seconds(stageView?.aliveMs ?? 0),
    waitedSeconds: seconds(own.reduce((sum, step) => sum + waitedMs(step), 0)),
    tokensUsed: totals.callsOfUnknownTokens > 0 ? null : totalTokens(totals.tokens),
    toolCallCounts: countsOf(totals),
    lastFailure: own.map(failureOf).findLast((failure) => failure !== null) ?? null,
  };
}

/** Part 2 is not solved by somebody who has not solved part 1. */
function isSecondSolved(steps: readonly ToolStep[]): boolean {
  const of = (stage: string) => steps.filter((step) => step.stage === stage);
  return isSolved(of('part1')) && (isSolved(of('part2')) || hasSecondStar(steps));
}

function isSolved(steps: readonly ToolStep[]): boolean {
  return steps.some(({ tool, end }) => {
    return tool === 'SubmitAnswer' && end.status === 'ok' && end.data.verdict === 'right';
  });
}

/** The last day of an event has one part to answer; its second star comes by itself, or has not come yet. */
function hasSecondStar(steps: readonly ToolStep[]): boolean {
  return steps.some(({ tool, end }) => {
    const isAnswer = tool === 'SubmitAnswer' && end.status === 'ok' && end.data.verdict === 'right';
    return isAnswer && end.data.isOnlyPart === true && end.data.stars === 2;
  });
}

function waitedMs({ end }: ToolStep): number {
  return end.status === 'ok' && typeof end.data.waitedMs === 'number' ? end.data.waitedMs : 0;
}

function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}

function countsOf({ toolCalls }: Totals): Record<string, number> {
  const zeros = Object.fromEntries(toolNames.map((name) => [name, 0]));
  return { ...zeros, ...toolCalls };
}

function partOne(part: PartMetrics): OfPart<1> {
  return {
    success_part1: part.success,
    error_type_part1: part.errorType,
    time_spent_part1: part.timeSpentSeconds,
    tokens_used_part1: part.tokensUsed,
    tool_call_counts_part1: part.toolCallCounts,
    waited_seconds_part1: part.waitedSeconds,
    last_failure_part1: part.lastFailure,
  };
}

function partTwo(part: PartMetrics): OfPart<2> {
  return {
    success_part2: part.success,
    error_type_part2: part.errorType,
    time_spent_part2: part.timeSpentSeconds,
    tokens_used_part2: part.tokensUsed,
    tool_call_counts_part2: part.toolCallCounts,
    waited_seconds_part2: part.waitedSeconds,
    last_failure_part2: part.lastFailure,
  };
}
