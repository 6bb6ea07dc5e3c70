/**
 * A program that was written again with less takes the place of the one it was made from, where it is shorter and a paired
 * test does not find it worse: programs of such searches grow, and what is shorter is easier to change. Pure.
 */
import type { Points, Rules } from './points.ts';
import type { Program } from './population.ts';
import { isHopeless } from './race.ts';
import { tokensOf } from './token-runs.ts';

/** A name that became shorter is no simplification. */
const leastShorter = 0.03;

export type Comparison = {
  readonly points: Points;
  readonly rules: Rules;
  readonly level: number;
  readonly isPython: boolean;
  readonly random: () => number;
};

type Measured = Pick<Program, 'source' | 'outcomes'>;

/** By what part it is shorter; null where it does not take its parent's place. */
export function simplerBy(
  parent: Measured,
  program: Measured,
  { points, rules, level, isPython, random }: Comparison,
): number | null {
  const [before, after] = [parent, program].map(({ source }) => tokensOf(source, isPython).join(' ').length);
  const shorter = 1 - (after ?? 0) / Math.max(1, before ?? 0);
  if (shorter < leastShorter) return null;
  const differences = points.differences(parent.outcomes, program.outcomes, rules);
  if (!differences || differences.length === 0) return null;
  return isHopeless(differences, level, random) ? null : shorter;
}
