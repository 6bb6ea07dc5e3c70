/** How far a run-set is: its bar, what is left, what of its budget is spent, how good it is by now, its worst and dearest rows. Pure. */
import { mean } from '../core/statistics/bootstrap.ts';
import { type Interval, wilsonInterval } from '../core/statistics/proportion.ts';
import { type Tokens, totalTokens } from '../core/usage.ts';
import {
  countedTokens,
  countsText,
  etaText,
  outcomeOf,
  type SetResult,
  spentText,
  tokensOfRows,
} from '../open/set-json.ts';
import { isDone, type RowResult } from '../studies/run-set/rows.ts';
import { dollars, grouped, oneLine } from '../text/format.ts';
import { outcomeTone, partText } from '../text/labels.ts';
import { fitted } from '../text/wrap.ts';
import type { Output } from './contract.ts';
import { setState } from './set-report.ts';

type Watched = Pick<SetResult, 'set' | 'reason' | 'pid' | 'rows'>;

const fewest = 40;

/** As high as the terminal has room for, and at most as wide. */
export function progressText({ columns, rows: height = 24, paint }: Output, result: Watched): string {
  const { set, rows } = result;
  const width = Math.max(fewest, columns) - 1;
  const { done, working, share, spent, eta, grade } = factsOf(result);
  const barColumns = Math.min(40, width - 30);
  const full = Math.round(share * barColumns);
  const bar = `${paint('good', '█'.repeat(full))}${paint('faint', '░'.repeat(barColumns - full))}`;
  const head = [
    paint('strong', fitted(`${oneLine(set.plan.name)} (${set.id})`, width)),
    fitted(setState(result), width),
    `${bar} ${done} of ${rows.length} rows (${Math.round(100 * share)} %)`,
    fitted([`${working.length} at work`, eta].filter(Boolean).join('; '), width),
    fitted([grade, countsText(rows.filter(isDone))].filter(Boolean).join('; '), width),
    fitted(spent, width),
  ];
  // Three headings, and the line that the cursor needs.
  const room = Math.max(3, height - head.length - 4);
  const each = Math.max(1, Math.floor(room / 3));
  const lists = [
    ['at work', working.slice(0, each)],
    ['worst', worstOf(rows).slice(0, each)],
    ['dearest', dearestOf(rows).slice(0, each)],
  ] as const;
  const lines = lists.flatMap(([name, shown]) =>
    shown.length === 0 ? [] : [paint('faint', name), ...shown.map((row) => rowText(row, width, paint))],
  );
  return `${[...head, ...lines].join('\n')}\n`;
}

export function progressLine(result: Watched): string {
  const { done, working, spent, eta, grade } = factsOf(result);
  const facts = [`${done} of ${result.rows.length} rows`, `${working.length} at work`, grade, spent, eta];
  return facts.filter(Boolean).join(' · ');
}

export function progressJson(result: Watched) {
  const { set, reason, pid, rows } = result;
  const { done, working, share } = factsOf(result);
  const views = rows.flatMap(({ view }) => view ?? []);
  return {
    set: set.id,
    ended: reason,
    pid,
    rows: rows.length,
    done,
    running: working.length,
    share,
    grade: gradeOf(rows),
    knownCostUsd: views.reduce((sum, { totals }) => sum + totals.costUsd, 0),
    tokens: sumOfTokens(countedTokens(rows)),
    knownTokens: totalTokens(tokensOfRows(rows)),
    budget: set.plan.budget,
  };
}

function sumOfTokens(tokens: Tokens | null): number | null {
  return tokens && totalTokens(tokens);
}

