/**
 * How far one grid is from another: the cells that differ, the share that is right, and both as text that a model or a
 * person can act on. Rows and cells are counted from 1.
 */
import type { Grid } from '../core/problem.ts';
import { sizeText, widthOf } from './grid.ts';

type DifferingCell = Readonly<Record<'row' | 'column' | 'expected' | 'actual', number>>;

/** In reading order. Null where the shapes differ: then no cell stands for another. */
export function differingCells(expected: Grid, actual: Grid): readonly DifferingCell[] | null {
  if (expected.length !== actual.length || widthOf(expected) !== widthOf(actual)) return null;
  return expected.flatMap((row, y) =>
    row.flatMap((cell, x) => {
      const other = actual[y]?.[x] ?? Number.NaN;
      return other === cell ? [] : [{ row: y + 1, column: x + 1, expected: cell, actual: other }];
    }),
  );
}

/** The share of cells that are right; 0 where the shapes differ or there is no grid. */
export function gridScore(expected: Grid, actual: Grid | null | undefined): number {
  const difference = actual ? differingCells(expected, actual) : null;
  return difference === null ? 0 : 1 - difference.length / (expected.length * widthOf(expected));
}

/** More cells than these are shown in the drawing alone. */
const mostListed = 12;

/** One line where all is right; else what is wrong, and the grid with each wrong cell as `actual→expected`. */
export function diffText(expected: Grid, actual: Grid | null): string {
  if (actual === null) return `There is no output; expected is a grid of ${sizeText(expected)}.`;
  const difference = differingCells(expected, actual);
  if (difference === null) {
    return `The shape is wrong: ${sizeText(actual)}, expected ${sizeText(expected)} (rows×columns).`;
  }
  if (difference.length === 0) return 'All cells are right.';
  const total = expected.length * widthOf(expected);
  const verb = difference.length === 1 ? 'is' : 'are';
  const list = difference.length <= mostListed ? `: ${difference.map(cellText).join('; ')}` : '';
  return `${difference.length} of ${total} cells ${verb} wrong (actual→expected)${list}.\n${diffDrawing(expected, actual)}`;
}

function cellText({ row, column, expected, actual }: DifferingCell): string {
  return `row ${row}, column ${column}: ${actual}→${expected}`;
}

/** Columns are aligned, whatever is in them. */
function diffDrawing(expected: Grid, actual: Grid): string {
  const texts = expected.map((row, y) =>
    row.map((cell, x) => (actual[y]?.[x] === cell ? `${cell}` : `${actual[y]?.[x]}→${cell}`)),
  );
  const widths = (texts[0] ?? []).map((_, x) => Math.max(...texts.map((row) => row[x]?.length ?? 0)));
  const line = (row: readonly string[]) => row.map((text, x) => text.padEnd(widths[x] ?? 0)).join(' ');
  return texts.map((row) => line(row).trimEnd()).join('\n');
}
