/** What is special about runs of Advent of Code: metrics by part, and exports that hold no text of the site. */
import type { AppHooks } from '../../cli/contract.ts';
import { metricsCsv } from '../../families/aoc/csv.ts';
import { exportRun } from '../../families/aoc/export.ts';
import { aocMetrics } from '../../families/aoc/metrics.ts';
import { siteTextsIn } from '../../families/aoc/redact.ts';
import { hashText } from '../../run/hash.ts';
import { partRows, partsTable } from './metrics-report.ts';

export const hooks: AppHooks = {
  metrics(events) {
    const metrics = aocMetrics(events);
    if (metrics === null) return null;
    const rows = partRows(metrics).flatMap(([name, one, two]) => [
      [`part 1 ${name}`, one],
      [`part 2 ${name}`, two],
    ]);
    return { json: metrics, table: (output) => partsTable(output, metrics), rows: Object.fromEntries(rows) };
  },
  metricsCsv: (journals) => metricsCsv(journals.flatMap((events) => aocMetrics(events) ?? [])),
  exportFiles: (events, options) => exportRun(events, { ...options, hashText }),
  hiddenTexts: siteTextsIn,
};
