/** A case that is late by the clock on the wall alone: it is run again alone, and what is told of its time. */

import { expect, test } from 'vitest';
import type { CaseOutcome } from '../../../core/program.ts';
import type { BatchRequest, Case, OnCase, Sandbox, StepResult } from '../../../core/sandbox.ts';
import type { Contest } from '../workspace.ts';
import { evaluate } from './evaluate.ts';
import { newQueue } from './turns.ts';

const contest: Contest = {
  id: 'toy',
  title: 'Toy',
  timeLimitMs: 2_000,
  memoryLimitBytes: 2 ** 30,
  tools: null,
  direction: 'maximise',
  scoring: 'absolute',
  isInteractive: false,
};

type Times = Pick<StepResult, 'cpuMs' | 'wallMs'> & Partial<Pick<StepResult, 'verdict'>>;

/** `times`: of a case by name, and of the how-manieth run of it. */
async function evaluated(
  names: readonly string[],
  times: (name: string, run: number) => Times,
  {
    shareOf = () => 1,
    output = '1',
  }: { shareOf?: (name: string, run: number) => number; output?: string } = {},
) {
  let [atMs, idleMs] = [0, 0];
  const runs: string[] = [];
  const wallLimits: number[] = [];
  const sandbox = {
    build: async () => ({ backend: 'none', compile: null, executable: { files: {} } }),
    async batch({ cases, limits }: BatchRequest, onCase: OnCase) {
      for await (const { name } of cases as AsyncIterable<Case>) {
        runs.push(name);
        wallLimits.push(limits?.wallMs ?? 0);
        const run = runs.filter((each) => each === name).length;
        const step = { verdict: 'ok' as const, ...times(name, run) };
        // What it does not run, it waits: for itself on an idle machine, else for a processor.
        atMs += step.wallMs;
        idleMs += (step.wallMs - step.cpuMs) * shareOf(name, run);
        const written = (text: string) => ({ text, cut: false, bytes: text.length });
        const ended = { exitCode: 0, signal: null, peakMemoryBytes: 1 };
        const stderr = written(`${'x'.repeat(500)}\nwidth=40 steps=1200\n`);
        await onCase({
          name,
          step: { ...ended, ...step, stdout: written(output), stderr },
          index: 0,
          worker: 0,
        });
      }
      return { backend: 'none' };
    },
  } as unknown as Sandbox;
  const messages: CaseOutcome['said'][] = [];
  const judged: CaseOutcome[] = [];
  const options = {
    contest,
    source: '',
    crate: null,
    jobs: 2,
    turns: newQueue().enter(2),
    hashText: () => 'hash',
    cases: names.map((name) => ({ name, input: '1' })),
    machine: () => ({ atMs, idleMs }),
    compileTimeoutMs: 1,
    caseTimeoutMs: 60_000,
  };
  const { cases } = await evaluate(
    sandbox,
    options,
    (each) => {
      judged.push(each);
      messages.push(each.said);
    },
    new AbortController().signal,
  );
  expect(judged.map(({ name }) => name).sort()).toEqual(cases.map(({ name }) => name));
  return { cases, runs, said: messages, wallLimits };
}

const quick = { cpuMs: 900, wallMs: 1_000 };
const starved = { cpuMs: 900, wallMs: 3_500 };

test('late on the wall beside others, in time alone: sound, and it is told', async () => {
  const { cases, runs } = await evaluated(['a', 'b', 'c'], (name, run) =>
    name === 'b' && run === 1 ? starved : quick,
  );
  expect(runs).toEqual(['a', 'b', 'c', 'b']);
  expect(cases.map(({ verdict }) => verdict)).toEqual(['AC', 'AC', 'AC']);
  expect(cases[1]?.message).toBe(
    'run again alone; beside others: CPU 900 ms of 2,000 ms, on the wall 3,500 ms of at most 3,000 ms',
  );
});

