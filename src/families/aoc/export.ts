/**
 * A run as files: metrics as JSON and CSV, every event as JSON, a report, every version of the code, every submission.
 * Pure: file names and texts come out, whoever calls it writes them.
 */
import type { Event, Header } from '../../core/event.ts';
import { foldRun } from '../../core/fold.ts';
import { codeVersionsOf } from './code-versions.ts';
import { metricsCsv } from './csv.ts';
import { type AocMetrics, aocMetrics } from './metrics.ts';
import { redactor } from './redact.ts';
import { reportOf } from './report.ts';
import { submissionsOf } from './submission-records.ts';
import { toolStepsOf } from './tool-steps.ts';

export type ExportOptions = {
  /** With the statement and the input; else their hashes take their place. */
  readonly withPuzzle: boolean;
  hashText(text: string): string;
};

/** Relative path → text. */
export type ExportedFiles = Readonly<Record<string, string>>;

/** Null where the events are not of an Advent of Code run. */
export function exportRun(events: readonly Event[], options: ExportOptions): ExportedFiles | null {
  const metrics = aocMetrics(events);
  const { header } = foldRun(events);
  if (!metrics || !header) return null;
  const shown = options.withPuzzle ? events : redactor(events, options.hashText)(events);
  const steps = toolStepsOf(shown);
  const codes = codeVersionsOf(header, steps);
  const submissions = submissionsOf(steps);
  return {
    'metrics.json': json(metrics),
    'metrics.csv': metricsCsv([metrics]),
    'run.json': json(wholeRun(metrics, header, { shown, options })),
    'report.md': reportOf({ metrics, header, steps, codes, submissions }),
    'submissions.json': json(submissions),
    ...Object.fromEntries(codes.map(({ file, source }) => [file, source])),
  };
}

function wholeRun(
  metrics: AocMetrics,
  { problem, codeVersion }: Header,
  { shown, options }: { shown: readonly Event[]; options: ExportOptions },
) {
  return {
    metrics,
    polya: codeVersion,
    with_puzzle: options.withPuzzle,
    statement_hash: options.hashText(
      problem.statement.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n'),
    ),
    input_hash: problem.detail.inputHash ?? null,
    events: shown,
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
