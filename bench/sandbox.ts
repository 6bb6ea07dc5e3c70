/**
 * What the sandbox costs: to start one, and to run many short cases in it, against the same programs without any. The
 * programs are real and busy for as long as they say; wall time is measured, so a busy machine shows in both alike.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Executable, Sandbox } from '../src/core/sandbox.ts';
import { bubblewrapSandbox } from '../src/sandbox/bubblewrap.ts';
import { type Bench, contest, type Row, timed } from './measure.ts';

const [cases, workers, rounds, caseMs] = [100, 2, 9, 4];
const never = new AbortController().signal;
/**
 * Takes as many steps as its second argument says. It looks at no clock: where a limit on CPU time is set, Linux moves
 * the clock of a process on by whole ticks.
 */
const busySource = `
#include <cstdio>
#include <cstdlib>
int main(int, char **argv) {
  volatile unsigned long sum = 1;
  for (long left = atol(argv[2]); left > 0; left--) sum = sum * 6364136223846793005UL + 1;
  printf("%d\\n", 2 * atoi(argv[1]));
}`;
const triedSteps = 20_000_000;

export const sandboxBench: Bench = {
  name: 'sandbox',
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'polya-bench-'));
    try {
      return await measure(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

type Busy = { readonly executable: Executable; readonly path: string; readonly steps: number };

async function measure(folder: string): Promise<readonly Row[]> {
  const sandbox = bubblewrapSandbox();
  const bare = bubblewrapSandbox({ useCgroups: false });
  const busy = await build(sandbox, folder);
  const one = () => runOne(sandbox, busy, 0, 0);
  const many = () => perCase(() => batch(sandbox, busy));
  const [spawned, byXargs] = [() => perCase(() => spawnAll(busy)), () => perCase(() => xargs(busy))];
  const alone = () => perCase(() => eachAlone(sandbox, busy));
  const unaccounted = () => perCase(() => batch(bare, busy));
  const aim = { of: 'ratio', atMost: 1.11 } as const;
  const what = `a case of ${caseMs} ms, ${cases} on ${workers} workers`;
  const row = async (
    parts: Pick<Row, 'what' | 'against' | 'aim'>,
    ours: () => Promise<number>,
    floor: () => Promise<number>,
  ) => ({
    ...parts,
    unit: 'ms',
    ...(await contest({ ours, floor, rounds })),
  });
  return [
    await row(
      { what: 'a program in a sandbox of its own', against: 'a bare spawn', aim: null },
      () => timed(one),
      () => timed(() => spawnOne(busy, 0, 0)),
    ),
    await row({ what, against: 'the same spawned by Node', aim }, many, spawned),
    await row({ what, against: 'the same by xargs', aim }, many, byXargs),
    await row({ what: `${what}, a sandbox each`, against: 'one sandbox a worker', aim: null }, alone, many),
    await row(
      { what: `${what}, accounted by control groups`, against: 'by the process table', aim: null },
      many,
      unaccounted,
    ),
  ];
}

async function build(sandbox: Sandbox, folder: string): Promise<Busy> {
  const { executable, compile } = await sandbox.build({ language: 'cpp', source: busySource }, never);
  if (executable === null) throw new Error(`The bench does not compile: ${compile?.stderr.text}`);
  const path = join(folder, 'busy');
  writeFileSync(path, executable.bytes, { mode: 0o755 });
  const idle = { executable, path, steps: 0 };
  return { ...idle, steps: await stepsFor(idle) };
}

/** How many steps take as long as a case should. */
async function stepsFor(busy: Busy): Promise<number> {
  const tries: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const nothing = await timed(() => spawnOne(busy, 0, 0));
    tries.push((await timed(() => spawnOne(busy, 0, triedSteps))) - nothing);
  }
  return Math.round((triedSteps * caseMs) / Math.max(1, Math.min(...tries)));
}

async function perCase(work: () => Promise<void>): Promise<number> {
  return (await timed(work)) / cases;
}

async function batch(sandbox: Sandbox, { executable, steps }: Busy): Promise<void> {
  const numbered = Array.from({ length: cases }, (_, n) => ({ name: `${n}`, args: [`${n}`, `${steps}`] }));
  await sandbox.batch(
    { executable, cases: numbered, workers },
    ({ name, step }) => check(name, step.stdout.text),
    never,
  );
}

async function runOne(sandbox: Sandbox, { executable }: Busy, n: number, steps: number): Promise<void> {
  const one = [{ name: `${n}`, args: [`${n}`, `${steps}`] }];
  await sandbox.batch(
    { executable, cases: one, workers: 1 },
    ({ name, step }) => check(name, step.stdout.text),
    never,
  );
}

function eachAlone(sandbox: Sandbox, busy: Busy): Promise<void> {
  return onWorkers((n) => runOne(sandbox, busy, n, busy.steps));
}

function spawnAll(busy: Busy): Promise<void> {
  return onWorkers((n) => spawnOne(busy, n, busy.steps));
}

async function onWorkers(work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < cases) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

function spawnOne({ path }: Busy, n: number, steps: number): Promise<void> {
  return output(path, [`${n}`, `${steps}`]).then((text) => check(`${n}`, text));
}

async function xargs({ path, steps }: Busy): Promise<void> {
  const command = `seq 0 ${cases - 1} | xargs -P ${workers} -I N ${path} N ${steps}`;
  const lines = (await output('/bin/sh', ['-c', command])).trim().split('\n');
  if (lines.length !== cases) throw new Error(`xargs ran ${lines.length} of ${cases} cases.`);
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.on('error', reject).on('close', () => resolve(text));
  });
}

/** A bench of programs that do not run would be fast. */
function check(name: string, text: string): void {
  if (text !== `${2 * Number(name)}\n`) throw new Error(`Case ${name} printed ${JSON.stringify(text)}.`);
}
