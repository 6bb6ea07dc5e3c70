import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nightMail } from './day02-night-mail.ts';

describe('The Night Mail, by trying every order of letters', () => {
  const names = ['Harbour', 'A', 'B', 'C', 'Summit'] as const;
  const station = fc.constantFrom(...names);
  const shuttle = fc.record({
    from: station,
    to: station,
    minutes: fc.integer({ min: 1, max: 9 }),
    every: fc.integer({ min: 1, max: 9 }),
  });
  const letters = fc.subarray(['A', 'B', 'C']);

  test('agrees with the solver', () => {
    fc.assert(
      fc.property(fc.array(shuttle, { minLength: 4, maxLength: 14 }), letters, (extra, stops) => {
        const ring = names.map((from, index) => ({
          from,
          to: names[(index + 1) % 5] ?? 'Harbour',
          minutes: 5,
          every: 4,
        }));
        const shuttles = [...ring, ...extra];
        const input = [
          `letters: ${stops.join(' ')}`,
          ...shuttles.map(({ from, to, minutes, every }) => `${from} -> ${to} ${minutes} / ${every}`),
        ].join('\n');
        const best = (order: readonly string[]) => {
          let minute = 0;
          let at = 'Harbour';
          for (const next of [...order, 'Summit']) {
            minute = relax(shuttles, at, minute).get(next) ?? Number.POSITIVE_INFINITY;
            at = next;
          }
          return minute;
        };
        const direct = best([]);
        const round = Math.min(...permutations(stops).map(best));
        expect(nightMail.solve(input)).toEqual([String(direct), String(round)]);
      }),
      { seed: 1 },
    );
  });

  /** Earliest arrivals by relaxing every shuttle until nothing changes. */
  function relax(
    shuttles: readonly { from: string; to: string; minutes: number; every: number }[],
    start: string,
    startMinute: number,
  ) {
    const at = new Map([[start, startMinute]]);
    for (let changed = true; changed; ) {
      changed = false;
      for (const { from, to, minutes, every } of shuttles) {
        const here = at.get(from);
        if (here === undefined) continue;
        let leaves = here;
        while (leaves % every !== 0) leaves++;
        if (leaves + minutes < (at.get(to) ?? Number.POSITIVE_INFINITY)) {
          at.set(to, leaves + minutes);
          changed = true;
        }
      }
    }
    return at;
  }

  function permutations(list: readonly string[]): string[][] {
    if (list.length === 0) return [[]];
    return list.flatMap((head) =>
      permutations(list.filter((item) => item !== head)).map((tail) => [head, ...tail]),
    );
  }
});
