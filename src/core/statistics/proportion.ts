/** Intervals for a proportion: how often something succeeds, from so many trials. */
import { normalQuantile } from './special.ts';

export type Interval = { readonly low: number; readonly high: number };

const usualLevel = 0.95;

/** Wilson's score interval: near its level for any number of trials, and never outside of 0 to 1. */
export function wilsonInterval(successes: number, trials: number, level = usualLevel): Interval {
  check(successes, trials, level);
  return trials === 0 ? { low: 0, high: 1 } : wilsonOf(successes / trials, trials, level);
}

/** The same of a share that is no whole number of trials. */
export function wilsonOf(share: number, trials: number, level = usualLevel): Interval {
  const z = normalQuantile(1 - (1 - level) / 2);
  const weight = 1 + (z * z) / trials;
  const centre = (share + (z * z) / (2 * trials)) / weight;
  const half = (z / weight) * Math.sqrt((share * (1 - share)) / trials + (z * z) / (4 * trials * trials));
  return {
    low: share === 0 ? 0 : Math.max(0, centre - half),
    high: share === 1 ? 1 : Math.min(1, centre + half),
  };
}

function check(successes: number, trials: number, level: number): void {
  const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0;
  if (!isCount(successes) || !isCount(trials) || successes > trials) {
    throw new RangeError(`${successes} of ${trials} is no proportion.`);
  }
  if (!(level > 0 && level < 1))
    throw new RangeError(`A level of ${level} is none: it lies between 0 and 1.`);
}
