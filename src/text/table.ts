/** Tables for people: columns, no borders. cli-table3 measures wide characters and colours. */
import Table from 'cli-table3';
import { oneLine } from './format.ts';
import type { Painter } from './paint.ts';
import { padded, widthOf, wrapped } from './wrap.ts';

export type Cell = string | number;

const borders = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left'];
const more = ['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
const noBorders = Object.fromEntries([...borders, ...more].map((name) => [name, '']));

export type LabeledValue = readonly [name: string, fact: string | null | undefined];

/** A line for each fact that is there; `width` is that of the names. */
export function formatLabeledValues(
  { paint }: { readonly paint: Painter },
  entries: readonly LabeledValue[],
  width: number,
): string {
  return entries
    .map(([name, fact]) => (fact ? `  ${paint('faint', padded(name, width))}${oneLine(fact)}\n` : ''))
    .join('');
}

type TableOutput = { readonly paint: Painter; readonly isTerminal?: boolean; readonly columns?: number };

/** Cells are made harmless here; columns whose cells are all numbers stand on the right. It is no wider than its terminal. */
export function table(
  output: TableOutput,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const cells = rows.map((row) => row.map((cell) => oneLine(String(cell))));
  const capacity = output.isTerminal
    ? (output.columns ?? Number.POSITIVE_INFINITY)
    : Number.POSITIVE_INFINITY;
  const text = drawTable(output, head, cells);
  if (maxLineWidth(text) <= capacity) return text;
  const narrow = drawTable(
    output,
    head.map((name) => name.replaceAll(' ', '\n')),
    cells,
  );
  return maxLineWidth(narrow) <= capacity ? narrow : folded(output, head, cells, capacity);
}

function drawTable(
  output: TableOutput,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const created = new Table({
    chars: { ...noBorders, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: head.map((_, column) => (isNumeric(rows, column) ? 'right' : 'left')),
  });
  created.push(head.map((name) => name.replaceAll(/[^\n]+/g, (line) => output.paint('faint', line))));
  for (const row of rows) created.push([...row]);
  const lines = created.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function maxLineWidth(text: string): number {
  return Math.max(...text.split('\n').map(widthOf));
}

/** As many columns as there is room for; what does not fit stands below its row, with its names. */
function folded(
  output: TableOutput,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  capacity: number,
): string {
  const names = head.map((name) => name.replaceAll(' ', '\n'));
  let kept = head.length - 1;
  const part = (of: number) =>
    drawTable(
      output,
      names.slice(0, of),
      rows.map((row) => row.slice(0, of)),
    );
  while (kept > 1 && maxLineWidth(part(kept)) > capacity) kept -= 1;
  const lines = part(kept).split('\n').slice(0, -1);
  const headerCount = lines.length - rows.length;
  const told = rows.flatMap((row, at) => {
    const entries = row
      .slice(kept)
      .flatMap((cell, index) => (cell ? [`${head[kept + index]}: ${cell}`] : []));
    const descendants =
      entries.length > 0 ? [output.paint('faint', wrapped(`    ${entries.join(' · ')}`, capacity))] : [];
    return [lines[headerCount + at] ?? '', ...descendants];
  });
  return `${wrapped([...lines.slice(0, headerCount), ...told].join('\n'), capacity)}\n`;
}

function isNumeric(rows: readonly (readonly Cell[])[], column: number): boolean {
  return rows.length > 0 && rows.every((row) => /^[\d.,$]*$/.test(String(row[column] ?? '')));
}
