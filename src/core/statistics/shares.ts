/** Wilson's and Newcombe's intervals for shares by subject, widened because trials of one subject are not independent. */
import { mean } from './bootstrap.ts';
import { type Interval, wilsonOf } from './proportion.ts';

export type Proportions = {
  /** The share of each subject, from 0 to 1. */
  readonly shares: readonly number[];
  /** The trials of all subjects together. */
  readonly trials: number;
};

/** Null where there are no subjects. */
export function shareInterval({ shares, trials }: Proportions, level = 0.95): Interval | null {
  const share = mean(shares);
  return share === null ? null : wilsonOf(share, effectiveTrials(shares, trials), level);
}

/** Never fewer than there are subjects, never more than there were trials. */
function effectiveTrials(shares: readonly number[], trials: number): number {
  const share = mean(shares) ?? 0;
  const squares = shares.reduce((sum, each) => sum + (each - share) ** 2, 0);
  const ofMean = squares / Math.max(1, shares.length - 1) / shares.length;
  const independent = (share * (1 - share)) / ofMean;
  // Nothing is spread where all subjects are alike: 0 by 0, or by next to nothing.
  const known = squares < 1e-12 ? trials : independent;
  const isSure = share < 1e-12 || share > 1 - 1e-12;
  return isSure ? shares.length : Math.min(Math.max(known, shares.length), Math.max(trials, shares.length));
}

/** The mean of `second` less `first`, of the same subjects in order. Unlike resampling, it stays wide for few subjects. */
export function pairedDifferenceInterval(
  first: Proportions,
  second: Proportions,
  level = 0.95,
): Interval | null {
  const [before, after] = [mean(first.shares), mean(second.shares)];
  const [one, interval] = [shareInterval(first, level), shareInterval(second, level)];
  if (before === null || after === null || !one || !interval) return null;
  const common = correlation(first.shares, second.shares);
  const together = (a: number, b: number) => Math.sqrt(Math.max(0, a * a - 2 * common * a * b + b * b));
  const difference = after - before;
  return {
    low: Math.max(-1, difference - together(after - interval.low, one.high - before)),
    high: Math.min(1, difference + together(interval.high - after, before - one.low)),
  };
}

/** Newcombe's: one that speaks for a narrow interval is corrected for chance. 0 where one of them does not vary. */
function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanOfA, meanOfB] = [mean(a) ?? 0, mean(b) ?? 0];
  const count = Math.max(1, a.length);
  const sumOf = (pick: (at: number) => number) => a.reduce((sum, _, at) => sum + pick(at), 0) / count;
  const ofA = (at: number) => (a[at] ?? 0) - meanOfA;
  const ofB = (at: number) => (b[at] ?? 0) - meanOfB;
  const spread = Math.sqrt(sumOf((at) => ofA(at) ** 2) * sumOf((at) => ofB(at) ** 2));
  if (spread < 1e-12) return 0;
  const covariance = sumOf((at) => ofA(at) * ofB(at));
  return (covariance > 0 ? Math.max(0, covariance - 1 / (2 * count)) : covariance) / spread;
}
