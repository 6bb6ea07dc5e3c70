/**
 * The site's pages as HTML. The phrases that programs look for are those of the real site's wire; the rest is ours.
 * Knows nothing of requests, accounts or how an answer was judged.
 */
import type { AnyPuzzle } from './puzzle.ts';
import { layout } from './layout.ts';

export type Visitor = {
  readonly name: string;
  readonly stars: number;
  /** To the parts that are answered. */
  readonly answers: readonly string[];
  /** The other days of the event that lack stars. */
  readonly missing: readonly { readonly day: number; readonly stars: number }[];
};

export type DayView = {
  readonly year: number;
  readonly puzzle: AnyPuzzle;
  /** Null: not logged in. */
  readonly visitor: Visitor | null;
};
