/** Tables for people: columns, no borders. cli-table3 measures wide characters and colours. */
import Table from 'cli-table3';
import { oneLine } from './format.ts';
import type { Paint } from './paint.ts';

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
    .map(([name, fact]) => (fact ? `  ${paint('faint', name.padEnd(width))}${oneLine(fact)}\n` : ''))
    .join('');
}

/** Cells are made harmless here; columns whose cells are all numbers stand on the right. */
export function table(
  output: { readonly paint: Paint },
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
): string {
  const made = new Table({
    chars: { ...noBorders, middle: '  ' },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colAligns: head.map((_, column) => (isNumeric(rows, column) ? 'right' : 'left')),
  });
  made.push(head.map((name) => output.paint('faint', name)));
  for (const row of rows) made.push(row.map((cell) => oneLine(String(cell))));
  const lines = made.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}

function isNumeric(rows: readonly (readonly Cell[])[], column: number): boolean {
  return rows.length > 0 && rows.every((row) => /^[\d.,$]*$/.test(String(row[column] ?? '')));
}
