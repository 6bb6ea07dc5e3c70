/** How many lines of search a session can feed: what bounds it, what its user says, and that nothing else is touched. */
import { assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Limits } from '../../core/agent.ts';
import { evolutionSettings } from './evolution-settings.ts';
import { decideSettings, searchCapacity } from './settings.ts';

const cases = Array.from({ length: 100 }, (_, at) => String(at));
type Task = Parameters<typeof searchCapacity>[1];

const unknown: Task = { cases, timeLimitMs: null };
const contest: Task = { cases, timeLimitMs: 2_000, casesAtOnce: 2 };
const given = [1, 2].map((at) => ({ name: `${at}.cpp`, source: 'int main() {}' }));

function decision(settings: object, { task = unknown, limits = {} }: { task?: Task; limits?: Limits } = {}) {
  const { settings: now, told } = decideSettings(evolutionSettings.parse(settings), task, limits);
  return { counts: [now.islands, now.linesPerIsland, now.room.beginnings], now, told };
}

describe('islands', () => {
  test.each([
    ['a session as usual has three, and sixteen beginnings', {}, [3, 2, 16]],
    ['little room is one line’s, for the best of four beginnings', { maxGenerations: 2 }, [1, 2, 4]],
    ['what is too little for islands apart is one’s', { maxGenerations: 9 }, [1, 5, 9]],
    ['what is enough is three islands’', { maxGenerations: 10 }, [3, 2, 10]],
    ['no generation: first programs alone', { maxGenerations: 0 }, [1, 2, 4]],
    ['own programs are what begins', { maxGenerations: 2, given }, [1, 2, 2]],
    ['one own program has nothing beside it', { maxGenerations: 2, given: given.slice(1) }, [1, 2, 1]],
    ['own programs beyond the islands', { given: given.slice(1) }, [3, 2, 3]],
    ['what its user names is kept', { maxGenerations: 1, islands: 5 }, [5, 1, 5]],
    ['… beginnings too, but for fewer than islands', { islands: 2, room: { beginnings: 1 } }, [2, 3, 2]],
    ['… and lines', { linesPerIsland: 7, room: { beginnings: 4 } }, [3, 7, 4]],
    ['a generation of one has one line', { populationSize: 1 }, [1, 1, 5]],
  ])('%s', (_what, settings, counts) => {
    expect(decision(settings).counts).toEqual(counts);
  });
});

test('what binds decides how early a candidate is dropped, unless its user says', () => {
  const raceOf = (settings: object, task: Task = unknown) => {
    const { raceAfter, raceLevel } = decision(settings, { task }).now.room;
    return [raceAfter, raceLevel];
  };
  expect(raceOf({})).toEqual([[5, 12], 0.15]);
  expect(raceOf({}, contest)).toEqual([[3, 8, 16], 0.2]);
  expect(raceOf({ room: { raceAfter: [4], raceLevel: 0 } }, contest)).toEqual([[4], 0]);
});

test('room is the least of generations, model calls and time, where each is known', () => {
  const room = (task: Task, limits: Limits = {}) => searchCapacity(evolutionSettings.parse({}), task, limits);
  expect(room(unknown)).toEqual({ candidates: 300, by: 'its generations' });
  // 30 cases of 1.8 s on two cores take 27 s: 66 of them fit into half an hour.
  expect(room(contest)).toMatchObject({ candidates: 66, isTime: true });
  expect(room({ ...contest, casesAtOnce: 8 }).candidates).toBe(266);
  expect(room({ ...contest, cases: cases.slice(0, 10) }).candidates).toBe(200);
  expect(room(contest, { wallMs: 900_000 }).candidates).toBe(33);
  expect(room(contest, { modelCalls: 50 })).toEqual({ candidates: 40, by: 'its model calls' });
  expect(room({ cases, timeLimitMs: 2_000 }).candidates).toBe(300);
});

test('what was decided is told with its reason, what its user decided is not', () => {
  expect(decision({ maxGenerations: 2 }).told).toBe(
    '1 island for the best of 4 beginnings, 2 candidates of each at once: its generations have room for 20 candidates, and islands apart want 96',
  );
  expect(decision({}, { task: contest }).told).toBe(
    '1 island for the best of 8 beginnings, 3 candidates of each at once: its time, if each case takes all of its own, has room for 66 candidates, and islands apart want 96',
  );
  expect(decision({ islands: 3 }).told).toBe('');
});

test('more room never means fewer islands, all else stays, and what was decided is decided for good', () => {
  const many = integer({ min: 0, max: 200 });
  assert(
    property(many, many, integer({ min: 1, max: 64 }), (some, more, populationSize) => {
      const [less, most] = [some, some + more].map((maxGenerations) =>
        decision({ maxGenerations, populationSize }, { task: contest }),
      );
      expect(less?.now.islands).toBeLessThanOrEqual(most?.now.islands ?? 0);
      const repeated = decision({ ...less?.now, maxGenerations: 1_000 });
      expect(repeated.counts).toEqual(less?.counts);
      const { islands, linesPerIsland, room, ...rest } = less?.now ?? decision({}).now;
      const { beginnings } = room;
      expect(Math.min(islands, linesPerIsland, beginnings - islands + 1)).toBeGreaterThan(0);
      expect(rest).toEqual(
        evolutionSettings.omit({ islands: true, linesPerIsland: true, room: true }).parse({ ...rest }),
      );
    }),
    { seed: 12, numRuns: 100 },
  );
});
