/**
 * A run in the forms it can be exported in. Runs of Advent of Code know their own; of others there are the journal and
 * a page of Markdown. Pure.
 */
import type { Event } from '../core/event.ts';
import { type AocMetrics, exportAocRun, positionName } from '../index.ts';
import { describeEvent } from './event-line.ts';
import { noPaint } from './paint.ts';
import { type RunResult, runText } from './run-report.ts';
import type { Output } from './shell.ts';
import { harmless } from './text.ts';

export type ExportedRun = {
  readonly id: string;
  readonly metrics: AocMetrics | null;
  /** Its journal with its metrics, as JSON text. */
  readonly json: string;
  readonly report: string;
  /** Relative path → text. */
  readonly files: Readonly<Record<string, string>>;
};

export function exportedRun(
  result: RunResult,
  events: readonly Event[],
  { withPuzzle }: { readonly withPuzzle: boolean },
): ExportedRun {
  const { row, metrics } = result;
  const files = exportAocRun(events, { withPuzzle }) ?? anyRun(result, events);
  return {
    id: row.id,
    metrics,
    json: files['run.json'] ?? '',
    report: files['report.md'] ?? '',
    files,
  };
}

function anyRun(result: RunResult, events: readonly Event[]): Readonly<Record<string, string>> {
  const polya = result.view.header?.codeVersion ?? null;
  return {
    'run.json': `${JSON.stringify({ metrics: null, polya, events }, null, 2)}\n`,
    'report.md': reportOf(result, events),
  };
}

function reportOf(result: RunResult, events: readonly Event[]): string {
  const title = `# Run ${result.row.id}: ${harmless(result.view.header?.problem.title ?? '')}`;
  const lines = events.map((event) => {
    const place = event.ordinal === null ? '' : positionName(event);
    return `${String(event.seq).padStart(4)}  ${event.kind.padEnd(14)} ${place.padEnd(9)} ${describeEvent(event).text}`;
  });
  return `${title}\n\n${fenced(runText(page, result))}\n\n## The journal\n\n${fenced(`${lines.join('\n')}\n`)}\n`;
}

function fenced(text: string): string {
  // A fence must be longer than any in the text.
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}${fence}`;
}

const page: Output = {
  write: () => undefined,
  isTerminal: false,
  columns: 160,
  paint: noPaint,
  isClosed: false,
};
