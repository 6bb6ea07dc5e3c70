import { load } from 'cheerio';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../random.ts';
import { ticketStubs } from './day01-ticket-stubs.ts';
import { nightMail } from './day02-night-mail.ts';
import { puzzles } from './index.ts';

describe.each(puzzles.map((puzzle) => [puzzle.title, puzzle] as const))('%s', (_title, puzzle) => {
  test('its text explains the example that its solver solves', () => {
    const [first, second] = puzzle.parts.map((html) => load(html));
    expect(first?.('pre code').first().text()).toBe(puzzle.example);
    const told = [first, second].map((part) => part?.('code em').last().text());
    expect(told).toEqual([...puzzle.solve(puzzle.example)]);
  });

  test('a seed determines its input, and inputs differ in both answers', () => {
    const inputs = Array.from({ length: 12 }, (_, seed) => puzzle.generate(seededRandom(String(seed))));
    expect(puzzle.generate(seededRandom('3'))).toBe(inputs[3]);
    const answers = inputs.map((input) => puzzle.solve(input));
    expect(new Set(answers.map(([one]) => one)).size).toBeGreaterThan(8);
    expect(new Set(answers.map(([, two]) => two)).size).toBeGreaterThan(8);
    for (const [one, two] of answers) {
      expect(one).toMatch(/^[1-9]\d+$/);
      expect(two).not.toBe(one);
    }
  });

  test('its input ends with a newline and is plain text of a size that one can look at', () => {
    const input = puzzle.generate(seededRandom('size'));
    expect(input).toMatch(/^[\x20-\x7e\n]+\n$/);
    expect(input.length).toBeLessThan(20_000);
    expect(input.split('\n').length).toBeGreaterThan(100);
  });
});

test('no two puzzles have one day', () => {
  expect(new Set(puzzles.map(({ day }) => day)).size).toBe(puzzles.length);
});

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
