/** Grids as text, one row a line, in the forms that a model may be asked to read and write. `parse.ts` reads them all. */
import type { Grid } from '../core/problem.ts';

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
