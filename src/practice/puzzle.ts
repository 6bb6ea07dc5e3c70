/** A puzzle of the practice site. A new one needs a file and its text in `puzzles/`, and a line in `puzzles/index.ts`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededChance } from '../core/seeded-chance.ts';

export type Puzzle = PuzzleOf<readonly [string, string]>;

/** The last day of an event has one part to answer; its second star comes by itself, with all the others. */
export type LastPuzzle = PuzzleOf<readonly [string]>;

export type AnyPuzzle = Puzzle | LastPuzzle;

/** The puzzles of one December. */
export type PracticeEvent = { readonly year: number; readonly puzzles: readonly AnyPuzzle[] };

type PuzzleOf<Answers extends readonly string[]> = Statement & {
  readonly day: number;
  readonly title: string;
  generate(random: Random): string;
  /** The true answers, computed, one for each part. */
  solve(input: string): Answers;
};

type Statement = {
  /** HTML without headings. The first `<pre><code>` is the example, each last `<code><em>` its answer. */
  readonly parts: readonly string[];
  /** The input that the text explains. */
  readonly example: string;
};

/** `puzzles/NAME.html`: its parts, with `<hr>` between them. */
export function statement(name: string): Statement {
  const html = readFileSync(join(import.meta.dirname, 'puzzles', `${name}.html`), 'utf8');
  const parts = html.trimEnd().split('\n<hr>\n');
  return { parts, example: /<pre><code>([^<]*)<\/code>/.exec(html)?.[1] ?? '' };
}

/** Before the first real event, in 2015, so it never clashes with one, and all of its days are open. */
export const practiceYear = 2000;

/** Midnight in New York on a day of December, where winter time is five hours behind UTC. */
export function opensAtMs(year: number, day: number): number {
  return Date.UTC(year, 11, day, 5);
}

export type Random = {
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  shuffle<T>(list: readonly T[]): T[];
};

export function seededRandom(seed: string): Random {
  const { next } = seededChance(seed);
  return {
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    shuffle(list) {
      const keyed = list.map((item) => ({ item, key: next() }));
      return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
    },
  };
}
