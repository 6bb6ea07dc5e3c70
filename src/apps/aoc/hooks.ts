/** What is special about runs of Advent of Code: metrics by part, and exports that hold no text of the site. */
import type { AppHooks, Output } from '../../cli/contract.ts';
import { exportRun } from '../../families/aoc/export.ts';
import { type AocMetrics, aocMetrics, metricsCsv } from '../../families/aoc/metrics.ts';
import { siteTextsIn } from '../../families/aoc/redact.ts';
import { hashText } from '../../run/hash.ts';
import { duration, grouped } from '../../text/format.ts';
import { table } from '../../text/table.ts';

export const hooks: AppHooks = {
  metrics(events) {
    const metrics = aocMetrics(events);
    if (metrics === null) return null;
    const rows = partRows(metrics).flatMap(([name, one, second]) => [
      [`part 1 ${name}`, one],
      [`part 2 ${name}`, second],
    ]);
    return { json: metrics, table: (output) => partsTable(output, metrics), rows: Object.fromEntries(rows) };
  },
  metricsCsv: (journals) => metricsCsv(journals.flatMap((events) => aocMetrics(events) ?? [])),
  exportFiles: (events, options) => exportRun(events, { ...options, hashText }),
  hiddenTexts: siteTextsIn,
  // Loaded here because only the page shows them.
  panels: async (events) => (await import('./panels.ts')).panels(events),
};

type PartRow = readonly [name: string, partOne: string, partTwo: string];

/** What the table of stages does not say. */
function partsTable(output: Output, metrics: AocMetrics): string {
  const columns = metrics.error_type_part2 === 'no_such_part' ? 2 : 3;
  const rows = [...endRows(metrics), ...callRows(metrics)].map((row) => row.slice(0, columns));
  const lines = rows.filter(([, ...cells]) => cells.some((cell) => cell !== ''));
  return table(output, ['', 'part 1', 'part 2'].slice(0, columns), lines);
}

/** All of them, under their own names. */
function partRows(metrics: AocMetrics): PartRow[] {
  return [
    ['success', String(metrics.success_part1), String(metrics.success_part2)],
    ...endRows(metrics),
    ['time_spent', seconds(metrics.time_spent_part1), seconds(metrics.time_spent_part2)],
    ['tokens_used', tokens(metrics.tokens_used_part1), tokens(metrics.tokens_used_part2)],
    ...callRows(metrics),
  ];
}

function endRows(metrics: AocMetrics): PartRow[] {
  return [
    ['error_type', metrics.error_type_part1 ?? '', metrics.error_type_part2 ?? ''],
    ['last_failure', metrics.last_failure_part1 ?? '', metrics.last_failure_part2 ?? ''],
    ['waited', seconds(metrics.waited_seconds_part1), seconds(metrics.waited_seconds_part2)],
  ];
}

function callRows({ tool_call_counts_part1: one, tool_call_counts_part2: second }: AocMetrics): PartRow[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(second)])];
  return names.map((name) => [name, String(one[name] ?? 0), String(second[name] ?? 0)]);
}

function seconds(time: number): string {
  return time === 0 ? '' : duration(time * 1_000);
}

function tokens(number: number | null): string {
  return number === null ? 'unknown' : grouped(number);
}
