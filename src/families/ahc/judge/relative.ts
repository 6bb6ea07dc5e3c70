/** Scores as a contest adds them up: as they are, or relative to the best known of each case. Pure. */

export type Direction = 'maximise' | 'minimise';

export function isBetter(direction: Direction, score: number, than: number): boolean {
  return direction === 'maximise' ? score > than : score < than;
}

/** The points of a case in a contest with relative scores: at most 10^9, 0 without a score. */
export function relativeScore(direction: Direction, score: number | null, best: number | null): number {
  if (score === null) return 0;
  if (best === null || score === best) return 1e9;
  if (direction === 'maximise') return best <= 0 ? 1e9 : Math.round((1e9 * score) / best);
  return score <= 0 ? 1e9 : Math.round((1e9 * best) / score);
}

/** The better of two known ones; null is none. */
export function betterOf(direction: Direction, one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return isBetter(direction, one, other) ? one : other;
}
