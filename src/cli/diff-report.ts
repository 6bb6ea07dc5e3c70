/** Two runs side by side, for people and for programs. Pure. */

import { type Event, type Header, positionName } from '../core/event.ts';
import { describeEvent } from '../notes/event-line.ts';
import { clip, duration } from '../text/format.ts';
import { allModels, costText, outcomeText, tokensText, toolCallsOf } from '../text/labels.ts';
import { table } from '../text/table.ts';
import type { HeaderDifference } from './header-diff.ts';
import type { Output } from './output.ts';
import type { Parting } from './parting.ts';
import { runJson, stateOf } from './run-report.ts';
import type { RunResult } from './run-result.ts';

export type Compared = RunResult & { readonly header: Header; readonly events: readonly Event[] };

export type Difference = {
  readonly a: Compared;
  readonly b: Compared;
  readonly header: readonly HeaderDifference[];
  readonly parting: Parting | null;
};

export function differenceJson({ a, b, header, parting }: Difference) {
  return {
    a: runJson(a),
    b: runJson(b),
    header,
    parting: parting && { at: parting.at, a: eventJson(parting.a, a), b: eventJson(parting.b, b) },
  };
}

function eventJson(event: Event | null, { header }: Compared) {
  if (!event) return null;
  const { seq, kind } = event;
  return { seq, kind, position: positionName(event), text: describeEvent(event, header).text };
}

export function differenceText(output: Output, { a, b, header, parting }: Difference): string {
  const head = ['', a.row.id, b.row.id];
  const title = (text: string) => `${output.paint('strong', text)}\n`;
  return [
    title('How they were begun'),
    header.length ? table(output, head, header.map(headerRow)) : 'Alike.\n',
    `\n${title('Where they part')}`,
    partingText(output, { a, b, parting }),
    `\n${title('What came of them')}`,
    table(output, head, resultRows(a, b)),
  ].join('');
}

const cellCharacters = 48;

function headerRow({ name, a, b }: HeaderDifference): string[] {
  return [name, ...[a, b].map((value) => clip(valueText(value), cellCharacters))];
}

function valueText(value: HeaderDifference['a']): string {
  if (value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function partingText(output: Output, { a, b, parting }: Pick<Difference, 'a' | 'b' | 'parting'>): string {
  if (!parting) return 'Nowhere: they say the same at every position.\n';
  const lines = [
    [a, parting.a],
    [b, parting.b],
  ] as const;
  const columns = output.isTerminal ? output.columns : 160;
  return `At ${parting.at}:\n${lines
    .map(
      ([
        {
          row: { id },
          header,
        },
        event,
      ]) => {
        const told = event ? `event ${event.seq}: ${describeEvent(event, header).text}` : 'has no such event';
        return `  ${output.paint('faint', id)}  ${clip(told, Math.max(40, columns - id.length - 4))}\n`;
      },
    )
    .join('')}`;
}

function resultRows(a: Compared, b: Compared): string[][] {
  const [left, right] = [a, b].map(resultsOf);
  const names = [...new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})])];
  return names
    .map((name) => [name, left?.[name] ?? '', right?.[name] ?? ''])
    .filter(([, one, two]) => one !== '' || two !== '');
}

function resultsOf({ row, view, metrics }: Compared): Record<string, string> {
  const { totals } = view;
  return {
    outcome: view.end && stateOf(row) === 'ended' ? outcomeText(view.end) : stateOf(row),
    'model calls': String(totals.modelCalls),
    'tool calls': String(toolCallsOf(totals)),
    tokens: tokensText(totals),
    cost: costText(totals, allModels(view)),
    time: duration(view.aliveMs),
    ...metrics?.rows,
  };
}
