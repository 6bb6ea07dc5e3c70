/** One sign or word to 200,000 characters: some of them for each reader by its seed, all of them with POLYA_DOUBLING=all. */
import { test } from 'vitest';
import { seededChance } from '../../src/core/seeded-chance.ts';
import { expectLinear, signs, words } from './linear.ts';
import { readers } from './parsers.ts';

const share = process.env.POLYA_DOUBLING === 'all' ? 1 : 0.2;

// Of the clock there is no limit: it is processor time that is held.
test.each(Object.entries(readers))('%s', { timeout: 0 }, (name, read) => {
  const { next } = seededChance(name);
  for (const unit of [...signs, ...words].filter(() => next() < share)) expectLinear(read, unit, 200_000);
});
