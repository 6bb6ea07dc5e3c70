/** An interval for a mean that assumes nothing about how its values are spread: the percentile bootstrap. */
import type { Interval } from './proportion.ts';

export type BootstrapOptions = {
  /** Uniform in [0, 1): the same numbers give the same interval. */
  readonly random: () => number;
  readonly rounds?: number;
  readonly level?: number;
};

/** Null where there are no values. */
export function bootstrapMean(
  values: readonly number[],
  { random, rounds = 2_000, level = 0.95 }: BootstrapOptions,
): Interval | null {
  if (values.length === 0) return null;
  const means: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw += 1) {
      sum += values[Math.floor(random() * values.length)] ?? 0;
    }
    means.push(sum / values.length);
  }
  means.sort((a, b) => a - b);
  const tail = (1 - level) / 2;
  return { low: quantile(means, tail), high: quantile(means, 1 - tail) };
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0) / values.length;
}

/** A quantile of sorted values, interpolated between neighbours. */
function quantile(sorted: readonly number[], p: number): number {
  const at = p * (sorted.length - 1);
  const lower = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? Number.NaN;
  return lower + (above - lower) * (at - Math.floor(at));
}
