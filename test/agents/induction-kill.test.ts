/** A run of the induction graph whose process is killed comes out as if nothing had happened, and pays nothing twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { inductionRun, inductionWorld } from '../support/induction-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { eventsOf, normalise } from '../support/world.ts';

const child = join(import.meta.dirname, '../support/induction-child.ts');

async function killed(folder: string, how: string, moment: string, number: number): Promise<void> {
  const process_ = spawn(process.execPath, [child, folder, how, moment, `${number}`], { stdio: 'inherit' });
  expect(await once(process_, 'exit')).toEqual([null, 'SIGKILL']);
}

function callsIn(folder: string): string[] {
  const file = join(folder, 'calls.log');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

async function uninterrupted(): Promise<string[]> {
  const world = inductionWorld(temporaryFolder());
  const end = await (await startRun(world, inductionRun)).done;
  expect(end.outcome).toBe('solved');
  const journal = normalise(await eventsOf(world, 'run'));
  await world.store.close();
  return journal;
}

test('killed three times, its journal equals an uninterrupted one event for event, and settled calls are not made again', async () => {
  const whole = await uninterrupted();
  const folder = temporaryFolder();
  await killed(folder, 'start', 'during-effect', 4);
  await killed(folder, 'resume', 'after-append', 4);
  await killed(folder, 'resume', 'before-append', 3);
  const world = inductionWorld(folder);
  const before = await eventsOf(world, 'run');
  const settled = before.filter(
    ({ kind, body }) => kind === 'model-response' && 'status' in body && body.status === 'ok',
  );
  const madeBefore = callsIn(folder);
  const end = await (await resumeRun(world, 'run')).done;
  expect(end.outcome).toBe('solved');
  expect(await replayRun(world, 'run')).toMatchObject({ complete: true, isSame: true });
  const events = await eventsOf(world, 'run');
  expect(normalise(events)).toEqual(whole);
  const made = events.filter(
    ({ kind, body }) => kind === 'model-response' && 'status' in body && body.status === 'ok',
  );
  const madeAfter = callsIn(folder).slice(madeBefore.length);
  expect(settled.length).toBeGreaterThan(0);
  expect(settled.length + madeAfter.length).toBe(made.length);
  await world.store.close();
});
