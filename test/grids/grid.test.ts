/** What a grid is, how two compare, and that every transform can be taken back. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Grid } from '../../src/core/problem.ts';
import { differingCells, diffText, gridScore } from '../../src/grids/diff.ts';
import { formatGrid, gridKey, isGrid, sameGrid, sizeText, validateGrid } from '../../src/grids/grid.ts';
import {
  applySymmetry,
  augment,
  createAugmentations,
  invertColorMap,
  invertSymmetry,
  permuteColors,
  restore,
  symmetries,
  unchanged,
} from '../../src/grids/transforms.ts';
import { seeded } from '../answers/seeded.ts';
import { anyGrid, everyColour, seededRuns } from './grids.ts';

describe('validity', () => {
  const faults: readonly (readonly [unknown, string])[] = [
    [undefined, 'it is missing, not a list of rows'],
    [null, 'it is null, not a list of rows'],
    ['0 1', 'it is "0 1", not a list of rows'],
    [{}, 'it is an object, not a list of rows'],
    [[], 'it is empty'],
    [[0, 1], 'row 1 is 0, not a list of cells'],
    [[[]], 'row 1 is empty'],
    [[[0], []], 'row 2 is empty'],
    [[[0, 1], [0]], 'row 2 has 1 cell, row 1 has 2'],
    [[[0], [0, 1]], 'row 2 has 2 cells, row 1 has 1'],
    [Array.from({ length: 31 }, () => [0]), 'it has 31 rows; there may be 30'],
    [[Array.from({ length: 31 }, () => 0)], 'row 1 has 31 cells; there may be 30'],
    [[[0, 10]], 'row 1, cell 2 is 10, not a whole number from 0 to 9'],
    [[[0], [-1]], 'row 2, cell 1 is -1, not a whole number from 0 to 9'],
    [[[0.5]], 'row 1, cell 1 is 0.5, not a whole number from 0 to 9'],
    [[['1']], 'row 1, cell 1 is "1", not a whole number from 0 to 9'],
    [[[[1]]], 'row 1, cell 1 is a list, not a whole number from 0 to 9'],
    [[['x'.repeat(50)]], `row 1, cell 1 is "${'x'.repeat(19)}…, not a whole number from 0 to 9`],
  ];

  test.each(faults)('%j', (value, expected) => {
    expect(validateGrid(value)).toBe(expected);
    expect(isGrid(value)).toBe(false);
  });

  test('from 1×1 to 30×30', () => {
    fc.assert(
      fc.property(anyGrid(), (grid) => {
        expect(validateGrid(grid)).toBeNull();
      }),
      seededRuns,
    );
    expect(isGrid(Array.from({ length: 30 }, () => Array.from({ length: 30 }, () => 9)))).toBe(true);
    expect(sizeText(everyColour)).toBe('2×5');
  });

  test('keys and equality agree', () => {
    fc.assert(
      fc.property(anyGrid(3), anyGrid(3), (a, b) => {
        const same = JSON.stringify(a) === JSON.stringify(b);
        expect(sameGrid(a, b)).toBe(same);
        expect(gridKey(a) === gridKey(b)).toBe(same);
      }),
      { ...seededRuns, numRuns: 500 },
    );
    expect(sameGrid([[1, 2]], [[1, 2, 3]])).toBe(false);
    expect(gridKey([[1, 2]])).not.toBe(gridKey([[1], [2]]));
  });
});

describe('formats', () => {
  test('one row a line', () => {
    expect(formatGrid(everyColour)).toBe('0 1 2 3 4\n5 6 7 8 9');
    expect(formatGrid(everyColour, 'csv')).toBe('0,1,2,3,4\n5,6,7,8,9');
    expect(formatGrid(everyColour, 'json')).toBe('[[0,1,2,3,4],\n [5,6,7,8,9]]');
    expect(JSON.parse(formatGrid(everyColour, 'json'))).toEqual(everyColour);
  });
});

describe('differences', () => {
  const expected: Grid = [
    [1, 2],
    [3, 4],
  ];

  test('cells, share and text', () => {
    const actual: Grid = [
      [1, 0],
      [3, 4],
    ];
    expect(differingCells(expected, actual)).toEqual([{ row: 1, column: 2, expected: 2, actual: 0 }]);
    expect(gridScore(expected, actual)).toBe(0.75);
    expect(diffText(expected, actual)).toBe(
      '1 of 4 cells is wrong (actual→expected): row 1, column 2: 0→2.\n1 0→2\n3 4',
    );
    expect(diffText(expected, expected)).toBe('All cells are right.');
  });

  test('another shape has no cells in common', () => {
    expect(differingCells(expected, [[1, 2]])).toBeNull();
    expect(gridScore(expected, [[1, 2]])).toBe(0);
    expect(diffText(expected, [[1, 2]])).toBe('The shape is wrong: 1×2, expected 2×2 (rows×columns).');
    expect(diffText(expected, null)).toBe('There is no output; expected is a grid of 2×2.');
  });

  test('many cells are shown in the drawing alone', () => {
    const zeros: Grid = Array.from({ length: 5 }, () => [0, 0, 0]);
    const ones: Grid = Array.from({ length: 5 }, () => [1, 1, 0]);
    expect(diffText(zeros, [...ones.slice(0, 4), [9, 0, 0]])).toBe(
      `9 of 15 cells are wrong (actual→expected): ${[1, 2, 3, 4]
        .map((row) => `row ${row}, column 1: 1→0; row ${row}, column 2: 1→0`)
        .join('; ')}; row 5, column 1: 9→0.\n${'1→0 1→0 0\n'.repeat(4)}9→0 0   0`,
    );
    const big: Grid = Array.from({ length: 8 }, () => [1, 1, 1]);
    const text = diffText(
      big,
      big.map(() => [2, 2, 1]),
    );
    expect(text).toBe(`16 of 24 cells are wrong (actual→expected).\n${'2→1 2→1 1\n'.repeat(8).trimEnd()}`);
  });

  test('the score is 1 for the same grid alone', () => {
    fc.assert(
      fc.property(anyGrid(4), anyGrid(4), (a, b) => {
        expect(gridScore(a, b) === 1).toBe(sameGrid(a, b));
        expect(gridScore(a, b)).toBe(gridScore(b, a));
        expect(differingCells(a, a)).toEqual([]);
      }),
      { ...seededRuns, numRuns: 300 },
    );
  });
});

describe('transforms', () => {
  const shown: Readonly<Record<string, Grid>> = {
    same: [
      [1, 2, 3],
      [4, 5, 6],
    ],
    'rotate-90': [
      [4, 1],
      [5, 2],
      [6, 3],
    ],
    'rotate-180': [
      [6, 5, 4],
      [3, 2, 1],
    ],
    'rotate-270': [
      [3, 6],
      [2, 5],
      [1, 4],
    ],
    mirror: [
      [3, 2, 1],
      [6, 5, 4],
    ],
    flip: [
      [4, 5, 6],
      [1, 2, 3],
    ],
    transpose: [
      [1, 4],
      [2, 5],
      [3, 6],
    ],
    'transpose-other': [
      [6, 3],
      [5, 2],
      [4, 1],
    ],
  };

  test.each(symmetries)('%s', (symmetry) => {
    const grid = shown.same as Grid;
    expect(applySymmetry(grid, symmetry)).toEqual(shown[symmetry]);
    expect(applySymmetry(applySymmetry(grid, symmetry), invertSymmetry(symmetry))).toEqual(grid);
  });

  test('every augmentation can be taken back', () => {
    const colours = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 10 });
    fc.assert(
      fc.property(anyGrid(8), fc.constantFrom(...symmetries), colours, (grid, symmetry, exchanged) => {
        const augmented = augment(grid, { symmetry, colours: exchanged });
        expect(isGrid(augmented)).toBe(true);
        expect(restore(augmented, { symmetry, colours: exchanged })).toEqual(grid);
        expect(permuteColors(permuteColors(grid, exchanged), invertColorMap(exchanged))).toEqual(grid);
      }),
      seededRuns,
    );
  });

  test('as many different ones as asked for, the unchanged first, the same for the same chance', () => {
    const chance = () => {
      const below = seeded(7);
      return () => below(1_000_000) / 1_000_000;
    };
    const made = createAugmentations(20, chance());
    expect(made).toHaveLength(20);
    expect(made[0]).toEqual(unchanged);
    expect(new Set(made.map((each) => JSON.stringify(each))).size).toBe(20);
    expect(made.every(({ colours }) => [...colours].sort().join('') === '0123456789')).toBe(true);
    expect(made.some(({ colours }) => colours[0] !== 0)).toBe(true);
    expect(createAugmentations(20, chance())).toEqual(made);
    expect(createAugmentations(0, chance())).toEqual([]);
  });

  test('a chance that always says the same gives fewer, and ends', () => {
    expect(createAugmentations(50, () => 0).length).toBeLessThan(50);
  });
});
