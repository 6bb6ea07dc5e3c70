/** Metrics of many runs as one table, a row a run, as RFC 4180 has it. Pure. */
import { csvCell } from '../../core/csv.ts';
import type { AocMetrics } from './metrics.ts';

/** In this order, in every table; also the order of the keys in JSON. */
const columns: readonly (keyof AocMetrics)[] = [
  'run_id',
  'site',
  'year',
  'day',
  'lang',
  'model',
  'model_kind',
  'toolchain',
  'level',
  'sandbox',
  'outcome',
  'cost_usd',
  'reminders',
  'success_part1',
  'error_type_part1',
  'time_spent_part1',
  'waited_seconds_part1',
  'tokens_used_part1',
  'tool_call_counts_part1',
  'last_failure_part1',
  'success_part2',
  'error_type_part2',
  'time_spent_part2',
  'waited_seconds_part2',
  'tokens_used_part2',
  'tool_call_counts_part2',
  'last_failure_part2',
];

/** Numbers that nobody knows; an empty cell would be read as zero. */
const measured: readonly (keyof AocMetrics)[] = ['cost_usd', 'tokens_used_part1', 'tokens_used_part2'];

export function metricsCsv(runs: readonly AocMetrics[]): string {
  const rows = runs.map((run) => columns.map((column) => cell(run, column)));
  return [columns, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function cell(run: AocMetrics, column: keyof AocMetrics): string {
  const value = run[column];
  if (value === null) return measured.includes(column) ? 'unknown' : '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
