/**
 * An evolution whose process is killed comes out as if nothing had happened: same journal where calls are answered in the
 * same order, nothing paid twice, no evaluation lost that was settled.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foldRun } from '../../../src/core/fold.ts';
import { randomFromKey } from '../../../src/run/hash.ts';
import { replayRun } from '../../../src/run/replay.ts';
import { resumeRun } from '../../../src/run/resume.ts';
import { startRun } from '../../../src/run/start.ts';
import { notesOf } from '../../support/evolving.ts';
import { alike, evolvingWorld, killedRun } from '../../support/evolving-world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { eventsOf } from '../../support/world.ts';

const child = join(import.meta.dirname, '../../support/evolving-child.ts');
const kills = Number(process.env.POLYA_KILLS ?? 1);

async function killedAt(folder: string, how: string, moment: string, number: number): Promise<void> {
  const running = spawn(process.execPath, [child, folder, how, moment, `${number}`], { stdio: 'ignore' });
  expect(await once(running, 'exit')).toEqual([null, 'SIGKILL']);
}

/** False where it had ended before. */
async function killedAfter(folder: string, how: string, delayMs: number): Promise<boolean> {
  const running = spawn(process.execPath, [child, folder, how, 'never', '2'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.stdout.once('data', () => setTimeout(() => running.kill('SIGKILL'), delayMs));
  const [code, signal] = await once(running, 'exit');
  expect(signal ?? code).toSatisfy((end) => end === 'SIGKILL' || end === 0);
  return signal === 'SIGKILL';
}

function linesIn(folder: string, name: string): string[] {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

async function uninterrupted(): Promise<string[]> {
  const world = evolvingWorld(temporaryFolder());
  const end = await (await startRun(world, killedRun)).done;
  expect(end).toMatchObject({ outcome: 'scored', solution: { end: 'answered' } });
  const events = await eventsOf(world, 'run');
  // Everything that islands share has happened by then: what is compared below would otherwise say little.
  for (const kind of ['migration', 'more-cases', 'generation', 'final'] as const) {
    expect(notesOf(events, kind).length, kind).toBeGreaterThan(0);
  }
  await world.store.close();
  return alike(events);
}

async function expectWhole(folder: string, whole: readonly string[], context: string): Promise<void> {
  const world = evolvingWorld(folder);
  const before = await eventsOf(world, 'run');
  const count = (kind: string) =>
    before.filter((each) => each.kind === kind && 'status' in each.body && each.body.status === 'ok').length;
  const settled = { calls: count('model-response'), runs: count('evaluate-end') };
  const made = { calls: linesIn(folder, 'calls.log').length, runs: linesIn(folder, 'runs.log').length };
  const { ended } = (await world.store.get('run')) ?? {};
  if (!ended) await (await resumeRun(world, 'run')).done;
  const events = await eventsOf(world, 'run');
  expect(alike(events), context).toEqual(whole);
  expect(await replayRun(world, 'run'), context).toMatchObject({ complete: true, isSame: true });
  const all = (kind: string) =>
    events.filter((each) => each.kind === kind && 'status' in each.body && each.body.status === 'ok').length;
  const later = (name: string, so: number) => linesIn(folder, name).length - so;
  expect(later('calls.log', made.calls), context).toBe(all('model-response') - settled.calls);
  expect(later('runs.log', made.runs), context).toBe(all('evaluate-end') - settled.runs);
  const twice = linesIn(folder, 'calls.log');
  expect(foldRun(events).possiblyBilled, context).toBeGreaterThanOrEqual(twice.length - new Set(twice).size);
  await world.store.close();
}

test('killed in the middle of calls, evaluations and writing, it is resumed to the same journal', async () => {
  const whole = await uninterrupted();
  const folder = temporaryFolder();
  await killedAt(folder, 'start', 'during-call', 4);
  await killedAt(folder, 'resume', 'during-evaluation', 6);
  await killedAt(folder, 'resume', 'after-append', 5);
  await expectWhole(folder, whole, 'killed three times');
  for (let seed = 1; seed <= kills; seed += 1) {
    const at = temporaryFolder();
    const delayMs = 20 + randomFromKey(`evolution ${seed}`) * 400;
    if (await killedAfter(at, 'start', delayMs)) await killedAfter(at, 'resume', delayMs / 2);
    await expectWhole(at, whole, `random kill ${seed}`);
  }
});
