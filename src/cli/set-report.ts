/** A run-set as a table, as JSON and as CSV: its rows, what came of them and what they cost. Pure. */
import { csvCell } from '../core/csv.ts';
import {
  countsText,
  outcomeOf,
  rowJson,
  type SetResult,
  setReasons,
  spentText,
  tokensOfRows,
} from '../open/set-json.ts';
import type { RowResult } from '../studies/run-set/rows.ts';
import { count, duration, grouped, oneLine } from '../text/format.ts';
import {
  allModels,
  cacheText,
  costText,
  freeBecause,
  limitNames,
  limitsText,
  possiblyBilledOf,
  tokensText,
  toolCallsOf,
} from '../text/labels.ts';
import { table } from '../text/table.ts';
import type { Output } from './contract.ts';

export function setText(output: Output, { set, rows, reason, pid }: SetResult): string {
  const { name, budget } = set.plan;
  const state = setState({ reason, pid });
  const within = limitsText(budget);
  const hits = cacheText(tokensOfRows(rows));
  const facts = [
    `${output.paint('strong', `Run-set ${set.id}`)}: ${oneLine(name)}; ${state}`,
    `${count(rows.length, 'row')}, ${countsText(rows)}; ${spentText(rows)}${within === 'none' ? '' : ` of ${within}`}`,
    hits && `Cache: ${hits}.`,
    inDoubtText(rows, Object.keys(budget).length > 0),
  ];
  const head = ['row', 'run', 'outcome', 'model calls', 'tool calls', 'tokens', 'cost', 'time'];
  const isMixed = new Set(rows.map(({ host }) => host ?? '')).size > 1;
  const lines = rows.map((row) => [...cells(row), ...(isMixed ? [row.host ?? ''] : [])]);
  return `${facts.filter(Boolean).join('\n')}\n\n${table(output, isMixed ? [...head, 'host'] : head, lines)}`;
}

export function setState({ reason, pid }: Pick<SetResult, 'reason' | 'pid'>): string {
  const ended = reason && (setReasons[reason] ?? reason);
  return ended ?? (pid ? `running in process ${pid}` : 'something is missing');
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

function cells(row: RowResult): readonly (string | number)[] {
  const { plan, runId, view } = row;
  const begun = [plan.name, runId, outcomeOf(row)];
  if (!view) return [...begun, '', '', '', '', ''];
  const { totals } = view;
  const calls = [grouped(totals.modelCalls), toolCallsOf(totals), tokensText(totals)];
  return [...begun, ...calls, costText(totals, allModels(view)), duration(view.aliveMs)];
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

/** One line for a row that has ended. */
export function rowLine(row: RowResult): string {
  const { plan, view } = row;
  const { limit, cutShort } = view?.end ?? {};
  const ended = limit && !cutShort ? `limit (${limitNames[limit]})` : outcomeOf(row);
  const facts = view ? [costText(view.totals, allModels(view)), duration(view.aliveMs)] : [];
  return oneLine([`Row ${row.index + 1}, ${plan.name}: ${ended}`, ...facts].join(' · '));
}
