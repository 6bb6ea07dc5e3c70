import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../puzzle.ts';
import { garlandsForTheSummit } from './day25-garlands-for-the-summit.ts';

const isTurned = (a: string, b: string) => a.length === b.length && (a + a).includes(b);
const isAlike = (a: string, b: string) => isTurned(a, b) || isTurned([...a].reverse().join(''), b);

/** Puts every garland beside the first one that it matches. */
function countKinds(garlands: readonly string[], matches: (a: string, b: string) => boolean): string {
  const kinds: { first: string; count: number }[] = [];
  for (const garland of garlands) {
    const kind = kinds.find(({ first }) => matches(first, garland));
    if (kind) kind.count++;
    else kinds.push({ first: garland, count: 1 });
  }
  return String(kinds.length * Math.max(...kinds.map(({ count }) => count)));
}

test('agrees with laying each garland on the others', () => {
  const garland = fc.string({ unit: fc.constantFrom('r', 'g', 'b'), minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(fc.array(garland, { minLength: 1, maxLength: 40 }), (garlands) => {
      expect(garlandsForTheSummit.solve(`${garlands.join('\n')}\n`)).toEqual([countKinds(garlands, isAlike)]);
    }),
    { seed: 1 },
  );
});

test('whoever forgets to turn garlands, or to turn them over, is wrong', () => {
  const coloursOf = (garland: string) => [...garland].sort().join('');
  for (let seed = 0; seed < 8; seed++) {
    const input = garlandsForTheSummit.generate(seededRandom(`garlands ${seed}`));
    const garlands = input.trim().split('\n');
    const [right] = garlandsForTheSummit.solve(input);
    expect(right).toBe(countKinds(garlands, isAlike));
    const misreadings = [
      isTurned,
      (a: string, b: string) => a === b || [...a].reverse().join('') === b,
      (a: string, b: string) => coloursOf(a) === coloursOf(b),
    ];
    for (const matches of misreadings) expect(countKinds(garlands, matches)).not.toBe(right);
  }
});
