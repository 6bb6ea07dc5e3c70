import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../puzzle.ts';
import { lampsOnTheLine } from './day03-lamps-on-the-line.ts';

type Lamp = { at: number; reach: number };

const write = (lamps: readonly Lamp[]) => lamps.map(({ at, reach }) => `${at} reaches ${reach}\n`).join('');
const sleepersOf = ({ at, reach }: Lamp) => Array.from({ length: 2 * reach + 1 }, (_, i) => at - reach + i);
const litBy = (lamps: readonly Lamp[]) => new Set(lamps.flatMap(sleepersOf)).size;

test('agrees with counting sleepers and trying every choice of lamps', () => {
  const lamp = fc.record({ at: fc.integer({ min: 5, max: 35 }), reach: fc.integer({ min: 0, max: 5 }) });
  fc.assert(
    fc.property(fc.array(lamp, { minLength: 1, maxLength: 9 }), (lamps) => {
      const lit = litBy(lamps);
      let fewest = lamps.length;
      for (let choice = 0; choice < 1 << lamps.length; choice++) {
        const chosen = lamps.filter((_, index) => choice & (1 << index));
        if (chosen.length < fewest && litBy(chosen) === lit) fewest = chosen.length;
      }
      expect(lampsOnTheLine.solve(write(lamps))).toEqual([String(lit), String(fewest)]);
    }),
    { seed: 1 },
  );
});

test('who forgets what lamps share, or leaves out only lamps within another one, is wrong', () => {
  for (let seed = 0; seed < 8; seed++) {
    const input = lampsOnTheLine.generate(seededRandom(`lamps ${seed}`));
    const lamps = [...input.matchAll(/(\d+) reaches (\d+)/g)].map(([, at, reach]) => ({
      at: Number(at),
      reach: Number(reach),
    }));
    expect(Math.min(...lamps.map(({ at, reach }) => at - reach))).toBeGreaterThan(0);
    const [lit, fewest] = lampsOnTheLine.solve(input).map(Number);
    expect(lit).toBe(litBy(lamps));
    const notWithin = lamps.filter((lamp) =>
      lamps.every((other) => other === lamp || Math.abs(other.at - lamp.at) > other.reach - lamp.reach),
    );
    expect(fewest).toBeLessThan(notWithin.length);
  }
});
