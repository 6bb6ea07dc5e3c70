import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../puzzle.ts';
import { ticketStubs } from './day01-ticket-stubs.ts';

describe('Ticket Stubs, walked stretch by stretch', () => {
  const stub = fc.record({
    from: fc.integer({ min: 1, max: 9 }),
    to: fc.integer({ min: 1, max: 9 }),
    people: fc.integer({ min: 1, max: 5 }),
  });
  test('agrees with the solver', () => {
    fc.assert(
      fc.property(fc.array(stub, { minLength: 1, maxLength: 12 }), (stubs) => {
        const journeys = stubs.filter(({ from, to }) => from !== to);
        const over = new Map<number, number>();
        for (const { from, to, people } of journeys) {
          for (let at = from; at !== to; at += Math.sign(to - from)) {
            const stretch = at < to ? at : at - 1;
            over.set(stretch, (over.get(stretch) ?? 0) + people);
          }
        }
        const counts = [...over].sort(([, a], [, b]) => b - a);
        fc.pre(counts.length > 0 && counts[0]?.[1] !== counts[1]?.[1]);
        const rides = counts.reduce((sum, [, people]) => sum + people, 0);
        const [stretch, people] = counts[0] ?? [0, 0];
        const input = journeys.map(({ from, to, people }) => `${from}-${to}:${people}`).join('\n');
        expect(ticketStubs.solve(input)).toEqual([String(rides), String(stretch * people)]);
      }),
      { seed: 1 },
    );
  });

  test('a generated input has one busiest stretch', () => {
    for (let seed = 0; seed < 40; seed++) {
      const over = new Array<number>(70).fill(0);
      for (const [, from, to, people] of ticketStubs
        .generate(seededRandom(`tie ${seed}`))
        .matchAll(/(\d+)-(\d+):(\d+)/g)) {
        for (let at = Math.min(Number(from), Number(to)); at < Math.max(Number(from), Number(to)); at++) {
          over[at] = (over[at] ?? 0) + Number(people);
        }
      }
      const [most, next] = over.toSorted((a, b) => b - a);
      expect(most).toBeGreaterThan(next ?? 0);
    }
  });
});
