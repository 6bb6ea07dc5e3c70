import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../puzzle.ts';
import { frozenReservoir } from './day04-frozen-reservoir.ts';

type Chart = readonly string[];

const steps: Record<string, readonly [number, number]> = { E: [0, 1], N: [-1, 0], S: [1, 0], W: [0, -1] };

/** Every square that the boat touches, push by push, the first where it starts. */
function follow(chart: Chart, pushes: string): (readonly [number, number])[][] {
  const start = chart.findIndex((line) => line.includes('B'));
  let at: readonly [number, number] = [start, chart[start]?.indexOf('B') ?? -1];
  return [...pushes].map((push) => {
    const [down, right] = steps[push] ?? [0, 0];
    const path: (readonly [number, number])[] = [];
    while (/[.BH]/.test(chart[at[0] + down]?.[at[1] + right] ?? '#')) {
      at = [at[0] + down, at[1] + right];
      path.push(at);
    }
    return path;
  });
}

const markAt = (chart: Chart, square: readonly [number, number] | undefined) =>
  square ? chart[square[0]]?.[square[1]] : undefined;

function stopsAtHut(chart: Chart, pushes: string): boolean {
  return markAt(chart, follow(chart, pushes).flat().at(-1)) === 'H';
}

/** Push after push from wherever the boat can be by then, until some list of pushes is good enough. */
function search(chart: Chart, order: string, isEnough: (pushes: string) => boolean): string {
  const squaresSeen = new Set<string>();
  for (let lists = ['']; lists.length > 0; ) {
    lists = lists.flatMap((list) => [...order].map((push) => list + push));
    const enough = lists.find(isEnough);
    if (enough) return enough;
    lists = lists.filter((list) => {
      const square = follow(chart, list).flat().at(-1)?.join() ?? '';
      return !squaresSeen.has(square) && squaresSeen.add(square);
    });
  }
  return '';
}

/** All lists of so many pushes, in the order of the dictionary. */
function listsOf(length: number): string[] {
  return length === 0 ? [''] : listsOf(length - 1).flatMap((list) => [...'ENSW'].map((push) => list + push));
}

test('agrees with trying every list of pushes', () => {
  const square = fc.constantFrom<string>('.', '.', '.', '#');
  const row = fc.array(square, { minLength: 5, maxLength: 5 });
  const place = fc.record({ row: fc.nat(3), column: fc.nat(4) });
  const pushes = fc.string({ unit: fc.constantFrom('E', 'N', 'S', 'W'), minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 4, maxLength: 4 }),
      place,
      place,
      pushes,
      (rows, boat, hut, list) => {
        fc.pre(boat.row !== hut.row || boat.column !== hut.column);
        const marked = rows.map((line) => [...line]);
        (marked[boat.row] ?? [])[boat.column] = 'B';
        (marked[hut.row] ?? [])[hut.column] = 'H';
        const chart = marked.map((line) => line.join(''));
        const best = [1, 2, 3, 4, 5].flatMap(listsOf).find((candidate) => stopsAtHut(chart, candidate));
        fc.pre(best !== undefined);
        const squares = follow(chart, list).flat().length;
        expect(frozenReservoir.solve(`${chart.join('\n')}\n\n${list}\n`)).toEqual([String(squares), best]);
      },
    ),
    { numRuns: 60, seed: 1 },
  );
});

test('in a generated chart, rushing past is quicker, and only one of several ways is the right one', () => {
  for (let seed = 0; seed < 10; seed++) {
    const input = frozenReservoir.generate(seededRandom(`ice ${seed}`));
    const chart = input.split('\n\n')[0]?.split('\n') ?? [];
    expect(chart.join('').match(/[BH]/g)).toHaveLength(2);
    const [, right] = frozenReservoir.solve(input);
    expect(right.length).toBeGreaterThan(7);
    const stops = (pushes: string) => stopsAtHut(chart, pushes);
    expect(search(chart, 'ENSW', stops)).toBe(right);
    const passes = (pushes: string) =>
      follow(chart, pushes).some((path) => path.some((square) => markAt(chart, square) === 'H'));
    expect(search(chart, 'ENSW', passes).length).toBeLessThan(right.length);
    const lastInDictionary = search(chart, 'WSNE', stops);
    expect(lastInDictionary).toHaveLength(right.length);
    expect(lastInDictionary).not.toBe(right);
  }
});
