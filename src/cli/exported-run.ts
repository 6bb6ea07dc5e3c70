/**
 * A run in the forms it can be exported in. An app may bring forms of its own; of other runs there are the journal and
 * a page of Markdown. Pure.
 */
import type { Event, Header } from '../core/event.ts';
import { positionName } from '../core/event.ts';
import { describeEvent } from '../notes/event-line.ts';
import { harmless } from '../text/format.ts';
import { noPaint } from '../text/paint.ts';
import type { Shell } from './contract.ts';
import { hooksFor } from './hooks.ts';
import type { Output } from './output.ts';
import { runText } from './run-report.ts';
import type { RunResult } from './run-result.ts';

export type ExportedRun = {
  readonly id: string;
  readonly header: Header | null;
  readonly events: readonly Event[];
  /** Its app has measures for it, and a row of CSV. */
  readonly isMeasured: boolean;
  /** Its journal with its metrics, as JSON text. */
  readonly json: string;
  readonly report: string;
  /** Relative path → text. */
  readonly files: Readonly<Record<string, string>>;
};

export async function exportedRun(
  shell: Pick<Shell, 'apps'>,
  result: RunResult,
  { events, withPuzzle }: { readonly events: readonly Event[]; readonly withPuzzle: boolean },
): Promise<ExportedRun> {
  const { row, view, metrics } = result;
  const { exportFiles } = await hooksFor(shell, view.header);
  const files = exportFiles?.(events, { withPuzzle }) ?? anyRun(result, events);
  return {
    id: row.id,
    header: view.header,
    events,
    isMeasured: metrics !== null,
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
    return `${String(event.seq).padStart(4)}  ${event.kind.padEnd(14)} ${place.padEnd(9)} ${describeEvent(event, result.view.header).text}`;
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
