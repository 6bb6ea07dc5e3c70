/**
 * What it costs a program to be watched: its own clock tells how long its steps took, with as many programs at once as
 * there are processors, so that whoever watches takes his time from them.
 */
import { availableParallelism } from 'node:os';
import type { Sandbox } from '../src/core/sandbox.ts';
import { bubblewrapSandbox } from '../src/sandbox/bubblewrap.ts';
import { contest, median, type Row } from './measure.ts';
import { type Busy, caseMs, spoken } from './sandbox-programs.ts';

const [rounds, watchedMs] = [9, 300];
const never = new AbortController().signal;

export async function watching(busy: Busy): Promise<readonly Row[]> {
  const means = [
    ['control groups', bubblewrapSandbox()],
    ['the process table', bubblewrapSandbox({ useCgroups: false })],
  ] as const;
  const rows: Row[] = [];
  for (const [by, sandbox] of means) {
    const result = await contest({ rounds, ours: () => watched(sandbox, busy), floor: () => alone(busy) });
    const what = `a program of ${watchedMs} ms on each processor, watched by ${by}`;
    rows.push({ what, unit: 'ms', against: 'by nobody', aim: null, ...result });
  }
  return rows;
}

const atOnce = availableParallelism();
const argumentsFor = ({ steps }: Busy, n: number) => [
  `${n}`,
  `${Math.round((steps * watchedMs) / caseMs)}`,
  'tell',
];

async function watched(sandbox: Sandbox, busy: Busy): Promise<number> {
  const numbered = Array.from({ length: atOnce }, (_, n) => ({ name: `${n}`, args: argumentsFor(busy, n) }));
  const taken: number[] = [];
  await sandbox.batch(
    { executable: busy.executable, cases: numbered, workers: atOnce },
    ({ step }) => void taken.push(told(step.stderr.text)),
    never,
  );
  return median(taken);
}

async function alone(busy: Busy): Promise<number> {
  const all = Array.from({ length: atOnce }, (_, n) => spoken(busy.path, argumentsFor(busy, n)));
  return median((await Promise.all(all)).map(({ stderr }) => told(stderr)));
}

function told(text: string): number {
  const ms = Number.parseFloat(text);
  if (!(ms > 0)) throw new Error(`The program did not say how long it took: ${JSON.stringify(text)}.`);
  return ms;
}
