import { describe, expect, test } from 'vitest';
import { seededChance } from './seeded-chance.ts';

describe('chance', () => {
  test('a seed determines the numbers', () => {
    const draw = (seed: string) => Array.from({ length: 4 }, seededChance(seed).next);
    expect(draw('a')).toEqual(draw('a'));
    expect(draw('a')).not.toEqual(draw('b'));
    // Inputs of practice puzzles are made from these: a change here changes every one of them.
    expect(draw('polya').map((number) => number.toFixed(6))).toMatchInlineSnapshot(`
      [
        "0.328051",
        "0.952138",
        "0.477928",
        "0.537550",
      ]
    `);
  });

  test('the numbers are spread evenly', () => {
    const { next } = seededChance('even');
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 10_000; i++) {
      const bucket = Math.floor(next() * 10);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
    }
    expect(Math.min(...counts)).toBeGreaterThan(850);
    expect(Math.max(...counts)).toBeLessThan(1_150);
  });
});
