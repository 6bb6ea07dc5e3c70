/** Scores as a contest adds them up: as they are, or relative to the best known of each case. Pure. */
import { type Direction, isBetter, shareOfBest } from '../../../core/program.ts';

/** The points of a case in a contest with relative scores: at most 10^9, 0 without a score. */
export function relativeScore(direction: Direction, score: number | null, best: number | null): number {
  return score === null ? 0 : Math.round(1e9 * shareOfBest(score, best, direction));
}

/** The better of two known ones; null is none. */
export function betterOf(direction: Direction, one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return isBetter(one, other, direction) ? one : other;
}
