/**
 * What a run is measured by, part by part. A pure fold over the run's events: any journal gives the same numbers at any
 * time. A null means that the number is not known, never that there was nothing.
 */
import { csvCell } from '../../core/csv.ts';
import type { Event, Header } from '../../core/event.ts';
import { foldRun, type RunView } from '../../core/fold.ts';
import { noTotals } from '../../core/totals.ts';
import { totalTokens } from '../../core/usage.ts';
import { causeOf, type ErrorType, type Failure, lastFailure } from './failure.ts';
import { type ToolStep, toolStepsOf } from './tool-steps.ts';

type PartMetrics = {
  readonly success: boolean;
  /** Null for a part that is solved. */
  readonly error_type: ErrorType | null;
  /** In seconds alive: with locks of the site that were waited out, without downtime. */
  readonly time_spent: number;
  readonly waited_seconds: number;
  /** Prompts and completions; null where a provider did not say. */
  readonly tokens_used: number | null;
  /** The four tools, and any other names that the model called. */
  readonly tool_call_counts: Readonly<Record<string, number>>;
  readonly last_failure: Failure | null;
};

type OfPart<Part extends 1 | 2> = {
  readonly [Name in keyof PartMetrics as `${Name}_part${Part}`]: PartMetrics[Name];
};

export type AocMetrics = ReturnType<typeof headerMetrics> & {
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
    ...partMetrics(1, view, steps),
    ...partMetrics(2, view, steps),
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
    /** `live`; or `script`, `person`: then no model was asked. */
    model_kind: [...new Set(used.map(({ kind }) => kind))].join(', '),
    toolchain: String(problem.detail.toolchain ?? ''),
    level: String(problem.detail.level ?? ''),
    /** The back-end that ran the programs; `none`: without a sandbox. */
    sandbox: sandbox?.backend ?? '',
  };
}

const toolNames = ['DownloadProblemStatement', 'DownloadInput', 'RunGeneratedCode', 'SubmitAnswer'];

/** Each under its name with `_part1` or `_part2` behind it. */
function partMetrics<Part extends 1 | 2>(part: Part, view: RunView, steps: readonly ToolStep[]): OfPart<Part>;
function partMetrics(part: 1 | 2, view: RunView, steps: readonly ToolStep[]): object {
  const stage = view.stages.find((each) => each.stage === `part${part}`);
  const own = steps.filter((step) => step.stage === `part${part}`);
  const { toolCalls, tokens, callsOfUnknownTokens } = stage?.totals ?? noTotals;
  const success = isSolved(steps, part);
  const isMissing = (view.header?.problem.stages.length ?? 0) < part;
  const zeros = Object.fromEntries(toolNames.map((name) => [name, 0]));
  const metrics: PartMetrics = {
    success,
    error_type: success ? null : stage ? causeOf(view, own) : isMissing ? 'no_such_part' : 'not_attempted',
    time_spent: seconds(stage?.aliveMs ?? 0),
    waited_seconds: seconds(own.reduce((sum, step) => sum + waitTimeMs(step), 0)),
    tokens_used: callsOfUnknownTokens > 0 ? null : totalTokens(tokens),
    tool_call_counts: { ...zeros, ...toolCalls },
    last_failure: success ? null : lastFailure(own),
  };
  return Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`${name}_part${part}`, value]));
}

/** Part 2 counts once part 1 is solved. On the last day of an event its star comes by itself, or has not come yet. */
function isSolved(steps: readonly ToolStep[], part: 1 | 2): boolean {
  const right = steps.flatMap(({ tool, stage, end }) =>
    tool === 'SubmitAnswer' && end.status === 'ok' && end.data.verdict === 'right'
      ? [{ stage, data: end.data }]
      : [],
  );
  const isPartOneSolved = right.some(({ stage }) => stage === 'part1');
  if (part === 1 || !isPartOneSolved) return isPartOneSolved;
  return right.some(({ stage, data }) => stage === 'part2' || (data.isOnlyPart === true && data.stars === 2));
}

function waitTimeMs({ end }: ToolStep): number {
  return end.status === 'ok' && typeof end.data.waitedMs === 'number' ? end.data.waitedMs : 0;
}

function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}

const partColumns = 'success error_type time_spent waited_seconds tokens_used tool_call_counts last_failure';

/** In this order, in every table. */
const columns = [
  ...'run_id site year day lang model model_kind toolchain level sandbox outcome cost_usd reminders'.split(
    ' ',
  ),
  ...['part1', 'part2'].flatMap((part) => partColumns.split(' ').map((name) => `${name}_${part}`)),
];

/** Metrics of many runs as one table, a row a run, as RFC 4180 has it. */
export function metricsCsv(runs: readonly AocMetrics[]): string {
  const rows = runs.map((run) => {
    const values = new Map<string, unknown>(Object.entries(run));
    return columns.map((column) => cell(column, values.get(column)));
  });
  return [columns, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

/** An empty cell would be read as zero where a number is not known. */
function cell(column: string, value: unknown): string {
  if (value === null) return /^(?:cost_usd|tokens_used)/.test(column) ? 'unknown' : '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
