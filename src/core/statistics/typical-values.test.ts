/** The interval from few values: as often right as it says, and of one mind with the permutation test. */
import { array, assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { seededChance } from '../seeded-chance.ts';
import { permutationTest } from './paired.ts';
import { typicalInterval } from './typical-values.ts';

const { next } = seededChance('typical values');
const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

test.each([6, 9, 16])('with %i values it misses the middle as often as it says', (size) => {
  const rounds = size > 14 ? 200 : 1_000;
  let misses = 0;
  for (let round = 0; round < rounds; round += 1) {
    const interval = typicalInterval(Array.from({ length: size }, normal), { random: next });
    if (!interval || interval.low > 0 || interval.high < 0) misses += 1;
  }
  expect(misses / rounds).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / rounds));
  expect(misses).toBeGreaterThan(0);
});

test('it excludes zero where the permutation test says 5 %, and nowhere else', () => {
  assert(
    property(
      array(
        integer({ min: -5, max: 20 }).map((value) => value || 1),
        { minLength: 6, maxLength: 9 },
      ),
      (values) => {
        const p = permutationTest(values, { random: next });
        const interval = typicalInterval(values, { random: next });
        if (!interval) return false;
        // At a tie with zero the one counts it as beyond, the other as within.
        const isTied = interval.low === 0 || interval.high === 0 || Math.abs(p - 0.05) < 1e-9;
        return isTied || p <= 0.05 === (interval.low > 0 || interval.high < 0);
      },
    ),
    { seed: 13, numRuns: 200 },
  );
});

test('five values are too few for 95 %, and enough for 80 %', () => {
  const values = [1, 2, 3, 4, 5];
  expect(typicalInterval(values, { random: next })).toBeNull();
  expect(typicalInterval(values, { random: next, level: 0.8 })).toEqual({ low: 2, high: 4 });
  expect(typicalInterval([], { random: next })).toBeNull();
});
