import { expect, test } from 'vitest';
import { defaultRunLimits } from './limits.ts';
import { emptyFinished } from './protocol.ts';
import { judgeStep, limitNotes } from './verdict.ts';

const counted = {
  ...{
    wallMs: 'runner',
    cpuMs: 'cgroup v2, rlimit',
    memoryBytes: 'cgroup v2',
    processes: 'cgroup v2, rlimit',
  },
  openFiles: 'rlimit',
  fileBytes: 'rlimit',
  diskBytes: 'tmpfs',
  outputBytes: 'runner',
};
const sampled = {
  ...counted,
  cpuMs: 'process table, rlimit',
  memoryBytes: 'process table',
  processes: 'rlimit',
};
const limits = { ...defaultRunLimits, memoryBytes: 1000 };

test.each([
  [true, 500, 'memory'],
  [true, 499, 'exit'],
  [false, 1000, 'exit'],
] as const)(
  'a runtime that says its heap is full (%s) and held %i of 1000: %s',
  (says, peakMemoryBytes, verdict) => {
    const finished = emptyFinished('exit');
    const step = { ...finished.step, peakMemoryBytes };
    const judged = judgeStep(
      { backend: { enforcement: counted }, tool: { ranOutOfMemory: () => says }, limits },
      { ...finished, step },
    );
    expect(judged.verdict).toBe(verdict);
    expect(judged.decidedBy === undefined).toBe(verdict === 'exit');
  },
);

test.each([
  ['cpu', false, 'samples of the process table'],
  ['cpu', true, 'an upper bound: it hid what its children used'],
  ['memory', false, 'samples of the process table'],
  ['processes', false, 'samples of the process table'],
  ['disk', false, undefined],
  ['ok', true, undefined],
] as const)('%s (upper bound: %s) that nobody counted is decided by %s', (verdict, cpuIsUpperBound, by) => {
  const finished = emptyFinished(verdict);
  const step = { ...finished.step, cpuIsUpperBound };
  const judge = (enforcement: typeof counted) =>
    judgeStep({ backend: { enforcement }, tool: {}, limits }, { ...finished, step }).decidedBy;
  expect(judge(sampled)).toBe(by);
  if (!cpuIsUpperBound) expect(judge(counted)).toBeUndefined();
});

test('what weaker means are worth is told where they are used, with the way to better ones', () => {
  expect(limitNotes({ backend: 'bubblewrap', enforcement: counted })).toEqual([]);
  const notes = limitNotes({ backend: 'bubblewrap', enforcement: sampled });
  expect(notes.map((note) => note.split(' ')[0])).toEqual(['Memory', 'CPU', 'Processes', 'Control']);
});
