/** Two signs in turn to 20,000: some pairs of each reader by its seed, all of them with POLYA_DOUBLING=all. */
import { test } from 'vitest';
import { seededChance } from '../../src/core/seeded-chance.ts';
import { expectLinear, signs } from './linear.ts';
import { readers } from './parsers.ts';

// Which of the two begins is one sign of 20,000.
const pairs = signs.flatMap((one, at) => signs.slice(at + 1).map((other) => one + other));
const share = process.env.POLYA_DOUBLING === 'all' ? 1 : 0.2;

// Of the clock there is no limit: it is processor time that is held.
test.each(Object.entries(readers))('%s', { timeout: 0 }, (name, read) => {
  const { next } = seededChance(name);
  for (const pair of pairs.filter(() => next() < share)) expectLinear(read, pair, 20_000);
});
