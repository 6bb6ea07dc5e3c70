/**
 * One reply freezes nothing: of what is repeated, a text that is twice as long takes less than three times as long to read.
 * Here a seeded part of the signs, words and pairs, other ones for each reader; the `doubling-*.long.test.ts` take them all.
 */
import { describe, expect, test } from 'vitest';
import { seededChance } from '../../src/core/seeded-chance.ts';
import { findGrids } from '../../src/grids/parse.ts';
import { expectLinear, signs, words } from './linear.ts';
import { readers } from './parsers.ts';

describe.each(Object.entries(readers))('%s', (name, read) => {
  const { next: chance } = seededChance(name);
  const some = <T>(from: readonly T[], count: number): readonly T[] =>
    Array.from({ length: count }, () => from[Math.floor(chance() * from.length)]).flatMap((each) =>
      each === undefined ? [] : [each],
    );

  test('a sign or a word that is repeated', () => {
    for (const unit of [...some(signs, 3), ...some(words, 8)]) expectLinear(read, unit, 20_000);
  });

  test('two signs in turn', () => {
    const [ones, others] = [some(signs, 5), some(signs, 5)];
    for (const [at, one] of ones.entries()) expectLinear(read, one + others[at], 20_000);
  });
});

test('every line of a long reply was read to its end in search of "no answer"', () => {
  const read = readers['answers (math)'] ?? String;
  for (const unit of ['"\n', ' \n', '\n\n', '. \n', 'no answer\n']) expectLinear(read, unit, 100_000);
});

test('a run of backticks with a line separator behind each hung the reader of grids for minutes', () => {
  expect(findGrids(`${'`\u2028'.repeat(100_000)}\n1 2\n3 4`)).toMatchObject([
    {
      grid: [
        [1, 2],
        [3, 4],
      ],
    },
  ]);
  expect(findGrids('1 2\u20283 4\u2029')).toMatchObject([
    {
      grid: [
        [1, 2],
        [3, 4],
      ],
    },
  ]);
});

test('what ends a list as none ends those within it, and a list that is whole is seen', () => {
  expect(findGrids(`${'['.repeat(100_000)}(`)).toEqual([]);
  // A list within what is none is found, and called a part.
  expect(findGrids(`[${'['.repeat(50)} [[1, 2], [3, 4]], foo(1)`)).toMatchObject([
    { fault: expect.any(String) },
  ]);
  expect(findGrids('['.repeat(20_000) + ']'.repeat(20_000)).length).toBeLessThan(20_000);
});
