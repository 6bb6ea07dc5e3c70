/** Tables for people: columns, no borders. cli-table3 measures wide characters and colours. */
import Table from 'cli-table3';
import { oneLine } from './format.ts';
import type { Paint } from './paint.ts';
import { padded, widthOf, wrapped } from './wrap.ts';

export type Cell = string | number;

const borders = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left'];
const more = ['bottom-right', 'left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid'];
const noBorders = Object.fromEntries([...borders, ...more].map((name) => [name, '']));

export type Fact = readonly [name: string, fact: string | null | undefined];

/** A line for each fact that is there; `width` is that of the names. */
export function factLines(
  { paint }: { readonly paint: Paint },
  facts: readonly Fact[],
  width: number,
): string {
  return facts
    .map(([name, fact]) => (fact ? `  ${paint('faint', padded(name, width))}${oneLine(fact)}\n` : ''))
    .join('');
}

type TableOutput = { readonly paint: Paint; readonly isTerminal?: boolean; readonly columns?: number };

/** Cells are made harmless here; columns whose cells are all numbers stand on the right. It is no wider than its terminal. */
export function table(
  output: TableOutput,
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const cells = rows.map((row) => row.map((cell) => oneLine(String(cell))));
  const room = output.isTerminal ? (output.columns ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY;
  const whole = drawn(output, head, cells);
  if (widest(whole) <= room) return whole;
  const narrow = drawn(
    output,
    head.map((name) => name.replaceAll(' ', '\n')),
    cells,
  );
  return widest(narrow) <= room ? narrow : folded(output, head, cells, room);
}

function drawn(output: TableOutput, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const made = new Table({
    chars: { ...noBorders, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: head.map((_, column) => (isNumeric(rows, column) ? 'right' : 'left')),
  });
  made.push(head.map((name) => name.replaceAll(/[^\n]+/g, (line) => output.paint('faint', line))));
  for (const row of rows) made.push([...row]);
  const lines = made.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function widest(text: string): number {
  return Math.max(...text.split('\n').map(widthOf));
}

/** As many columns as there is room for; what does not fit stands below its row, with its names. */
function folded(
  output: TableOutput,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  room: number,
): string {
  const names = head.map((name) => name.replaceAll(' ', '\n'));
  let kept = head.length - 1;
  const part = (of: number) =>
    drawn(
      output,
      names.slice(0, of),
      rows.map((row) => row.slice(0, of)),
    );
  while (kept > 1 && widest(part(kept)) > room) kept -= 1;
  const lines = part(kept).split('\n').slice(0, -1);
  const heads = lines.length - rows.length;
  const told = rows.flatMap((row, at) => {
    const facts = row.slice(kept).flatMap((cell, index) => (cell ? [`${head[kept + index]}: ${cell}`] : []));
    const below = facts.length > 0 ? [output.paint('faint', wrapped(`    ${facts.join(' · ')}`, room))] : [];
    return [lines[heads + at] ?? '', ...below];
  });
  return `${wrapped([...lines.slice(0, heads), ...told].join('\n'), room)}\n`;
}

function isNumeric(rows: readonly (readonly Cell[])[], column: number): boolean {
  return rows.length > 0 && rows.every((row) => /^[\d.,$]*$/.test(String(row[column] ?? '')));
}
