/** What people send to a run: told, asked, answered, each read once and at the same place again. */
import { expect, test } from 'vitest';
import type { Run } from '../../src/core/agent.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import type { Runtime } from '../../src/run/world.ts';
import { answered, familyOf, oddRun, oddWorld, outline, say, toolOf } from '../support/odd.ts';
import { until } from '../support/until.ts';
import { eventsOf } from '../support/world.ts';

const seqOf = async (world: Runtime): Promise<number> => (await world.store.get('run'))?.lastSeq ?? 0;

test('what was told is read once, in order, and again by a resume', async () => {
  let isHanging = true;
  const wait = toolOf('wait', async (_args, { signal }) => {
    if (isHanging) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
    return { text: '' };
  });
  const world = oddWorld({
    family: familyOf({ tools: [wait] }),
    solve: async (run) => {
      const read = [await run.inbox()];
      await run.tool('wait', {});
      const both = await Promise.all([run.branch('a', (here) => here.inbox()), run.inbox()]);
      return answered(JSON.stringify([...read, both.flat(), await run.inbox()]));
    },
  });
  const handle = await startRun(world, oddRun());
  await until(async () => (await seqOf(world)) === 3);
  await world.store.post('run', { kind: 'tell', text: 'one', atMs: 1 });
  await world.store.post('run', { kind: 'answer', text: 'no question', atMs: 1 });
  await world.store.post('run', { kind: 'tell', text: 'two', atMs: 1 });
  handle.stop();
  await handle.done;
  isHanging = false;
  const end = await (await resumeRun(world, 'run')).done;
  expect(end.solution?.answer).toEqual({ type: 'text', text: '[[],["one","two"],[]]' });
  await world.store.post('run', { kind: 'tell', text: 'too late', atMs: 1 });
  expect(await replayRun(world, 'run')).toMatchObject({ isSame: true });
});

test('a question waits for its answer, over a stop and a resume', async () => {
  const questions = async (run: Run): Promise<string> => {
    const first = await run.ask('Who?');
    return `${first}, ${await run.ask('And who?')}`;
  };
  const world = oddWorld({ solve: async (run) => answered(await questions(run)) });
  const handle = await startRun(world, oddRun());
  await until(async () => (await seqOf(world)) === 2);
  await world.store.post('run', { kind: 'answer', text: 'Me', atMs: 1 });
  await until(async () => (await seqOf(world)) === 4);
  handle.stop();
  expect((await handle.done).outcome).toBe('cancelled');

  const resumed = await resumeRun(world, 'run');
  await new Promise((resolve) => setTimeout(resolve, 20));
  await world.store.post('run', { kind: 'answer', text: 'you', atMs: 1 });
  expect((await resumed.done).solution?.answer).toEqual({ type: 'text', text: 'Me, you' });
  expect(outline(await eventsOf(world, 'run'))).toEqual([
    'run-start',
    'main#1 ask',
    'main#1 answer ok',
    'main#2 ask',
    'main#2 answer cancelled by end',
    'run-end',
    'run-resume',
    'main#2 answer ok',
    'run-end',
  ]);
  expect(await replayRun(world, 'run')).toMatchObject({ isSame: true });
});

test('an agent that never looks is not told', async () => {
  const world = oddWorld({ solve: async (run) => answered(await say(run, 'x')) });
  const handle = await startRun(world, oddRun());
  await world.store.post('run', { kind: 'tell', text: 'hello', atMs: 1 });
  expect((await handle.done).outcome).toBe('answered');
});
