/** A shared budget and SIGKILL together: what was lost stays charged, nothing is paid twice, no budget is passed. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayRun } from '../../src/run/replay.ts';
import { readRows } from '../../src/studies/run-set/rows.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { askedIn, type CutOptions, cutLife, cutSet, cutWorld } from './cut-set.ts';

/** Returns when the process that was killed while it waited for this call is gone. */
async function killedAt(folder: string, silentAt: number, options: CutOptions): Promise<void> {
  const words = JSON.stringify({ ...options, silentAt });
  const child = spawn(process.execPath, [join(import.meta.dirname, 'cut-child.ts'), folder, words], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const dead = new Promise((resolve) => child.once('exit', resolve));
  const before = askedIn(folder).length;
  await until(() =>
    askedIn(folder)
      .slice(before)
      .some(({ question }) => question.startsWith(`call ${silentAt}`)),
  );
  child.kill('SIGKILL');
  await dead;
}

async function rowIn(folder: string) {
  const world = cutWorld(folder, { tokens: 1 });
  const [row] = await readRows(world.store, cutSet({ tokens: 1 }));
  if (!row?.view) throw new Error('The row has vanished.');
  return { world, ...row, view: row.view };
}

const numbers = (folder: string) => askedIn(folder).map(({ question }) => Number(question.slice(5, 6)));

test('killed in the life after a budget’s end, twice: the row goes on, and asks again what was in flight', async () => {
  const folder = temporaryFolder();
  const small = { tokens: 210, maxOutputTokens: 100 };
  const large = { ...small, tokens: 10_000 };
  expect(await cutLife(folder, small)).toBe('budget');
  expect((await rowIn(folder)).view.end).toMatchObject({ outcome: 'limit', cutShort: true });
  const first = askedIn(folder).length;
  expect(first).toBeLessThan(6);
  await killedAt(folder, first, large);
  await killedAt(folder, first + 1, large);
  expect(await rowIn(folder)).toMatchObject({ state: 'interrupted', view: { end: null } });
  expect(await cutLife(folder, large)).toBe('done');
  const { world, runId, view } = await rowIn(folder);
  expect(view.end?.outcome).toBe('solved');
  expect(view.totals.modelCalls).toBe(8);
  expect(view.possiblyBilled).toBe(2);
  expect(view.open).toEqual([]);
  const twice = [...Array(8).keys(), first, first + 1].sort();
  expect(numbers(folder).sort()).toEqual(twice);
  expect(await replayRun(world, runId)).toMatchObject({ complete: true, isSame: true });
});

test('a call that is repeated after a kill is refused where the budget has no room for it besides the lost one', async () => {
  const folder = temporaryFolder();
  const small = { tokens: 300, maxOutputTokens: 100 };
  await killedAt(folder, 1, small);
  expect(numbers(folder)).toEqual([0, 1]);
  expect(await cutLife(folder, small)).toBe('budget');
  expect(numbers(folder), 'the lost one may have been billed').toEqual([0, 1]);
  expect(await rowIn(folder)).toMatchObject({ state: 'interrupted', view: { end: { cutShort: true } } });
  expect(await cutLife(folder, { ...small, tokens: 10_000 })).toBe('done');
  const { world, runId, view } = await rowIn(folder);
  expect(view.end?.outcome).toBe('solved');
  expect(view.possiblyBilled).toBe(1);
  expect(numbers(folder).sort()).toEqual([0, 1, 1, 2, 3, 4, 5, 6, 7]);
  expect(await replayRun(world, runId)).toMatchObject({ complete: true, isSame: true });
});

test('a call that is repeated after a kill has no more room for its reply than the budget has left', async () => {
  const folder = temporaryFolder();
  const budget = { tokens: 10_000 };
  await killedAt(folder, 0, budget);
  await killedAt(folder, 0, budget);
  const [lost = 0, again = 0] = askedIn(folder).map(({ maxOutputTokens }) => maxOutputTokens ?? Infinity);
  expect(lost).toBeGreaterThan(4_000);
  // As of any call: half of what is left, so that others are not shut out.
  expect(again).toBeGreaterThan(2_000);
  expect(again).toBeLessThan((budget.tokens - lost) / 2);
});
