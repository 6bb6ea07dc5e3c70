/** Which combination is better: told where there is enough to tell it by, and only there. */
import { expect, test } from 'vitest';
import {
  compareCombinations,
  fewest,
  minSessionsFor,
  type SessionOutcome,
} from '../../../src/apps/ahc/batch/comparison.ts';
import { seededChance } from '../../../src/core/seeded-chance.ts';
import { evaluation } from '../session/journals.ts';

function session(
  combination: number,
  repeat: number,
  scores: readonly (number | null)[],
  more: Partial<SessionOutcome> = {},
) {
  return {
    ...{
      problem: 'p',
      workspace: more.problem ?? 'p',
      combination,
      repeat,
      direction: 'maximise' as const,
      isDone: true,
    },
    cases: evaluation(scores).cases,
    tokens: 10,
    knownTokens: 10,
    costUsd: 0.5,
    knownCostUsd: 0.5,
    aliveMs: 1000,
    ...more,
  };
}

test('points are shares of the best that any session reached on a case', () => {
  const [first, second] = compareCombinations([session(0, 1, [100, 50]), session(1, 1, [50, 100])], 2);
  expect([first?.points, second?.points]).toEqual([0.75, 0.75]);
  expect(first).toMatchObject({ sessions: 1, low: null, against: null, tokens: 10, costUsd: 0.5 });
  expect(second?.against).toEqual({ pairs: 1, mean: 0, low: null, high: null, p: null });
});

test('only cases that all of them were run on count, and problems are put together by points', () => {
  const extra = [...evaluation([100]).cases, { ...evaluation([1]).cases[0], name: 'only here' } as never];
  const [first, second] = compareCombinations(
    [
      session(0, 1, [], { cases: extra }),
      session(1, 1, [50]),
      session(0, 1, [8], { problem: 'q', direction: 'minimise' }),
      session(1, 1, [4], { problem: 'q', direction: 'minimise' }),
    ],
    2,
  );
  expect(first?.points).toBe(0.75);
  expect(second?.points).toBe(0.75);
  expect(second?.against).toMatchObject({ pairs: 2, mean: 0 });
});

test('a session without a program is worth nothing; one that was not brought to its end counts nowhere', () => {
  const [first, second] = compareCombinations(
    [
      session(0, 1, [10]),
      session(0, 2, [], { isDone: false }),
      session(1, 1, []),
      session(1, 2, [10], { tokens: null }),
    ],
    2,
  );
  expect(first).toMatchObject({ sessions: 1, points: 1 });
  expect(second).toMatchObject({ sessions: 2, withoutProgram: 1, points: 0.5, tokens: null });
  expect(second?.against).toMatchObject({ pairs: 1, mean: -1 });
});

test('a clear difference over enough pairs has an interval and a p-value, which Holm makes larger', () => {
  const rounds = Array.from({ length: 8 }, (_, index) => index + 1);
  const two = rounds.flatMap((round) => [session(0, round, [50 + round]), session(1, round, [100 + round])]);
  const three = rounds.flatMap((round) => [session(2, round, [50 + ((round * 7) % 5)])]);
  const alone = compareCombinations(two, 2)[1]?.against;
  const both = compareCombinations([...two, ...three], 3);
  expect(alone?.pairs).toBe(8);
  expect(alone?.low).toBeGreaterThan(0);
  expect(alone?.p).toBeCloseTo(2 / 2 ** 8, 10);
  expect(both[1]?.against?.p).toBeCloseTo((2 * 2) / 2 ** 8, 10);
  expect(both[2]?.against?.p).toBeGreaterThan(0.05);
  expect(compareCombinations(two, 2)).toEqual(compareCombinations(two, 2));
});

test('with fewer pairs than could ever say anything, nothing is said', () => {
  const few = Array.from({ length: fewest - 1 }, (_, index) => [
    session(0, index, [1]),
    session(1, index, [100]),
  ]).flat();
  expect(compareCombinations(few, 2)[1]?.against).toMatchObject({ pairs: fewest - 1, low: null, p: null });
});

test('two workspaces of one contest are two problems', () => {
  const standings = compareCombinations(
    ['a', 'b'].flatMap((workspace) => [
      session(0, 1, [100], { workspace }),
      session(1, 1, [workspace === 'a' ? 50 : 200], { workspace }),
    ]),
    2,
  );
  expect(standings.map(({ points }) => points)).toEqual([0.75, 0.75]);
  expect(standings[1]?.against).toMatchObject({ pairs: 2, mean: 0 });
});

test('the more is compared, the more pairs are the least that can say anything', () => {
  expect([1, 2, 3, 20].map(minSessionsFor)).toEqual([6, 7, 7, 10]);
  for (const others of [1, 3]) {
    const least = (pairs: number): number | null | undefined => {
      const rounds = Array.from({ length: pairs }, (_, index) => index + 1);
      const all = rounds.flatMap((round) => [
        session(0, round, [1]),
        ...Array.from({ length: others }, (_, other) => session(other + 1, round, [100 + round])),
      ]);
      return compareCombinations(all, others + 1)[1]?.against?.p;
    };
    expect(least(minSessionsFor(others))).toBeLessThanOrEqual(0.05);
    expect(least(minSessionsFor(others) - 1) ?? 1).toBeGreaterThan(0.05);
  }
});

test('where nothing differs, an interval excludes that, and p denies it, no oftener than 5 %', () => {
  const { next } = seededChance('no difference');
  let excluded = 0;
  let denied = 0;
  const rounds = 400;
  for (let round = 0; round < rounds; round += 1) {
    const all = Array.from({ length: 12 }, (_, at) => session(at % 2, at >> 1, [1000 + 200 * next() ** 2]));
    const against = compareCombinations(all, 2)[1]?.against;
    if ((against?.low ?? 0) > 0 || (against?.high ?? 0) < 0) excluded += 1;
    if ((against?.p ?? 1) <= 0.05) denied += 1;
  }
  const bound = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / rounds);
  expect([excluded / rounds < bound, denied / rounds < bound]).toEqual([true, true]);
  expect(excluded).toBe(denied);
});
