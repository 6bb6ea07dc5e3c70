/** Where the value of a constant is looked for, if its author says nothing: some eightfold to both sides. Pure. */
import type { ConstantRange } from './constant-marks.ts';

const fold = 8;
const mostInteger = 2 ** 31 - 1;

export function usualRange({
  value,
  isInteger,
}: {
  readonly value: number;
  readonly isInteger: boolean;
}): ConstantRange {
  if (value < 0) return mirrored(usualRange({ value: -value, isInteger }));
  return isInteger ? integerRange(value) : realRange(value);
}

function mirrored({ low, high }: ConstantRange): ConstantRange {
  return { low: -high, high: -low, scale: 'linear' };
}

function integerRange(value: number): ConstantRange {
  // A few steps of one are all there is near zero.
  if (value <= 2) return { low: 0, high: fold, scale: 'linear' };
  const high = Math.min(mostInteger, Math.round(value * fold));
  return { low: Math.max(1, Math.round(value / fold)), high, scale: 'log' };
}

function realRange(value: number): ConstantRange {
  if (value === 0) return { low: -1, high: 1, scale: 'linear' };
  // A factor such as 0.999 lives by its distance from one.
  if (value > 0.9 && value < 1)
    return { low: 1 - fold * (1 - value), high: 1 - (1 - value) / fold, scale: 'linear' };
  // What is not above one may be a share or a probability.
  return { low: value / fold, high: value < 1 ? Math.min(1, value * fold) : value * fold, scale: 'log' };
}
