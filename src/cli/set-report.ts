/** A run-set as a table and as CSV, and how far it is: its rows, what came of them and what they cost. Pure. */
import { csvCell } from '../core/csv.ts';
import { mean } from '../core/statistics/bootstrap.ts';
import { type Interval, wilsonInterval } from '../core/statistics/proportion.ts';
import { type Tokens, totalTokens } from '../core/usage.ts';
import { answerLine } from '../notes/answer.ts';
import {
  countsText,
  formatEta,
  formatSpent,
  outcomeOf,
  rowJson,
  type SetResult,
  setReasons,
  sumKnownTokens,
  tokensOfRows,
} from '../open/set-json.ts';
import { isDone, type RowResult } from '../studies/run-set/rows.ts';
import { count, duration, formatDollars, grouped, oneLine } from '../text/format.ts';
import {
  allModels,
  cacheText,
  costText,
  freeReason,
  limitNames,
  limitsText,
  partText,
  possiblyBilledCalls,
  tokensText,
  toolCallsOf,
} from '../text/labels.ts';
import { table } from '../text/table.ts';
import { fitToWidth } from '../text/wrap.ts';
import type { Output } from './contract.ts';

export function setText(output: Output, { set, rows, reason, pid }: SetResult): string {
  const { name, budget } = set.plan;
  const state = setState({ reason, pid });
  const within = limitsText(budget);
  const hits = cacheText(tokensOfRows(rows));
  const entries = [
    `${output.paint('strong', `Run-set ${set.id}`)}: ${oneLine(name)}; ${state}`,
    `${count(rows.length, 'row')}, ${countsText(rows)}; ${formatSpent(rows)}${within === 'none' ? '' : ` of ${within}`}`,
    hits && `Cache: ${hits}.`,
    uncertainCallsText(rows, Object.keys(budget).length > 0),
  ];
  const head = ['row', 'run', 'outcome', 'answer', 'model calls', 'tool calls', 'tokens', 'cost', 'time'];
  const isMixed = new Set(rows.map(({ host }) => host ?? '')).size > 1;
  const lines = rows.map((row) => [...cells(row), ...(isMixed ? [row.host ?? ''] : [])]);
  return `${entries.filter(Boolean).join('\n')}\n\n${table(output, isMixed ? [...head, 'host'] : head, lines)}`;
}

function setState({ reason, pid }: Pick<SetResult, 'reason' | 'pid'>): string {
  const ended = reason && (setReasons[reason] ?? reason);
  return ended ?? (pid ? `running in process ${pid}` : 'something is missing');
}

function uncertainCallsText(rows: readonly RowResult[], hasBudget: boolean): string {
  const lostCount = rows.reduce((sum, row) => sum + uncertainCalls(row), 0);
  if (lostCount === 0) return '';
  const text = `${count(lostCount, 'call')} broken off or lost may have been billed`;
  const much = '(`polya cost` tells how much)';
  if (!hasBudget) return `${text} ${much}.`;
  return `${text}: the budget counts all that ${lostCount === 1 ? 'it' : 'they'} may have cost ${much}.`;
}

/** The replies of a script are not billed. */
function uncertainCalls({ view, state }: RowResult): number {
  return view && !freeReason(allModels(view)) ? possiblyBilledCalls(view, state) : 0;
}

const answerColumns = 24;

function cells(row: RowResult): readonly (string | number)[] {
  const { plan, runId, view } = row;
  const startedRuns = [
    plan.name,
    runId,
    outcomeOf(row),
    fitToWidth(answerLine(view?.end ?? null) ?? '', answerColumns),
  ];
  if (!view) return [...startedRuns, '', '', '', '', ''];
  const { totals } = view;
  const calls = [grouped(totals.modelCalls), toolCallsOf(totals), tokensText(totals)];
  return [...startedRuns, ...calls, costText(totals, allModels(view)), duration(view.aliveMs)];
}

