/** Grids at random, for properties; and one with every colour. */
import fc from 'fast-check';
import type { Grid } from '../../src/core/problem.ts';

export function anyGrid(largest = 30): fc.Arbitrary<Grid> {
  const side = fc.integer({ min: 1, max: largest });
  return fc.tuple(side, side).chain(([height, width]) =>
    fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: width, maxLength: width }), {
      minLength: height,
      maxLength: height,
    }),
  );
}

export const everyColour: Grid = [
  [0, 1, 2, 3, 4],
  [5, 6, 7, 8, 9],
];

/** What every fast-check run of this folder uses: enough, and the same each time. */
export const seededRuns = { seed: 20_261_121, numRuns: 100 };
