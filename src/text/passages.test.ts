import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectNgrams, findPassages, quotesOf } from './passages.ts';

const input = Array.from({ length: 40 }, (_, line) => `${(line * 7919) % 1009}`).join('\n');
const lines = input.split('\n');

describe('what is quoted', () => {
  test('short lines in a row, as they stand or as a list', () => {
    const some = lines.slice(10, 25);
    expect(quotesOf(input, `head\n${some.join('\n')}\ntail`)).toEqual([some.join('\n')]);
    expect(quotesOf(input, JSON.stringify(some))).toEqual([JSON.stringify(some).slice(2, -2)]);
    expect(quotesOf(input, `[${some.join(', ')}]`)).toEqual([some.join(', ')]);
    expect(quotesOf(input, JSON.stringify(some.join('\n')))).toHaveLength(1);
  });

  test('not a line or two, and not what is new', () => {
    expect(quotesOf(input, lines.slice(10, 13).join('\n'))).toEqual([]);
    expect(quotesOf(input, 'The sum of all numbers is a very large number indeed: 12345.')).toEqual([]);
    expect(quotesOf('', input)).toEqual([]);
  });

  test('of a source too long to be compared, all that is longer than a word or two', () => {
    const long = '7\n'.repeat(200_000);
    expect(quotesOf(long, 'The sum of all numbers is 1400000.')).toEqual([
      'The sum of all numbers is 1400000.',
    ]);
    expect(quotesOf(long, '1400000')).toEqual([]);
  });

  test('a map with backslashes', () => {
    const map = Array.from({ length: 9 }, (_, row) => `.|...\\..${row}-\\n`).join('\n');
    expect(quotesOf(map, JSON.stringify(map))).toEqual([JSON.stringify(map).slice(1, -4)]);
  });
});

test('of any text that holds a long piece of another, the whole piece is found', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'n', '#', '\\', '\n', ' '), maxLength: 60 });
  const long = fc.string({ unit: fc.constantFrom('1', '2', '3'), minLength: 24, maxLength: 80 });
  fc.assert(
    fc.property(letters, long, letters, letters, (before, part, after, redirect) => {
      const text = before + part + after;
      const passages = findPassages(text, collectNgrams(redirect, part));
      const isHidden = (at: number) => passages.some(({ start, end }) => start <= at && at < end);
      for (let at = 0; at < part.length; at++) expect(isHidden(before.length + at)).toBe(true);
      for (const [index, { start, end }] of passages.entries()) {
        expect(start).toBeLessThan(end);
        expect(start).toBeGreaterThanOrEqual(passages[index - 1]?.end ?? 0);
      }
    }),
    { seed: 1 },
  );
});
