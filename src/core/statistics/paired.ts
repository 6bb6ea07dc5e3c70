/** Two-sided p-values for two treatments of the same subjects. */
import { logGamma } from './special.ts';

/** McNemar's exact test of subjects that the two treat differently: how many succeeded with one of them alone. */
export function mcnemarExact(onlyFirst: number, onlySecond: number): number {
  const discordant = onlyFirst + onlySecond;
  if (discordant === 0) return 1;
  return Math.min(1, 2 * binomialCdf(Math.min(onlyFirst, onlySecond), discordant));
}

export type PermutationOptions = {
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Draws, where there are too many sign patterns to go through all of them. */
  readonly rounds?: number;
};

const mostEnumerated = 14;

/** Fisher's permutation test: all patterns of signs for up to 14 differences that are not zero, else `rounds` draws. */
export function permutationTest(
  differences: readonly number[],
  { random, rounds = 10_000 }: PermutationOptions,
): number {
  const shift = differences.filter((each) => each !== 0);
  if (shift.length === 0) return 1;
  const size = shift.reduce((sum, each) => sum + Math.abs(each), 0);
  // Sums of the same numbers in another order differ in their last digits.
  const observed = Math.abs(shift.reduce((sum, each) => sum + each, 0)) - size * 1e-12;
  if (shift.length <= mostEnumerated) return exactPermutationP(shift, observed);
  let hits = 0;
  for (let round = 0; round < rounds; round += 1) {
    const sum = shift.reduce((total, each) => total + (random() < 0.5 ? each : -each), 0);
    if (Math.abs(sum) >= observed) hits += 1;
  }
  // What was observed is one of the patterns: a p-value is never zero.
  return (hits + 1) / (rounds + 1);
}

function exactPermutationP(shifted: readonly number[], observed: number): number {
  const patterns = 2 ** shifted.length;
  let hits = 0;
  for (let pattern = 0; pattern < patterns; pattern += 1) {
    const sum = shifted.reduce((total, each, at) => total + ((pattern >> at) & 1 ? each : -each), 0);
    if (Math.abs(sum) >= observed) hits += 1;
  }
  return hits / patterns;
}

/** More ways than this make no number. */
const mostCounted = 1_000;

/** P(X ≤ most) for so many tosses of a fair coin. */
function binomialCdf(most: number, tosses: number): number {
  return tosses <= mostCounted ? countSubsets(most, tosses) : estimated(most, tosses);
}

/** Whole numbers, exact as long as they are small. */
function countSubsets(most: number, tosses: number): number {
  let ways = 1;
  let sum = 0;
  for (let headerCount = 0; headerCount <= most; headerCount += 1) {
    sum += ways;
    ways = (ways * (tosses - headerCount)) / (headerCount + 1);
  }
  return sum * 0.5 ** tosses;
}

function estimated(most: number, tosses: number): number {
  let sum = 0;
  for (let headerCount = 0; headerCount <= most; headerCount += 1) {
    const ways = logGamma(tosses + 1) - logGamma(headerCount + 1) - logGamma(tosses - headerCount + 1);
    sum += Math.exp(ways - tosses * Math.LN2);
  }
  return sum;
}

/** In the order in which they were given. */
export function holm(pValues: readonly number[]): readonly number[] {
  const corrected = pValues.map(() => 1);
  const byValue = pValues.map((p, at) => ({ p, at })).toSorted((a, b) => a.p - b.p);
  let largest = 0;
  for (const [rank, { p, at }] of byValue.entries()) {
    largest = Math.max(largest, Math.min(1, p * (pValues.length - rank)));
    corrected[at] = largest;
  }
  return corrected;
}
