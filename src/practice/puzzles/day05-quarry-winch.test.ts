import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../puzzle.ts';
import { quarryWinch } from './day05-quarry-winch.ts';

/** The orders written out in full, from the innermost brackets outwards, and then played through. */
function play(input: string, unit: number): { end: number; high: number; low: number } {
  let text = input;
  while (text.includes('(')) {
    text = text.replaceAll(/(\d+)\(([^()]*)\)/g, (_, times, orders) =>
      ` ${orders} `.repeat(Number(times) * unit),
    );
  }
  let end = 0;
  let high = 0;
  let low = 0;
  for (const [, way, by] of text.matchAll(/([UD])(\d+)/g)) {
    end += way === 'U' ? Number(by) : -Number(by);
    high = Math.max(high, end);
    low = Math.min(low, end);
  }
  return { end, high, low };
}

function expectedFor(input: string): string[] {
  const { high, low } = play(input, 1_000);
  return [String(play(input, 1).end), String(high - low)];
}

const order = fc
  .record({ way: fc.constantFrom('U', 'D'), by: fc.nat(15) })
  .map(({ way, by }) => `${way}${by}`);
const orders = fc.array(order, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
const brackets = fc
  .record({ times: fc.integer({ min: 1, max: 3 }), orders })
  .map((b) => `${b.times}(${b.orders})`);
const card = fc
  .array(fc.oneof(order, brackets), { minLength: 1, maxLength: 4 })
  .map((list) => list.join(' '));

test('agrees with playing it through', () => {
  fc.assert(
    fc.property(fc.array(card, { minLength: 1, maxLength: 4 }), (cards) => {
      const input = `${cards.join('\n')}\n`;
      expect(quarryWinch.solve(input)).toEqual(expectedFor(input));
    }),
    { numRuns: 50, seed: 1 },
  );
});

test.each(['D5 1(U1 1(D2 U1) U3 2(U1)) U2', '1(1(U3 D4) U2)\n1(U9 1(D1))'])(
  'brackets within brackets: %s',
  (input) => {
    expect(quarryWinch.solve(input)).toEqual(expectedFor(input));
  },
);

test('a rope is longer than a double can tell, and than what single heights tell', () => {
  for (let seed = 0; seed < 20; seed++) {
    const input = quarryWinch.generate(seededRandom(`winch ${seed}`));
    const [height, rope] = quarryWinch.solve(input);
    expect(BigInt(rope)).toBeGreaterThan(2n ** 53n);
    const lines = input.trim().split('\n');
    const { high, low } = play(input, 1);
    expect(height).not.toBe(String(high - low));
    // The numbers in front of brackets matter, and so does keeping the hook where it is between cards.
    expect(height).not.toBe(String(play(input.replaceAll(/\d+\(/g, '1('), 1).end));
    expect(rope).not.toBe(String(Math.max(...lines.map((line) => Number(quarryWinch.solve(line)[1])))));
  }
});
