import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../puzzle.ts';
import { coalForTheClimb } from './day06-coal-for-the-climb.ts';

type Stop = { price: number; burns: number };

/** Tries every number of sacks at every station. */
function cheapest(stops: readonly Stop[], tender: number, fee: number, sacks = 0): number {
  const [stop, ...later] = stops;
  if (!stop) return 0;
  let best = Number.POSITIVE_INFINITY;
  for (let buy = 0; sacks + buy <= tender; buy++) {
    const left = sacks + buy - stop.burns;
    if (left < 0) continue;
    const cost = buy * stop.price + (buy > 0 ? fee : 0) + cheapest(later, tender, fee, left);
    best = Math.min(best, cost);
  }
  return best;
}

const stop = fc.record({ price: fc.integer({ min: 1, max: 9 }), burns: fc.integer({ min: 1, max: 4 }) });

test('agrees with trying everything', () => {
  fc.assert(
    fc.property(
      fc.array(stop, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 4, max: 8 }),
      fc.nat(12),
      (stops, tender, fee) => {
        const lines = stops.map(({ price, burns }, at) => `S${at}: price ${price}, burns ${burns}\n`);
        const input = `tender ${tender}\nstoker ${fee}\n${lines.join('')}`;
        const all = stops.reduce((sum, { burns }) => sum + burns, 0);
        expect(coalForTheClimb.solve(input)).toEqual([
          String(cheapest(stops, all, 0)),
          String(cheapest(stops, tender, fee)),
        ]);
      },
    ),
    { seed: 1 },
  );
});

test('neither buying step by step nor forgetting tender or stoker is good enough', () => {
  for (let seed = 0; seed < 8; seed++) {
    const input = coalForTheClimb.generate(seededRandom(`coal ${seed}`));
    const [free, dear] = coalForTheClimb.solve(input).map(Number);
    const stops = [...input.matchAll(/price (\d+), burns (\d+)/g)].map(([, price, burns]) => ({
      price: Number(price),
      burns: Number(burns),
    }));
    expect(new Set(input.match(/^\w+:/gm)).size).toBe(stops.length);
    const stepByStep = stops.reduce((sum, { price, burns }) => sum + price * burns, 0);
    expect(free).toBeLessThan(stepByStep);
    const withoutStoker = coalForTheClimb.solve(input.replace(/stoker \d+/, 'stoker 0'))[1];
    const withoutTender = coalForTheClimb.solve(input.replace(/tender \d+/, 'tender 4000'))[1];
    expect(new Set([String(free), String(dear), withoutStoker, withoutTender]).size).toBe(4);
  }
});
