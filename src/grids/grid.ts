/**
 * What a grid is: 1 to 30 rows of one length, 1 to 30 cells each, colours 0 to 9. Says exactly where a value is none, and
 * writes grids in the forms that a model may be asked for. Rows and cells are counted from 1, as people read them.
 */
import type { Grid } from '../core/problem.ts';

const largestSide = 30;
export const colourCount = 10;

/** Why a value is no grid, with the place: `row 2 has 3 cells, row 1 has 4`. Null where it is one. */
export function validateGrid(value: unknown): string | null {
  if (!Array.isArray(value)) return `it is ${describeType(value)}, not a list of rows`;
  if (value.length === 0) return 'it is empty';
  if (value.length > largestSide) return `it has ${value.length} rows; there may be ${largestSide}`;
  const first: unknown = value[0];
  const width = Array.isArray(first) ? first.length : 0;
  for (const [at, row] of value.entries()) {
    const issue = validateRow(row, at + 1, width);
    if (issue) return issue;
  }
  return null;
}

export function isGrid(value: unknown): value is Grid {
  return validateGrid(value) === null;
}

function validateRow(row: unknown, number: number, width: number): string | null {
  if (!Array.isArray(row)) return `row ${number} is ${describeType(row)}, not a list of cells`;
  if (row.length === 0) return `row ${number} is empty`;
  if (row.length > largestSide) return `row ${number} has ${row.length} cells; there may be ${largestSide}`;
  if (row.length !== width)
    return `row ${number} has ${row.length} cell${row.length === 1 ? '' : 's'}, row 1 has ${width}`;
  const at = row.findIndex((cell) => !Number.isInteger(cell) || cell < 0 || cell >= colourCount);
  if (at < 0) return null;
  return `row ${number}, cell ${at + 1} is ${describeType(row[at])}, not a whole number from 0 to ${colourCount - 1}`;
}
const longestTold = 20;

function describeType(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value === undefined) return 'missing';
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = JSON.stringify(value);
  return text.length > longestTold ? `${text.slice(0, longestTold)}…` : text;
}

export function widthOf(grid: Grid): number {
  return grid[0]?.length ?? 0;
}

/** `3×4`: rows, then columns. */
export function sizeText(grid: Grid): string {
  return `${grid.length}×${widthOf(grid)}`;
}

/** Equal grids have equal keys, others have not: for votes and sets. */
export function gridKey(grid: Grid): string {
  return grid.map((row) => row.join('')).join('/');
}

export function sameGrid(a: Grid, b: Grid): boolean {
  return (
    a.length === b.length &&
    a.every((row, y) => {
      const other = b[y] ?? [];
      return row.length === other.length && row.every((cell, x) => cell === other[x]);
    })
  );
}

export const gridFormats = ['spaced', 'json', 'csv'] as const;
export type GridFormat = (typeof gridFormats)[number];

export function formatGrid(grid: Grid, format: GridFormat = 'spaced'): string {
  switch (format) {
    case 'spaced':
      return grid.map((row) => row.join(' ')).join('\n');
    case 'csv':
      return grid.map((row) => row.join(',')).join('\n');
    case 'json':
      return `[${grid.map((row) => `[${row.join(',')}]`).join(',\n ')}]`;
  }
}
