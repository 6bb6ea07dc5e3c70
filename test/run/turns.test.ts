/** Agents that wait for something which is neither an effect nor a branch of theirs: it costs a while, and no more. */
import { expect, test } from 'vitest';
import type { Run, Solution } from '../../src/core/agent.ts';
import { replayRun } from '../../src/run/replay.ts';
import { startRun } from '../../src/run/start.ts';
import { answered, oddRun, oddWorld, say } from '../support/odd.ts';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function expectReplay(solve: (run: Run) => Promise<Solution>): Promise<void> {
  const world = oddWorld({ solve });
  expect((await (await startRun(world, oddRun())).done).outcome).toBe('answered');
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  await world.store.close();
}

test('a branch may wait for its sibling', async () => {
  await expectReplay(async (run) => {
    const first = run.branch('first', async (here) => `${await say(here, 'a')} ${await say(here, 'b')}`);
    const second = run.branch('second', async (here) => say(here, `after ${await first}`));
    return answered(`${await first} ${await second}`);
  });
});

test('an agent may be long in loading something, in any of its branches', async () => {
  await expectReplay(async (run) => {
    await sleep(700);
    const slow = run.branch('slow', async (here) => {
      await say(here, 'a');
      await sleep(700);
      return say(here, 'b');
    });
    return answered(await slow);
  });
});

test('a process that stands still for a while gave results to others before their turn: its journal could not be replayed', async () => {
  let isSlow = true;
  const think = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    // Longer than an agent may take for what we do not see.
    if (isSlow) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const world = oddWorld({
    solve: async (run) => {
      const found: string[] = [];
      const line = (name: string) =>
        run.branch(name, async (here) => {
          await say(here, 'first');
          if (name === 'a') await think();
          found.push(name);
          return say(here, `${found.length} found`);
        });
      return answered((await Promise.all([line('a'), line('b')])).join());
    },
  });
  expect((await (await startRun(world, oddRun())).done).outcome).toBe('answered');
  isSlow = false;
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  await world.store.close();
});
