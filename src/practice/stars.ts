/**
 * Which stars an account has, from the parts it answered: a star for each, and the second star of the last day for all
 * the others together. Pure. That second star is kept nowhere, so that it can neither be forgotten nor given twice.
 */
import type { AnyPuzzle } from './puzzle.ts';

/** Day → how many of its parts are answered; a day without any may be absent. */
export type Answered = ReadonlyMap<number, number>;

/** The stars of one day: 0, 1 or 2. */
export function starsOf(puzzle: AnyPuzzle, puzzles: readonly AnyPuzzle[], answered: Answered): number {
  const parts = answered.get(puzzle.day) ?? 0;
  const isLast = puzzle.parts.length === 1;
  return isLast && parts === 1 && missingBefore(puzzle, puzzles, answered).length === 0 ? 2 : parts;
}

/** The days besides this one that still lack a star. */
export function missingBefore(
  puzzle: AnyPuzzle,
  puzzles: readonly AnyPuzzle[],
  answered: Answered,
): { readonly day: number; readonly stars: number }[] {
  return puzzles
    .filter(({ day }) => day !== puzzle.day)
    .map(({ day, parts }) => ({ day, stars: parts.length - (answered.get(day) ?? 0) }))
    .filter(({ stars }) => stars > 0);
}

export function hasEveryStar(puzzles: readonly AnyPuzzle[], answered: Answered): boolean {
  return puzzles.every(({ day, parts }) => (answered.get(day) ?? 0) >= parts.length);
}

/** The last day whose second star comes with this answer to a part of some day, if that is so. */
export function lastDayCompletedBy(
  day: number,
  puzzles: readonly AnyPuzzle[],
  after: Answered,
): number | null {
  const last = puzzles.find(({ parts }) => parts.length === 1);
  return last && last.day !== day && starsOf(last, puzzles, after) === 2 ? last.day : null;
}