function factsOf(result: Watched) {
  const { set, rows } = result;
  const done = rows.filter(isDone).length;
  const { costUsd, tokens } = set.plan.budget;
  const used = partText(sumOfTokens(countedTokens(rows)), totalTokens(tokensOfRows(rows)), grouped);
  const of = [
    costUsd === undefined ? '' : dollars(costUsd),
    tokens === undefined ? '' : `${grouped(tokens)} tokens`,
  ];
  const budget = of.filter(Boolean).join(' and ');
  const [eta] = etaText(result)?.split(':') ?? [];
  return {
    done,
    share: rows.length === 0 ? 1 : done / rows.length,
    working: rows.filter(({ state }) => state === 'running'),
    spent: `${spentText(rows)}${budget && ` of ${budget}`}, ${used} tokens`,
    eta,
    grade: gradeText(gradeOf(rows)),
  };
}

type RunningGrade = {
  readonly graded: number;
  /** Null where scores are given. */
  readonly right: number | null;
  /** The share of those that are right, or the mean score; with an interval for it at 95 %. */
  readonly value: number;
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
  return { graded: scores.length, right: null, value, interval: meanInterval(scores, value) };
}

/** By the normal distribution; null where it says nothing. */
function meanInterval(values: readonly number[], middle: number): Interval | null {
  if (values.length < 5) return null;
  const variance = values.reduce((sum, each) => sum + (each - middle) ** 2, 0) / (values.length - 1);
  const half = 1.96 * Math.sqrt(variance / values.length);
  return { low: middle - half, high: middle + half };
}

function gradeText(grade: RunningGrade | null): string {
  if (!grade) return '';
  const { graded, right, value, interval } = grade;
  if (right === null) {
    const range = interval ? ` (95 %: ${short(interval.low)} to ${short(interval.high)})` : '';
    return `mean score ${short(value)}${range} of ${grouped(graded)}`;
  }
  const part = (share: number) => (100 * share).toFixed(1);
  const range = interval ? ` (95 %: ${part(interval.low)} to ${part(interval.high)})` : '';
  return `${grouped(right)} of ${grouped(graded)} right: ${part(value)} %${range}`;
}

function short(value: number): string {
  return Math.abs(value) >= 100 ? grouped(Math.round(value)) : value.toPrecision(3);
}

/** What something was wrong with before what was merely wrong, then the lowest scores. */
function worstOf(rows: readonly RowResult[]): readonly RowResult[] {
  const order = [
    'solved',
    'scored',
    'answered',
    'wrong',
    'gave-up',
    'limit',
    'refused',
    'malformed',
    'error',
  ];
  const rank = ({ view }: RowResult) => order.indexOf(view?.end?.outcome ?? '');
  const score = ({ view }: RowResult) => view?.end?.grade?.score ?? 0;
  const bad = rows.filter((row) => isDone(row) && (rank(row) > order.indexOf('answered') || rank(row) === 1));
  return bad.toSorted((a, b) => rank(b) - rank(a) || score(a) - score(b));
}

function dearestOf(rows: readonly RowResult[]): readonly RowResult[] {
  const cost = ({ view }: RowResult) => view?.totals.costUsd ?? 0;
  const tokens = ({ view }: RowResult) => (view ? totalTokens(view.totals.tokens) : 0);
  const spent = rows.filter((row) => tokens(row) > 0);
  return spent.toSorted((a, b) => cost(b) - cost(a) || tokens(b) - tokens(a));
}

function rowText(row: RowResult, width: number, paint: Output['paint']): string {
  const { index, plan, view } = row;
  const tokens = view ? `${grouped(totalTokens(view.totals.tokens))} tokens` : '';
  const cost = view && view.totals.costUsd > 0 ? dollars(view.totals.costUsd) : '';
  const score = view?.end?.grade?.score;
  const facts = [outcomeOf(row), typeof score === 'number' ? `score ${short(score)}` : '', cost, tokens];
  const behind = ` · ${facts.filter(Boolean).join(' · ')}`;
  const name = fitted(`  ${index + 1} ${oneLine(plan.name)}`, Math.max(12, width - behind.length));
  return paint(outcomeTone(view?.end?.outcome ?? null), fitted(`${name}${behind}`, width));
}
