/** Runs of the toy world in processes that are killed, and what has to hold of a run that was resumed after it. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Event, Settlement, SettlementKind } from '../../src/core/event.ts';
import { foldRun } from '../../src/core/fold.ts';
import { replayRun } from '../../src/run/replay.ts';
import { resumeRun } from '../../src/run/resume.ts';
import { startRun } from '../../src/run/start.ts';
import { killWorld } from './kill-world.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { toyRun } from './toy-run.ts';
import { eventsOf, normalise, toyWorld } from './world.ts';

const child = join(import.meta.dirname, 'kill-child.ts');

/** One line; an archive; a vote; a limit; sessions; a graph engine's turns; several of those with a vote. */
export const killAgents = ['line', 'archive', 'vote', 'limit', 'session', 'graph', 'graphs'];

export const moments = [
  'before-effect',
  'during-effect',
  'after-effect',
  'before-append',
  'after-append',
] as const;

type Child = { folder: string; agent: string; how: 'start' | 'resume' };

/** The process kills itself at the numbered one of its moments. */
export function killAt({ folder, agent, how, moment, number }: Child & { moment: string; number: number }) {
  const running = spawn(process.execPath, [child, folder, agent, how, moment, String(number)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise<NodeJS.Signals | number | null>((resolve) =>
    running.on('exit', (code, signal) => resolve(signal ?? code)),
  );
}

/** The process is killed so long after it has begun its run, each of its calls taking some time; it may end before. */
export async function killAfter({
  folder,
  agent,
  how,
  slowMs,
  delayMs,
}: Child & { slowMs: number; delayMs: number }) {
  const running = spawn(process.execPath, [child, folder, agent, how, 'never', String(slowMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) =>
    running.on('exit', (code, signal) => resolve(signal ?? code)),
  );
  running.stdout.once('data', () => setTimeout(() => running.kill('SIGKILL'), delayMs));
  return ended;
}

/** `journal` is null where two runs need not be alike: turns of their own, at once, come as the machine has time. */
export type Whole = { journal: string[] | null; effects: number; appends: number };

export async function uninterrupted(agent: string): Promise<Whole> {
  let effects = 0;
  let appends = 0;
  const world = toyWorld({
    ...killWorld,
    folder: temporaryFolder(),
    onPerform: (moment) => {
      if (moment === 'during') effects += 1;
    },
    wrapStore: (store) =>
      new Proxy(store, {
        get(target, name) {
          if (name === 'append') appends += 1;
          return Reflect.get(target, name)?.bind(target);
        },
      }),
  });
  await (await startRun(world, toyRun(agent))).done;
  const journal = agent === 'graphs' ? null : normalise(await eventsOf(world, 'run'));
  return { journal, effects, appends };
}

/** Resumes the run of a killed process: it comes out as if nothing had happened, and nothing settled is made again. */
export async function expectWhole(folder: string, whole: Whole, context: string): Promise<readonly Event[]> {
  const settledBefore = (await settledModelCalls(folder)).map(
    (call) => [call, timesMade(folder, call)] as const,
  );
  const leftBefore = await notMadeInVain(folder);
  const world = killedWorld(folder);
  const { ended } = (await world.store.get('run')) ?? {};
  if (!ended) await (await resumeRun(world, 'run')).done;
  const events = await eventsOf(world, 'run');
  if (whole.journal) expect(normalise(events), context).toEqual(whole.journal);
  expect(await replayRun(world, 'run'), context).toMatchObject({ complete: true, isSame: true });
  for (const [call, times] of settledBefore) {
    expect(timesMade(folder, call), `${context}: ${call}`).toBe(times);
  }
  expect(madeBeyondSettled(events, folder), context).toEqual(leftBefore);
  expectBillingToBeTold(events, folder, context);
  await world.store.close();
  return events;
}

const killedWorld = (folder: string) => toyWorld({ ...killWorld, folder });

async function settledModelCalls(folder: string): Promise<string[]> {
  const world = killedWorld(folder);
  const events = await eventsOf(world, 'run');
  await world.store.close();
  const settled: string[] = [];
  for (const event of events) {
    if (event.kind !== 'model-response' || event.body.status !== 'ok') continue;
    const asked = events.filter(({ kind, branch }) => kind === 'model-request' && branch === event.branch);
    const role = roleOf(asked.find(({ ordinal }) => ordinal === event.ordinal));
    const before = asked.filter(
      (request) => roleOf(request) === role && Number(request.ordinal) < Number(event.ordinal),
    );
    settled.push(`model ${event.branch} ${role} ${before.length} 0`);
  }
  return settled;
}

function roleOf(request: Event | undefined): string {
  return String(request && 'role' in request.body ? request.body.role : '');
}

async function notMadeInVain(folder: string): Promise<Record<string, number>> {
  const world = killedWorld(folder);
  const events = await eventsOf(world, 'run');
  await world.store.close();
  return madeBeyondSettled(events, folder);
}

/**
 * By kind, how many effects the world saw beyond those that the journal settled: what a kill broke off. It stays the
 * same over a resume exactly if nothing settled is made again and everything else is made once.
 */
function madeBeyondSettled(events: readonly Event[], folder: string): Record<string, number> {
  const lines = outsideLines(folder);
  const seen = (start: string) =>
    lines.filter((line) => line === start || line.startsWith(`${start} `)).length;
  const settled = (kind: SettlementKind) =>
    events.filter((event) => event.kind === kind && (event.body as Settlement).status === 'ok');
  const place = ({ branch, ordinal }: Event) => `${branch}#${ordinal}`;
  const steps = new Set(
    events
      .filter(({ kind, body }) => kind === 'tool-call' && 'name' in body && body.name === 'step')
      .map(place),
  );
  return {
    tools: seen('tool step') - settled('tool-result').filter((event) => steps.has(place(event))).length,
    checks: seen('check') - settled('check-end').length,
    grades: seen('grade') - settled('grade-end').length,
    programs: seen('exec') - settled('exec-end').length,
  };
}

function timesMade(folder: string, call: string): number {
  return outsideLines(folder).filter((line) => line === call).length;
}

function outsideLines(folder: string): string[] {
  const file = join(folder, 'outside.log');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
}

/** A call that reached the provider twice is told as possibly billed. */
function expectBillingToBeTold(events: readonly Event[], folder: string, context: string): void {
  const made = outsideLines(folder).filter((line) => line.startsWith('model'));
  const twice = made.length - new Set(made).size;
  expect(foldRun(events).possiblyBilled, context).toBeGreaterThanOrEqual(twice);
}
