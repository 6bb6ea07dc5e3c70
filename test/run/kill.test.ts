/** A run whose process is killed with SIGKILL, at every kind of boundary, comes out as if nothing had happened. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { foldRun } from '../../src/core/fold.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { toyRun } from '../support/toy-run.ts';
import { eventsOf, normalise, toyWorld } from '../support/world.ts';

const child = join(import.meta.dirname, '../support/kill-child.ts');
const moments = ['before-effect', 'during-effect', 'after-effect', 'before-append', 'after-append'] as const;
const killsPerMoment = Number(process.env.POLYA_KILLS ?? 3);

type Kill = { folder: string; agent: string; how: 'start' | 'resume'; moment: string; number: number };

function killAt({ folder, agent, how, moment, number }: Kill): Promise<NodeJS.Signals | number | null> {
  const running = spawn(process.execPath, [child, folder, agent, how, moment, String(number)], {
    stdio: 'inherit',
  });
  return new Promise((resolve) => running.on('exit', (code, signal) => resolve(signal ?? code)));
}

async function uninterrupted(
  agent: string,
): Promise<{ journal: string[]; effects: number; appends: number }> {
  let effects = 0;
  let appends = 0;
  const world = toyWorld({
    folder: temporaryFolder(),
    onPerform: (moment) => {
      if (moment === 'during') effects += 1;
    },
    wrapStore: (store) =>
      new Proxy(store, {
        get(target, name) {
          if (name === 'append') appends += 1;
          return Reflect.get(target, name).bind(target);
        },
      }),
  });
  await (await startRun(world, toyRun(agent))).done;
  return { journal: normalise(await eventsOf(world, 'run')), effects, appends };
}

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'polya-kill-'));
}

/** The same numbers each time, spread over the run. */
function picks(total: number, moment: (typeof moments)[number]): number[] {
  const offset = moments.indexOf(moment) + 1;
  return Array.from(
    { length: killsPerMoment },
    (_, index) => 1 + ((index * 7 + offset * 3) % Math.max(1, total - 1)),
  );
}

describe.each(['line', 'archive', 'vote', 'limit'])('agent %s', (agent) => {
  test('resumed equals uninterrupted, event for event', { timeout: 120_000 }, async () => {
    const whole = await uninterrupted(agent);
    for (const moment of moments) {
      for (const number of picks(moment.endsWith('append') ? whole.appends : whole.effects, moment)) {
        const folder = temporaryFolder();
        const context = `${agent} killed at ${moment} ${number}`;
        expect(await killAt({ folder, agent, how: 'start', moment, number }), context).toBe('SIGKILL');
        const settledBefore = await settledModelCalls(folder);

        const world = toyWorld({ folder });
        await (await resumeRun(world, 'run')).done;
        const events = await eventsOf(world, 'run');
        expect(normalise(events), context).toEqual(whole.journal);
        expect(await replayRun(world, 'run'), context).toMatchObject({ complete: true, isSame: true });
        for (const call of settledBefore) expect(timesMade(folder, call), `${context}: ${call}`).toBe(1);
        expectBillingToBeTold(events, folder, context);
        await world.store.close();
      }
    }
  });

  test('killed again while it is being resumed', { timeout: 60_000 }, async () => {
    const whole = await uninterrupted(agent);
    const folder = temporaryFolder();
    expect(await killAt({ folder, agent, how: 'start', moment: 'during-effect', number: 3 })).toBe('SIGKILL');
    expect(await killAt({ folder, agent, how: 'resume', moment: 'after-append', number: 2 })).toBe('SIGKILL');
    expect(await killAt({ folder, agent, how: 'resume', moment: 'before-append', number: 2 })).toBe(
      'SIGKILL',
    );
    const world = toyWorld({ folder });
    await (await resumeRun(world, 'run')).done;
    const events = await eventsOf(world, 'run');
    expect(normalise(events)).toEqual(whole.journal);
    expect(foldRun(events).lives).toBeGreaterThan(1);
  });
});

async function settledModelCalls(folder: string): Promise<string[]> {
  const world = toyWorld({ folder });
  const events = await eventsOf(world, 'run');
  await world.store.close();
  const settled: string[] = [];
  for (const event of events) {
    if (event.kind !== 'model-response' || event.body.status !== 'ok') continue;
    const before = events.filter(
      ({ kind, branch, ordinal }) =>
        kind === 'model-request' && branch === event.branch && Number(ordinal) < Number(event.ordinal),
    );
    settled.push(`model ${event.branch} solver ${before.length} 0`);
  }
  return settled;
}

function timesMade(folder: string, call: string): number {
  return outsideLines(folder).filter((line) => line === call).length;
}

function outsideLines(folder: string): string[] {
  return readFileSync(join(folder, 'outside.log'), 'utf8').split('\n');
}

/** A call that reached the provider twice is told as possibly billed. */
function expectBillingToBeTold(events: Parameters<typeof foldRun>[0], folder: string, context: string): void {
  const made = outsideLines(folder).filter((line) => line.startsWith('model'));
  const twice = made.length - new Set(made).size;
  expect(foldRun(events).possiblyBilled, context).toBeGreaterThanOrEqual(twice);
}
