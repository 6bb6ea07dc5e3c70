/** A run-set whose process is killed with SIGKILL, twice: what is missing is made, what was settled is paid once. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareRows, resumeSet } from '../../src/studies/run-set/execute.ts';
import { setOf } from '../../src/studies/run-set/plan.ts';
import { readRows } from '../../src/studies/run-set/rows.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { atOnce, killedSet, killedWorld, madeCalls } from './killed-set.ts';

test.each([12, 40])('killed after %s calls', async (calls) => {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'set-child.ts'), folder, `${calls}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  // Each row that is at work waits for an answer then: it cannot end before it is killed, however late that comes.
  await until(() => madeCalls(folder).length === calls + atOnce);
  const dead = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await dead;

  const world = killedWorld(folder);
  const kept = await world.store.getSet('set');
  expect(kept).toMatchObject({ owner: null, ending: null });
  if (!kept) throw new Error('The set has vanished.');
  const set = setOf(kept);
  expect(set.plan).toEqual(killedSet.plan);
  const before = await readRows(world.store, set);
  const settled = before.reduce((sum, { view }) => sum + (view?.totals.modelCalls ?? 0), 0);
  expect(settled).toBe(calls);
  expect(before.filter(({ state }) => state === 'interrupted')).toHaveLength(atOnce);
  const lost = before.reduce((sum, { view }) => sum + (view?.open.length ?? 0), 0);

  const handle = await resumeSet(world, set, { prepared: await prepareRows(world, set) });
  expect(await handle.done).toBe('done');
  const results = await readRows(world.store, set);
  expect(results.every(({ view }) => view?.totals.modelCalls === 6)).toBe(true);
  const made = madeCalls(folder);
  expect(new Set(made).size).toBe(12 * 6);
  expect(lost).toBe(atOnce);
  expect(made.length - 12 * 6, 'what was in flight is made again, and nothing else').toBe(lost);
});
