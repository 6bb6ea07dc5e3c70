/** A case that is late by the clock on the wall alone: it is run again alone, and what is told of its time. */
import { expect, test } from 'vitest';
import type { BatchRequest, Case, OnCase, Sandbox, StepResult } from '../../../core/sandbox.ts';
import type { Contest } from '../workspace.ts';
import { type CaseTexts, evaluate, type JudgedCase } from './evaluate.ts';
import { newQueue } from './turns.ts';

const contest: Contest = {
  ...{ id: 'toy', title: 'Toy', timeLimitMs: 2_000, memoryLimitBytes: 2 ** 30, tools: null },
  ...{ direction: 'maximise', scoring: 'absolute', isInteractive: false },
};

type Times = Pick<StepResult, 'cpuMs' | 'wallMs'> & Partial<Pick<StepResult, 'verdict'>>;

/** `times`: of a case by name, and of the how-manieth run of it. */
async function evaluated(
  names: readonly string[],
  times: (name: string, run: number) => Times,
  isBusy = false,
) {
  const runs: string[] = [];
  const wallLimits: number[] = [];
  const sandbox = {
    build: async () => ({ backend: 'none', compile: null, executable: { files: {} } }),
    async batch({ cases, limits }: BatchRequest, onCase: OnCase) {
      for await (const { name } of cases as AsyncIterable<Case>) {
        runs.push(name);
        wallLimits.push(limits?.wallMs ?? 0);
        const run = runs.filter((each) => each === name).length;
        const output = (text: string) => ({ text, cut: false, bytes: text.length });
        const step = {
          ...{ verdict: 'ok' as const, exitCode: 0, signal: null, peakMemoryBytes: 1, ...times(name, run) },
          ...{ stdout: output('1'), stderr: output(`${'x'.repeat(500)}\nwidth=40 steps=1200\n`) },
        };
        await onCase({ name, step, index: 0, worker: 0 });
      }
      return { backend: 'none' };
    },
  } as unknown as Sandbox;
  const said: CaseTexts['said'][] = [];
  const judged: JudgedCase[] = [];
  const options = {
    ...{ contest, source: '', crate: null, jobs: 2, turns: newQueue().enter(2), hashText: () => 'hash' },
    ...{ cases: names.map((name) => ({ name, input: '1' })), isBusy: () => isBusy },
    ...{ compileTimeoutMs: 1, caseTimeoutMs: 60_000 },
  };
  const { cases } = await evaluate(
    sandbox,
    options,
    (each, texts) => {
      judged.push(each);
      said.push(texts.said);
    },
    new AbortController().signal,
  );
  expect(judged.map(({ name }) => name).sort()).toEqual(cases.map(({ name }) => name));
  return { cases, runs, said, wallLimits };
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

test('late alone as well: TLE, with both clocks and their limits; the cases like it are not run again', async () => {
  const { cases, runs, wallLimits } = await evaluated(['a', 'b', 'c'], () => ({
    ...starved,
    verdict: 'wall',
  }));
  expect(runs).toEqual(['a', 'b', 'c', 'a']);
  expect(cases.map(({ verdict }) => verdict)).toEqual(['TLE', 'TLE', 'TLE']);
  expect(cases[2]?.message).toMatch(/^CPU 900 ms of 2,000 ms, on the wall 3,500 ms of at most 3,000 ms/);
  expect(wallLimits.at(-1)).toBeGreaterThan(wallLimits[0] ?? 0);
});

test('on a busy machine, the CPU time of a case that runs alone is what counts', async () => {
  const { cases } = await evaluated(['a', 'b'], () => starved, true);
  expect(cases.map(({ verdict }) => verdict)).toEqual(['AC', 'AC']);
});

test('too much CPU time is too late at once', async () => {
  const { cases, runs } = await evaluated(['a'], () => ({ cpuMs: 2_210, wallMs: 2_300 }), true);
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
  const begun: string[] = [];
  await first.take(signal);
  const alone = first.alone();
  void alone.take(signal).then(() => begun.push('alone'));
  await settled();
  expect(begun).toEqual([]);
  first.give();
  await settled();
  void second.take(signal).then(() => begun.push('second'));
  await settled();
  expect(begun).toEqual(['alone']);
  alone.give();
  await settled();
  expect(begun).toEqual(['alone', 'second']);
});
