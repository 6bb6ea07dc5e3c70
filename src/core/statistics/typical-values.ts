/** Hartigan's typical values: an interval for a mean that keeps its level for few values, where a bootstrap does not. */
import type { Interval } from './proportion.ts';

export type TypicalValueOptions = {
  /** Uniform in [0, 1); drawn from where there are too many parts to go through all of them. */
  readonly random: () => number;
  readonly level?: number;
};

const mostEnumerated = 14;
const drawn = 8_191;

/** Null where the values are too few for the level. */
export function typicalInterval(
  values: readonly number[],
  { random, level = 0.95 }: TypicalValueOptions,
): Interval | null {
  const means =
    values.length <= mostEnumerated ? allResampleMeans(values) : sampledResampleMeans(values, random);
  means.sort((a, b) => a - b);
  const rank = Math.floor(((1 - level) / 2) * (means.length + 1) + 1e-9);
  const [low, high] = [means[rank - 1], means[means.length - rank]];
  return rank < 1 || low === undefined || high === undefined ? null : { low, high };
}

/** The means of every non-empty subset. */
function allResampleMeans(values: readonly number[]): number[] {
  const means: number[] = [];
  for (let part = 1; part < 2 ** values.length; part += 1)
    means.push(meanOf(values.filter((_, at) => (part >> at) & 1)));
  return means;
}

/** The means of random subsets. */
function sampledResampleMeans(values: readonly number[], random: () => number): number[] {
  const means: number[] = [];
  while (means.length < drawn) {
    const part = values.filter(() => random() < 0.5);
    if (part.length > 0) means.push(meanOf(part));
  }
  return means;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}
