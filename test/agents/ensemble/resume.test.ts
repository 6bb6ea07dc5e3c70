/** An ensemble that loses its provider in one branch, or is stopped by its user, goes on where it was. */
import { expect, test } from 'vitest';
import { ensembleNotesOf } from '../../../src/notes/ensemble.ts';
import { forkRun } from '../../../src/run/fork.ts';
import { replayRun } from '../../../src/run/replay.ts';
import { resumeRun } from '../../../src/run/resume.ts';
import { startRun } from '../../../src/run/start.ts';
import {
  type Asked,
  ensembleAgents,
  failure,
  type Lines,
  planned,
  prints,
  questionRun,
  questions,
  speaker,
  states,
  wordsOf,
} from '../../support/ensemble.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { toyInfo } from '../../support/toy-sandbox.ts';
import { eventsOf, toyWorld } from '../../support/world.ts';

const lines = {
  planner: [planned('Use Python')],
  'program-1': [prints('42')],
  'program-2': [prints('1')],
  'chain-1': [states('42')],
};

function worldOf(folder: string, said: Lines, asked: Asked[] = []) {
  return toyWorld({
    folder,
    model: speaker(said, asked),
    agents: ensembleAgents,
    families: [questions],
    sandboxInfo: toyInfo,
  });
}

test('a provider that was away in one branch is asked again there, and nobody else is', async () => {
  const folder = temporaryFolder();
  const settings = { earlyStop: false, strategies: { python: ['program', 'program', 'chain'] } };
  const first = worldOf(folder, { ...lines, 'chain-1': [failure('auth')] });
  const broken = await (await startRun(first, { ...questionRun, settings })).done;
  expect(broken).toMatchObject({ outcome: 'error', error: { unavailable: true } });
  await first.store.close();

  const asked: Asked[] = [];
  const second = worldOf(folder, lines, asked);
  expect((await (await resumeRun(second, 'run')).done).outcome).toBe('solved');
  expect(asked.map(({ place }) => place)).toEqual(['chain-1']);
  const { samples, decision } = ensembleNotesOf(await eventsOf(second, 'run'));
  expect(samples.map(({ name }) => name)).toEqual(['program-1', 'program-2', 'chain-1']);
  expect(decision).toMatchObject({ by: 'vote', samples: [1, 3] });
  expect(await replayRun(second, 'run')).toMatchObject({ complete: true, isSame: true });
  await second.store.close();
});

test('stopped by its user it is cancelled, not decided with what there was; resumed it goes on', async () => {
  const folder = temporaryFolder();
  const settings = { atOnce: 1, earlyStop: false };
  const first = worldOf(folder, lines);
  const handle = await startRun(
    first,
    { ...questionRun, settings },
    { onEvent: ({ kind, branch }) => kind === 'model-request' && branch === 'program-2' && handle.stop() },
  );
  expect((await handle.done).outcome).toBe('cancelled');
  expect(ensembleNotesOf(await eventsOf(first, 'run')).decision).toBeNull();
  await first.store.close();

  const second = worldOf(folder, lines);
  expect((await (await resumeRun(second, 'run')).done).outcome).toBe('solved');
  await second.store.close();
});

test('forked from its last samples with another rule, it counts the same votes anew', async () => {
  const folder = temporaryFolder();
  const asked: Asked[] = [];
  const world = worldOf(folder, { ...lines, 'self-correction': [states('7')] }, asked);
  const settings = { earlyStop: false, votesToWin: 3 };
  expect((await (await startRun(world, { ...questionRun, settings })).done).outcome).toBe('wrong');
  const events = await eventsOf(world, 'run');
  const at = events.findLast(({ kind, branch }) => kind === 'exec-end' || branch === 'chain-1')?.seq ?? 0;
  const before = asked.length;
  const fork = await forkRun(world, 'run', { id: 'fork', at, settings: { votesToWin: 2 } });
  expect((await fork.done).outcome).toBe('solved');
  expect(asked).toHaveLength(before);
  await world.store.close();
});

test('a hint that a fork brings, and one that comes meanwhile, reach every model: the ensemble read none', async () => {
  const folder = temporaryFolder();
  const asked: Asked[] = [];
  const replies = { ...lines, 'program-1': [prints('7')], 'self-correction': [states('42')] };
  const world = worldOf(folder, replies, asked);
  const parent = await startRun(
    world,
    { ...questionRun, settings: { earlyStop: false } },
    {
      onEvent: ({ kind, branch }) => {
        if (kind === 'model-response' && branch === '')
          void world.store.post('run', { kind: 'tell', text: 'Mind the half.', atMs: 0 });
      },
    },
  );
  expect((await parent.done).outcome).toBe('solved');
  const told = (place: string) => wordsOf(asked.find((each) => each.place === place)?.request);
  expect(told('planner')).not.toContain('Mind the half.');
  expect(told('self-correction')).toContain('Mind the half.');
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });

  asked.splice(0);
  const fork = await forkRun(world, 'run', { id: 'fork', at: 1, hint: 'It is even.' });
  expect((await fork.done).outcome).toBe('solved');
  for (const place of ['planner', 'program-1', 'chain-1', 'self-correction'])
    expect(told(place)).toContain('It is even.');
  await world.store.close();
});

test('a strategy alone takes hints too', async () => {
  const asked: Asked[] = [];
  const world = worldOf(temporaryFolder(), { solver: [states('42')] }, asked);
  expect((await (await startRun(world, { ...questionRun, agent: 'chain' })).done).outcome).toBe('solved');
  const fork = await forkRun(world, 'run', { id: 'fork', at: 1, hint: 'It is even.' });
  expect((await fork.done).outcome).toBe('solved');
  expect(wordsOf(asked.at(-1)?.request)).toContain('It is even.');
  await world.store.close();
});
