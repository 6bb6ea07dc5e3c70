import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../puzzle.ts';
import { pointsThatFlip } from './day08-points-that-flip.ts';

type Way = { to: number; minutes: number };
type Plan = readonly (readonly [Way, Way])[];
type State = { at: number; minute: number; points: readonly number[]; tracks: number };

const end = 1_000_000_000_000;

const write = (plan: Plan) =>
  plan
    .map(
      ([left, right], index) =>
        `J${index}: left J${left.to} ${left.minutes}, right J${right.to} ${right.minutes}\n`,
    )
    .join('');

const start = (plan: Plan): State => ({ at: 0, minute: 0, points: plan.map(() => 0), tracks: 0 });

function next(plan: Plan, { at, minute, points, tracks }: State): State {
  const way = plan[at]?.[points[at] ?? 0] ?? { to: 0, minutes: 0 };
  return {
    at: way.to,
    minute: minute + way.minutes,
    points: points.map((point, index) => (index === at ? 1 - point : point)),
    tracks: tracks + 1,
  };
}

function wayOf(plan: { length: number }, minutes: { min: number; max: number }) {
  return fc.record({ to: fc.nat(plan.length - 1), minutes: fc.integer(minutes) });
}

/** Any network at all, not only of the kind that the site makes. */
const plan = (minutes: { min: number; max: number }) =>
  fc.integer({ min: 1, max: 5 }).chain((length) =>
    fc.array(fc.tuple(wayOf({ length }, minutes), wayOf({ length }, minutes)), {
      minLength: length,
      maxLength: length,
    }),
  );

test('agrees with driving on and on, where tracks are so long that this is possible', () => {
  fc.assert(
    fc.property(plan({ min: 400_000_000, max: 9_000_000_000 }), (drawn) => {
      let state = start(drawn);
      let trial = 0;
      let found = '';
      while (state.tracks < 1_000 || state.minute <= end) {
        if (state.minute <= end) found = `J${state.at}+${end - state.minute}`;
        state = next(drawn, state);
        if (state.tracks === 1_000) trial = state.minute;
      }
      expect(pointsThatFlip.solve(write(drawn))).toEqual([String(trial), found]);
    }),
    { numRuns: 60, seed: 1 },
  );
});

test('agrees with leaping over rounds that two locomotives find, one driving twice as fast', () => {
  const isSame = (a: State, b: State) => a.at === b.at && a.points.join() === b.points.join();
  fc.assert(
    fc.property(plan({ min: 1, max: 30 }), (drawn) => {
      let slow = next(drawn, start(drawn));
      let fast = next(drawn, slow);
      while (!isSame(slow, fast)) {
        slow = next(drawn, slow);
        fast = next(drawn, next(drawn, fast));
      }
      const round = fast.minute - slow.minute;
      let state = { ...slow, minute: slow.minute + Math.floor((end - slow.minute) / round) * round };
      for (let after = next(drawn, state); after.minute <= end; after = next(drawn, state)) state = after;
      expect(pointsThatFlip.solve(write(drawn))[1]).toBe(`J${state.at}+${end - state.minute}`);
    }),
    { seed: 1 },
  );
});

describe('generated networks', () => {
  test('where the locomotive is says nothing of where it goes next', () => {
    for (let seed = 0; seed < 20; seed++) {
      const input = pointsThatFlip.generate(seededRandom(`points ${seed}`));
      const lines = [...input.matchAll(/(\w+): left (\w+) (\d+), right (\w+) (\d+)/g)];
      const names = lines.map(([, name]) => name);
      const network: Plan = lines.map(([, , left, leftMinutes, right, rightMinutes]) => [
        { to: names.indexOf(left), minutes: Number(leftMinutes) },
        { to: names.indexOf(right), minutes: Number(rightMinutes) },
      ]);
      expect(
        network.every(([left, right], at) => left.to !== right.to && left.to !== at && right.to !== at),
      ).toBe(true);

      // A round from one visit of a junction to the next one.
      const visits = new Map<number, State>();
      let state = start(network);
      while (!visits.has(state.at)) {
        visits.set(state.at, state);
        state = next(network, state);
      }
      const first = visits.get(state.at) ?? state;
      const sameMinute = first.minute + ((end - first.minute) % (state.minute - first.minute));
      const last = [...visits.values()].findLast(({ minute }) => minute <= sameMinute) ?? first;
      const [trial, place] = pointsThatFlip.solve(input);
      expect(place).not.toBe(`${names[last.at]}+${sameMinute - last.minute}`);

      let alwaysLeft = start(network);
      while (alwaysLeft.tracks < 1_000) {
        alwaysLeft = { ...next(network, alwaysLeft), points: alwaysLeft.points };
      }
      expect(trial).not.toBe(String(alwaysLeft.minute));
    }
  });
});