test('late alone as well, and a processor was there: TLE, with both clocks; nor are those run again that were as late beside one', async () => {
  const { cases, runs } = await evaluated(['a', 'b', 'c'], () => ({ ...starved, verdict: 'wall' }));
  expect(runs).toEqual(['a', 'b', 'c', 'a']);
  expect(cases.map(({ verdict }) => verdict)).toEqual(['TLE', 'TLE', 'TLE']);
  expect(cases[2]?.message).toMatch(/^CPU 900 ms of 2,000 ms, on the wall 3,500 ms of at most 3,000 ms/);
});

test('one case that is late by itself condemns none that lacked a processor', async () => {
  const { cases, runs } = await evaluated(
    ['a', 'b'],
    (name, run) => (name === 'a' || run === 1 ? { ...starved, verdict: 'wall' } : quick),
    { shareOf: (name, run) => (name === 'b' && run === 1 ? 0 : 1) },
  );
  expect(runs).toEqual(['a', 'b', 'a', 'b']);
  expect(cases.map(({ verdict }) => verdict)).toEqual(['TLE', 'AC']);
});

test('on a busy machine, the CPU time of a case that runs alone is what counts', async () => {
  const { cases } = await evaluated(['a', 'b'], () => starved, { shareOf: () => 0 });
  expect(cases.map(({ verdict }) => verdict)).toEqual(['AC', 'AC']);
});

test('what a busy machine ends before its CPU time is over is run again with more time, and at last not judged', async () => {
  const ended = () => ({ ...starved, verdict: 'wall' }) as const;
  const { cases, runs, wallLimits } = await evaluated(['a'], ended, { shareOf: () => 0 });
  expect(runs).toEqual(['a', 'a', 'a', 'a']);
  expect(wallLimits).toEqual([4_500, 4_500, 8_500, 16_500]);
  expect(cases[0]).toMatchObject({ verdict: 'NJ', score: null });
  expect(cases[0]?.message).toMatch(/^not judged, for the machine was too busy: CPU 900 ms of 2,000 ms/);
  const later = await evaluated(['a'], (_, run) => (run > 2 ? quick : ended()), { shareOf: () => 0 });
  expect(later.cases[0]).toMatchObject({ verdict: 'AC' });
});

test('a program that gives up by its own clock on a busy machine, and writes nothing, is not judged by that', async () => {
  const { cases } = await evaluated(['a'], () => starved, { shareOf: () => 0, output: '' });
  expect(cases[0]).toMatchObject({ verdict: 'NJ', score: null });
});

test('too much CPU time is too late at once', async () => {
  const { cases, runs } = await evaluated(['a'], () => ({ cpuMs: 2_210, wallMs: 2_300 }), {
    shareOf: () => 0,
  });
  expect(runs).toEqual(['a']);
  expect(cases[0]).toMatchObject({ verdict: 'TLE' });
  expect(cases[0]?.message).toMatch(/^CPU 2,210 ms of 2,000 ms, on the wall 2,300 ms/);
});

test('of what a program writes to standard error the end is handed on', async () => {
  const { said } = await evaluated(['a'], () => quick);
  expect(said[0]).toMatch(/width=40 steps=1200$/);
  expect(said[0]?.length).toBeLessThanOrEqual(240);
});

test('what runs alone begins when nothing runs, and nothing begins beside it', async () => {
  const { signal } = new AbortController();
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const queue = newQueue();
  const [first, second] = [queue.enter(2), queue.enter(2)];
  const startedRuns: string[] = [];
  await first.take(signal);
  const turns = first.alone();
  void turns.take(signal).then(() => startedRuns.push('alone'));
  await settled();
  expect(startedRuns).toEqual([]);
  first.give();
  await settled();
  void second.take(signal).then(() => startedRuns.push('second'));
  await settled();
  expect(startedRuns).toEqual(['alone']);
  turns.give();
  await settled();
  expect(startedRuns).toEqual(['alone', 'second']);
});
