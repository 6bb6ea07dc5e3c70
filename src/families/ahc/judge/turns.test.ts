/** Who is served when: the earliest place first, never more at once than each of them allows, and nobody for ever. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newQueue } from './turns.ts';

const { signal } = new AbortController();
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('gaps at the end of an early place are filled by a later one', async () => {
  const queue = newQueue();
  const [early, turns] = [queue.enter(2), queue.enter(2)];
  const startedRuns: string[] = [];
  const take = (name: string, place: typeof early) =>
    place.take(signal).then((isGiven) => isGiven && startedRuns.push(name));
  for (const name of ['early 1', 'early 2']) void take(name, early);
  for (const name of ['late 1', 'late 2']) void take(name, turns);
  void take('early 3', early);
  await settled();
  expect(startedRuns).toEqual(['early 1', 'early 2']);
  early.give();
  await settled();
  expect(startedRuns.at(-1)).toBe('early 3');
  early.give();
  early.give();
  await settled();
  expect(startedRuns.slice(3)).toEqual(['late 1', 'late 2']);
});

test('who does not want it any more is not given it, and does not stand in the way', async () => {
  const queue = newQueue();
  const [first, second, turns] = [queue.enter(1), queue.enter(1), queue.enter(1)];
  const departure = new AbortController();
  expect(await first.take(signal)).toBe(true);
  const [missing, stays] = [second.take(departure.signal), turns.take(signal)];
  departure.abort();
  expect(await missing).toBe(false);
  expect(await second.take(departure.signal)).toBe(false);
  first.give();
  expect(await stays).toBe(true);
});

test('never more at once than allowed, each in its turn, and all in the end', async () => {
  const wishes = fc.array(
    fc.record({ limit: fc.integer({ min: 1, max: 4 }), count: fc.integer({ min: 1, max: 5 }) }),
    {
      minLength: 1,
      maxLength: 5,
    },
  );
  await fc.assert(
    fc.asyncProperty(wishes, async (all) => {
      const queue = newQueue();
      let busy = 0;
      const served: number[] = [];
      const works = all.flatMap(({ limit, count }, at) => {
        const place = queue.enter(limit);
        return Array.from({ length: count }, async () => {
          await place.take(signal);
          busy += 1;
          served.push(at);
          expect(busy).toBeLessThanOrEqual(limit);
          await settled();
          busy -= 1;
          place.give();
        });
      });
      await Promise.all(works);
      expect(busy).toBe(0);
      // All had asked before the first was served.
      expect(served).toEqual([...served].sort((a, b) => a - b));
    }),
    { seed: 4, numRuns: 50 },
  );
});