const columns = [
  ...['row', 'name', 'run', 'state', 'outcome', 'answer', 'limit', 'correct', 'score', 'problem', 'agent'],
  ...['models', 'modelKinds', 'modelCalls', 'toolCalls', 'tokens', 'costUsd', 'possiblyBilled', 'aliveMs'],
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

/** One line for a row that has ended. */
export function rowLine(row: RowResult): string {
  const { plan, view } = row;
  const { limit, cutShort } = view?.end ?? {};
  const ended = limit && !cutShort ? `limit (${limitNames[limit]})` : outcomeOf(row);
  const answer = answerLine(view?.end ?? null);
  const entries = view ? [costText(view.totals, allModels(view)), duration(view.aliveMs)] : [];
  return oneLine(
    [`Row ${row.index + 1}, ${plan.name}: ${ended}${answer === null ? '' : `: ${answer}`}`, ...entries].join(
      ' · ',
    ),
  );
}

/** How far it is: what has ended, what is at work, how good it is by now, what of its budget is spent. */
export function progressLine(result: SetResult): string {
  const { done, working, spent, eta, grade } = summarizeSet(result);
  const facts = [`${done} of ${result.rows.length} rows`, `${working.length} at work`, grade, spent, eta];
  return facts.filter(Boolean).join(' · ');
}

export function progressJson(result: SetResult) {
  const { set, reason, pid, rows } = result;
  const { done, working, share } = summarizeSet(result);
  const runViews = rows.flatMap(({ view }) => view ?? []);
  return {
    set: set.id,
    ended: reason,
    pid,
    rows: rows.length,
    done,
    running: working.length,
    share,
    grade: gradeOf(rows),
    knownCostUsd: runViews.reduce((sum, { totals }) => sum + totals.costUsd, 0),
    tokens: sumOfTokens(sumKnownTokens(rows)),
    knownTokens: totalTokens(tokensOfRows(rows)),
    budget: set.plan.budget,
  };
}

function sumOfTokens(tokens: Tokens | null): number | null {
  return tokens && totalTokens(tokens);
}

function summarizeSet(result: SetResult) {
  const { set, rows } = result;
  const done = rows.filter(isDone).length;
  const { costUsd, tokens } = set.plan.budget;
  const used = partText(sumOfTokens(sumKnownTokens(rows)), totalTokens(tokensOfRows(rows)), grouped);
  const of = [
    costUsd === undefined ? '' : formatDollars(costUsd),
    tokens === undefined ? '' : `${grouped(tokens)} tokens`,
  ];
  const budget = of.filter(Boolean).join(' and ');
  const [eta] = formatEta(result)?.split(':') ?? [];
  return {
    done,
    share: rows.length === 0 ? 1 : done / rows.length,
    working: rows.filter(({ state }) => state === 'running'),
    spent: `${formatSpent(rows)}${budget && ` of ${budget}`}, ${used} tokens`,
    eta,
    grade: gradeText(gradeOf(rows)),
  };
}

type RunningGrade = {
  readonly graded: number;
  /** Null where scores are given. */
  readonly right: number | null;
  /** The share of those that are right, or the mean score. */
  readonly value: number;
  /** At 95 %; null of a mean score. */
  readonly interval: Interval | null;
};

/** The grade of the rows that are graded so far; null if none is. */
function gradeOf(rows: readonly RowResult[]): RunningGrade | null {
  const grades = rows.filter(isDone).flatMap(({ view }) => view?.end?.grade ?? []);
  const told = grades.flatMap(({ correct }) => (typeof correct === 'boolean' ? [correct] : []));
  if (told.length > 0) {
    const right = told.filter(Boolean).length;
    const interval = wilsonInterval(right, told.length);
    return { graded: told.length, right, value: right / told.length, interval };
  }
  const scores = grades.flatMap(({ score }) => (typeof score === 'number' ? [score] : []));
  const value = mean(scores);
  if (value === null) return null;
  return { graded: scores.length, right: null, value, interval: null };
}

function gradeText(grade: RunningGrade | null): string {
  if (!grade) return '';
  const { graded, right, value, interval } = grade;
  if (right === null) return `mean score ${short(value)} of ${grouped(graded)}`;
  const part = (share: number) => (100 * share).toFixed(1);
  const range = interval ? ` (95 %: ${part(interval.low)} to ${part(interval.high)})` : '';
  return `${grouped(right)} of ${grouped(graded)} right: ${part(value)} %${range}`;
}

function short(value: number): string {
  return Math.abs(value) >= 100 ? grouped(Math.round(value)) : value.toPrecision(3);
}
