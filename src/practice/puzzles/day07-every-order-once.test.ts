import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../puzzle.ts';
import { everyOrderOnce } from './day07-every-order-once.ts';

/** The whole book of a train. */
function bookOf(train: string): string[] {
  if (train.length < 2) return [train];
  const firsts = [...new Set(train)].sort();
  return firsts.flatMap((first) => bookOf(train.replace(first, '')).map((rest) => first + rest));
}

const pageOf = (train: string) => bookOf(train).indexOf(train) + 1;
const sumOf = (trains: readonly string[]) => String(trains.reduce((sum, train) => sum + pageOf(train), 0));

test('agrees with writing the books', () => {
  const train = fc.string({ unit: fc.constantFrom('C', 'F', 'M'), minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(train, train, train), { minLength: 1, maxLength: 3 }), (groups) => {
      const long = groups.map((group) => group.join(''));
      expect(everyOrderOnce.solve(`${groups.flat().join('\n')}\n`)).toEqual([
        sumOf(groups.flat()),
        sumOf(long),
      ]);
    }),
    { numRuns: 60, seed: 1 },
  );
});

test('the books of single trains can be written, those of long ones cannot, and equal wagons matter', () => {
  for (let seed = 0; seed < 3; seed++) {
    const input = everyOrderOnce.generate(seededRandom(`trains ${seed}`));
    const trains = input.trim().split('\n');
    expect(trains.length % 3).toBe(0);
    const [short, long] = everyOrderOnce.solve(input);
    expect(short).toBe(sumOf(trains));
    expect(BigInt(long)).toBeGreaterThan(2n ** 53n);
    expect(trains.every((train) => new Set(train).size < train.length)).toBe(true);
  }
});
