/** Intervals for shares by subject, against Newcombe's method 10 from SciPy's Wilson intervals, and what must always hold. */
import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededChance } from '../seeded-chance.ts';
import { wilsonInterval } from './proportion.ts';
import { type Proportions, pairedDifferenceInterval, shareInterval } from './shares.ts';

const sharesOf = (shares: readonly number[], each = 1): Proportions => ({
  shares,
  trials: each * shares.length,
});
const times = (count: number, value: number): number[] => Array.from({ length: count }, () => value);

describe('a paired difference', () => {
  test.each([
    [36, 12, 2, 0, -0.3404276029749408, -0.05692958400323875],
    [2, 12, 36, 0, 0.21599931282396506, 0.6772293894636376],
    [0, 0, 6, 0, 0.4479839561895135, 1],
    [0, 0, 0, 5, -0.43448246478317476, 0.43448246478317476],
    [40, 5, 15, 40, 0.012305502434682161, 0.18436902937822675],
    [53, 1, 0, 1, -0.10121303407018244, 0.055137486135084665],
    [30, 0, 0, 30, -0.03166803123606144, 0.03166803123606144],
  ])('of %i both, %i first, %i second, %i none is Newcombe’s', (pair, one, two, none, low, high) => {
    const first = sharesOf([...times(pair, 1), ...times(one, 1), ...times(two, 0), ...times(none, 0)]);
    const second = sharesOf([...times(pair, 1), ...times(one, 0), ...times(two, 1), ...times(none, 0)]);
    const found = pairedDifferenceInterval(first, second);
    expect(found?.low).toBeCloseTo(low, 10);
    expect(found?.high).toBeCloseTo(high, 10);
  });

  test('holds the difference, turns with its sides, and lies in -1 to 1', () => {
    const share = constantFrom(0, 1 / 3, 2 / 3, 1);
    assert(
      property(
        array(share, { minLength: 1, maxLength: 30 }),
        array(share, { minLength: 30, maxLength: 30 }),
        (a, all) => {
          const b = all.slice(0, a.length);
          const found = pairedDifferenceInterval(sharesOf(a, 3), sharesOf(b, 3));
          const interval = pairedDifferenceInterval(sharesOf(b, 3), sharesOf(a, 3));
          const difference =
            (b.reduce((sum, each) => sum + each, 0) - a.reduce((sum, each) => sum + each, 0)) / a.length;
          expect(found?.low).toBeGreaterThanOrEqual(-1);
          expect(found?.low).toBeLessThanOrEqual(difference + 1e-12);
          expect(found?.high).toBeGreaterThanOrEqual(difference - 1e-12);
          expect(found?.high).toBeLessThanOrEqual(1);
          expect(found?.low).toBeCloseTo(-(interval?.high ?? Number.NaN), 10);
        },
      ),
      { seed: 9, numRuns: 200 },
    );
    expect(pairedDifferenceInterval(sharesOf([]), sharesOf([]))).toBeNull();
  });
});

describe('a share', () => {
  test('is Wilson’s where each subject was tried once, or came out the same each time', () => {
    for (const each of [1, 4]) {
      const found = shareInterval(sharesOf([...times(7, 1), ...times(13, 0)], each));
      const wilson = wilsonInterval(7, 20);
      // Once: exactly. More often: for as many subjects, and no more.
      expect(found?.low).toBeCloseTo(wilson.low, 10);
      expect(found?.high).toBeCloseTo(wilson.high, 10);
    }
    expect(shareInterval(sharesOf(times(9, 1), 5))).toEqual(wilsonInterval(9, 9));
    expect(shareInterval(sharesOf([]))).toBeNull();
  });

  test('of subjects that are all alike is that of their trials', () => {
    const found = shareInterval(sharesOf(times(6, 0.5), 2));
    expect(found?.low).toBeCloseTo(wilsonInterval(6, 12).low, 10);
  });

  test('is never certain of what was not always so: resampling gave 0 to 11.7 for 3 of 60', () => {
    const found = shareInterval(sharesOf([...times(28, 0), 1, 0.5], 2));
    expect(found?.low).toBeGreaterThan(0.005);
    expect(found?.high).toBeGreaterThan(0.15);
  });

  test('holds the true share about as often as it says, also for few subjects', () => {
    const { next } = seededChance('coverage');
    let held = 0;
    const rounds = 2_000;
    for (let round = 0; round < rounds; round += 1) {
      // Of uniform difficulty: a half in the mean. Three trials of each of ten.
      const shares = times(10, 0).map(() => {
        const easy = next();
        return times(3, 0).reduce((sum) => sum + Number(next() < easy) / 3, 0);
      });
      const { low = 1, high = 0 } = shareInterval(sharesOf(shares, 3)) ?? {};
      held += Number(low <= 0.5 && high >= 0.5);
    }
    expect(held / rounds).toBeGreaterThan(0.93);
    expect(held / rounds).toBeLessThan(0.985);
  });
});
