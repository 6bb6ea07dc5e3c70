/** More strategies begin than there is room for: the best goes on, its journal is the same again, and a fork keeps that. */
import { expect, test } from 'vitest';
import { forkRun } from '../../../src/run/fork.ts';
import { replayRun } from '../../../src/run/replay.ts';
import { startRun } from '../../../src/run/start.ts';
import {
  changeTo,
  evolvingRun,
  evolvingTemplate,
  fence,
  notesOf,
  sceneWorld,
} from '../../support/evolving.ts';
import { eventsOf } from '../../support/world.ts';

const little = {
  maxGenerations: 2,
  populationSize: 6,
  islands: null,
  linesPerIsland: null,
  heldOutCases: 0,
  operators: { change: 1, rewrite: 0, tune: 0 },
};

test('little room: of four beginnings the best goes on alone, replayed alike, and a fork with more room keeps its island', async () => {
  const firsts = ['improve(50);', 'BROKEN', 'improve(60);\n  improve(61);', 'improve(70);'];
  const world = sceneWorld({
    reply: (request, { branch }) => {
      const asked = JSON.stringify(request.messages.at(-1));
      const at = Number(/trial-(\d)/.exec(branch)?.[1] ?? 0);
      if (at > 0 && asked.includes('Write the first program')) {
        return `So.\n\n${fence(evolvingTemplate.replace('  print', `  ${firsts[at - 1]}\n  print`))}`;
      }
      return at > 0 && asked.includes('does not compile')
        ? `IDEA: mended\n\n${fence(evolvingTemplate.replace('10', '11'))}`
        : null;
    },
  });
  const end = await (await startRun(world, evolvingRun(little))).done;
  expect(end.outcome).toBe('scored');
  const events = await eventsOf(world, 'run');
  const header = events[0]?.kind === 'run-start' ? events[0].body : null;
  expect(header?.agent).toMatchObject({
    settings: { islands: 1, linesPerIsland: 2, room: { beginnings: 4, raceAfter: [5, 12], raceLevel: 0.15 } },
    decided: expect.stringMatching(
      /^1 island for the best of 4 beginnings, 2 candidates of each at once: its generations have room for 12/,
    ),
  });
  expect(notesOf(events, 'strategies')[0]?.strategies).toHaveLength(4);
  expect(notesOf(events, 'trial')).toEqual([{ kept: [3], ended: [1, 2, 4] }]);
  const candidates = notesOf(events, 'candidate');
  const islandsIn = (generation: number) =>
    new Set(candidates.filter((each) => each.generation === generation).map(({ island }) => island));
  // The template is of none; the broken one was repaired before the best was chosen.
  expect([...islandsIn(0)].sort()).toEqual([0, 1, 2, 3, 4]);
  expect(candidates.filter(({ island }) => island === 2).map(({ status }) => status)).toEqual([
    'compile-error',
    'evaluated',
  ]);
  expect([...new Set([...islandsIn(1), ...islandsIn(2)])]).toEqual([3]);
  expect(notesOf(events, 'generation').map(({ generation }) => generation)).toEqual([0, 1, 2]);
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });

  const seq = events.findLast((event) => event.kind === 'note' && event.body.kind === 'candidate')?.seq ?? 0;
  const fork = await forkRun(world, 'run', {
    id: 'fork',
    at: seq,
    settings: { maxGenerations: 60 },
    limits: { modelCalls: 24 },
  });
  expect((await fork.done).outcome).not.toBe('error');
  const forked = (await eventsOf(world, 'fork')).findLast(({ kind }) => kind === 'run-fork');
  expect(forked?.kind === 'run-fork' && forked.body.agent.settings).toMatchObject({
    islands: 1,
    linesPerIsland: 2,
    room: { beginnings: 4 },
    maxGenerations: 60,
  });
  await world.store.close();
});

test('own programs beyond the room compete as they are, without a model; where all fail the first one goes on', async () => {
  const source = (line: string) => evolvingTemplate.replace('  print', `  ${line}\n  print`);
  const world = sceneWorld({ reply: () => changeTo('  print();', '  improve(70);\n  print();', 'more') });
  const given = ['CRASH', 'improve(1);'].map((line, at) => ({ name: `own${at}.cpp`, source: source(line) }));
  const run = evolvingRun({ ...little, maxGenerations: 1, given, strategies: [{ name: 'A', idea: 'a' }] });
  await (await startRun(world, run)).done;
  const failing = { ...run, id: 'failing', settings: { ...run.settings, given: [given[0], given[0]] } };
  await (await startRun(world, failing as typeof run)).done;
  expect(notesOf(await eventsOf(world, 'run'), 'trial')).toEqual([{ kept: [2], ended: [1] }]);
  expect(notesOf(await eventsOf(world, 'failing'), 'trial')).toEqual([{ kept: [1], ended: [2] }]);
  await world.store.close();
});
