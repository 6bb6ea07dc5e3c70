/** Two processes and one run; and a process that leaves when its run is over. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forkRun } from '../../src/run/fork.ts';
import { readJournal } from '../../src/run/load.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { coded } from '../support/coded.ts';
import { killWorld } from '../support/kill-world.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { toyWorld } from '../support/world.ts';

const script = join(import.meta.dirname, '../support/kill-child.ts');

function childRun(folder: string, moment: 'never' | 'silent', number: number) {
  const running = spawn(process.execPath, [script, folder, 'archive', 'start', moment, String(number)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const begun = new Promise((resolve) => running.stdout.once('data', resolve));
  const ended = new Promise((resolve) => running.on('exit', (code, signal) => resolve(signal ?? code)));
  return { running, begun, ended };
}

test('a run that lives in another process is read, forked and stopped by mail, and not gone on with', async () => {
  const folder = temporaryFolder();
  // It must not come to its end by itself, however long this process takes to do what comes here.
  const { running, begun, ended } = childRun(folder, 'silent', 4);
  await begun;
  const world = toyWorld({ ...killWorld, folder });
  for (const call of [() => resumeRun(world, 'run'), () => world.store.delete('run')]) {
    await expect(call()).rejects.toThrow(coded('run-owned', `${running.pid}`));
  }
  await until(async () => ((await readJournal(world.store, 'run')).events.length ?? 0) > 8);
  await (await forkRun(world, 'run', { id: 'fork', at: 6 })).done;
  await world.store.post('run', { kind: 'stop', text: '', atMs: 0 });
  expect(await ended).toBe(0);
  expect((await world.store.get('run'))?.summary.outcome).toBe('cancelled');
  expect((await (await resumeRun(world, 'run')).done).outcome).toBe('solved');
  await world.store.close();
});

test('a process leaves by itself when its run is over', async () => {
  const { ended } = childRun(temporaryFolder(), 'never', 0);
  expect(await ended).toBe(0);
});
