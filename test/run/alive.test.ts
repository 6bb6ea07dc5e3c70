/** How long a run has been alive, as its agent is told it: over stops, leaps of the clock, resumes, and in a fork. */
import { expect, test } from 'vitest';
import { fakeClock } from '../../src/io/clock.ts';
import { forkRun } from '../../src/run/fork.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { answered, familyOf, oddRun, oddWorld, toolOf } from '../support/odd.ts';
import { until } from '../support/until.ts';
import { eventsOf } from '../support/world.ts';

const hour = 3_600_000;

test('time between a stop and a resume is not in it, time in both lives is, and a fork goes on with it', async () => {
  const clock = fakeClock(1_000_000);
  let waits = 0;
  let isHanging = true;
  const wait = toolOf('wait', async (_args, { signal }) => {
    waits += 1;
    if (isHanging) await new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
    clock.advance(3 * hour);
    return { text: '' };
  });
  const world = oddWorld({
    io: { clock },
    family: familyOf({ tools: [wait] }),
    solve: async (run) => {
      const first = await run.alive();
      await run.tool('wait', {});
      const second = await run.branch('line', (here) => here.alive());
      return answered(JSON.stringify([first, second].map((ms) => Math.floor(ms / hour))));
    },
  });
  const handle = await startRun(world, oddRun());
  await until(() => waits > 0);
  clock.advance(2 * hour);
  handle.stop();
  await handle.done;
  // Nobody is at work now.
  clock.advance(50 * hour);
  isHanging = false;
  const end = await (await resumeRun(world, 'run')).done;
  expect(end.solution?.answer).toEqual({ type: 'text', text: '[0,5]' });
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  clock.advance(50 * hour);
  const waited = (await eventsOf(world, 'run')).findLast(({ kind }) => kind === 'tool-result');
  const fork = await forkRun(world, 'run', { id: 'fork', at: waited?.seq ?? 0 });
  const forked = (await fork.done).solution?.answer;
  // Not the fifty hours in which there was no run.
  expect(forked).toEqual({ type: 'text', text: '[0,5]' });
  await world.store.close();
});
