/**
 * What a puzzle of the practice site is. To add one: write a file in `puzzles/` and its line in `puzzles/index.ts`;
 * the tests then hold its text against its solver.
 */
import type { Random } from './random.ts';

export type Puzzle = PuzzleOf<readonly [string, string]>;

/** The last day of an event has one part to answer; its second star comes by itself, with all the others. */
export type LastPuzzle = PuzzleOf<readonly [string]>;

export type AnyPuzzle = Puzzle | LastPuzzle;

/** The puzzles of one December. */
export type PracticeEvent = { readonly year: number; readonly puzzles: readonly AnyPuzzle[] };

type PuzzleOf<Parts extends readonly string[]> = {
  readonly day: number;
  readonly title: string;
  /**
   * HTML of the parts, without their headings. The first shows the example in its first `<pre><code>`;
   * each names its answer to the example in its last `<em>` within a `<code>`.
   */
  readonly parts: Parts;
  /** The input that the text explains. */
  readonly example: string;
  generate(random: Random): string;
  /** The true answers, computed: nobody wrote them down. */
  solve(input: string): Parts;
};

/**
 * The year of all practice puzzles. The real event began in 2015, so no real event will ever have this year; and
 * by the event's own rule, midnight in New York, all of its days have been open for long.
 */
export const practiceYear = 2000;

/** Midnight in New York on a day of December, where winter time is five hours behind UTC. */
export function opensAtMs(year: number, day: number): number {
  return Date.UTC(year, 11, day, 5);
}
