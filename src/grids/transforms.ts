/**
 * The changes under which an ARC task stays the same task: the eight symmetries of a rectangle's grid, and exchanges of
 * colours. Each has its inverse, so that what was found for the changed task is an answer to the first one. For votes
 * over augmentations. Chance is the caller's.
 */
import type { Grid } from '../core/problem.ts';
import { colourCount } from './grid.ts';

export const symmetries = [
  ...(['same', 'rotate-90', 'rotate-180', 'rotate-270'] as const),
  ...(['mirror', 'flip', 'transpose', 'transpose-other'] as const),
];

type Symmetry = (typeof symmetries)[number];

/** `colours[c]` takes the place of colour c. */
export type Augmentation = { readonly symmetry: Symmetry; readonly colours: readonly number[] };

export const unchanged: Augmentation = { symmetry: 'same', colours: identity() };

export function augment(grid: Grid, { symmetry, colours }: Augmentation): Grid {
  return permuteColors(applySymmetry(grid, symmetry), colours);
}

/** Takes `augment` back. */
export function restore(grid: Grid, { symmetry, colours }: Augmentation): Grid {
  return applySymmetry(permuteColors(grid, invertColorMap(colours)), invertSymmetry(symmetry));
}

export function invertSymmetry(symmetry: Symmetry): Symmetry {
  if (symmetry === 'rotate-90') return 'rotate-270';
  return symmetry === 'rotate-270' ? 'rotate-90' : symmetry;
}

/** Rotations go clockwise; `mirror` exchanges left and right, `flip` top and bottom. */
export function applySymmetry(grid: Grid, symmetry: Symmetry): Grid {
  return changes[symmetry](grid);
}

const mirrored = (grid: Grid): Grid => grid.map((row) => row.toReversed());

const changes: Readonly<Record<Symmetry, (grid: Grid) => Grid>> = {
  same: (grid) => grid,
  mirror: mirrored,
  flip: (grid) => grid.toReversed(),
  'rotate-180': (grid) => mirrored(grid.toReversed()),
  transpose: transpose,
  'rotate-90': (grid) => transpose(grid.toReversed()),
  'rotate-270': (grid) => transpose(grid).toReversed(),
  'transpose-other': (grid) => transpose(mirrored(grid.toReversed())),
};

function transpose(grid: Grid): Grid {
  return (grid[0] ?? []).map((_, x) => grid.map((row) => row[x] ?? 0));
}

export function permuteColors(grid: Grid, colours: readonly number[]): Grid {
  return grid.map((row) => row.map((cell) => colours[cell] ?? cell));
}

export function invertColorMap(colours: readonly number[]): readonly number[] {
  const inverse = identity();
  for (const [from, to] of colours.entries()) inverse[to] = from;
  return inverse;
}

/** Against a `random` that says the same again and again. */
const mostTriesEach = 100;

/**
 * So many different ones, the unchanged first. `random` is uniform in [0, 1). Black, the usual background, stays black
 * in half of them: models reason better about a background that they know.
 */
export function createAugmentations(count: number, random: () => number): readonly Augmentation[] {
  const found = new Map<string, Augmentation>([[JSON.stringify(unchanged), unchanged]]);
  for (let tries = count * mostTriesEach; found.size < count && tries > 0; tries -= 1) {
    const symmetry = symmetries[Math.floor(random() * symmetries.length)] ?? 'same';
    const keepsBlack = random() < 0.5;
    const created = { symmetry, colours: shufflePermutation(keepsBlack ? 1 : 0, random) };
    found.set(JSON.stringify(created), created);
  }
  return [...found.values()].slice(0, Math.max(0, count));
}

function identity(): number[] {
  return Array.from({ length: colourCount }, (_, colour) => colour);
}

/** Fisher and Yates; the colours before `from` stay. */
function shufflePermutation(from: number, random: () => number): readonly number[] {
  const colours = identity();
  for (let at = colours.length - 1; at > from; at -= 1) {
    const other = from + Math.floor(random() * (at - from + 1));
    [colours[at], colours[other]] = [colours[other] ?? at, colours[at] ?? other];
  }
  return colours;
}
