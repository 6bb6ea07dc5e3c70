/**
 * The programs of the sandbox's benches, and the ways to run many of them. They are real and busy for as long as they
 * say. What they print is checked: a bench of programs that do not run would be fast.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Executable, Sandbox } from '../src/core/sandbox.ts';
import { timed } from './measure.ts';

export const [cases, workers, caseMs] = [100, 2, 4];
const [tries, triedSteps] = [9, 20_000_000];
const never = new AbortController().signal;

/**
 * Takes as many steps as its second argument says. It looks at no clock meanwhile: where a limit on CPU time is set,
 * Linux moves the clock of a process on by whole ticks. With a third argument it says on stderr how many milliseconds
 * its steps took.
 */
const busySource = `
#include <chrono>
#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv) {
  auto begun = std::chrono::steady_clock::now();
  volatile unsigned long sum = 1;
  for (long left = atol(argv[2]); left > 0; left--) sum = sum * 6364136223846793005UL + 1;
  std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begun;
  printf("%d\\n", 2 * atoi(argv[1]));
  if (argc > 3) fprintf(stderr, "%f", taken.count());
}`;

/** `steps`: as many as take `caseMs`. */
export type Busy = { readonly executable: Executable; readonly path: string; readonly steps: number };

export async function buildBusy(sandbox: Sandbox, folder: string): Promise<Busy> {
  const { executable, compile } = await sandbox.build({ language: 'cpp', source: busySource }, never);
  if (executable === null) throw new Error(`The bench does not compile: ${compile?.stderr.text}`);
  const path = join(folder, 'busy');
  writeFileSync(path, executable.bytes, { mode: 0o755 });
  const idle = { executable, path, steps: 0 };
  return { ...idle, steps: await stepsFor(idle) };
}

async function stepsFor(busy: Busy): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < tries; round++) {
    const nothing = await timed(() => spawnOne(busy, 0, 0));
    taken.push((await timed(() => spawnOne(busy, 0, triedSteps))) - nothing);
  }
  return Math.round((triedSteps * caseMs) / Math.max(1, Math.min(...taken)));
}

/** Milliseconds a case, of as many as `work` runs. */
export async function perCase(work: () => Promise<void>, count = cases): Promise<number> {
  return (await timed(work)) / count;
}

export async function batch(sandbox: Sandbox, { executable, steps }: Busy): Promise<void> {
  const numbered = Array.from({ length: cases }, (_, n) => ({ name: `${n}`, args: [`${n}`, `${steps}`] }));
  await sandbox.batch(
    { executable, cases: numbered, workers },
    ({ name, step }) => check(name, step.stdout.text),
    never,
  );
}

export async function runOne(
  sandbox: Sandbox,
  { executable }: Busy,
  n: number,
  steps: number,
): Promise<void> {
  const one = [{ name: `${n}`, args: [`${n}`, `${steps}`] }];
  await sandbox.batch(
    { executable, cases: one, workers: 1 },
    ({ name, step }) => check(name, step.stdout.text),
    never,
  );
}

export function eachAlone(sandbox: Sandbox, busy: Busy): Promise<void> {
  return onWorkers((n) => runOne(sandbox, busy, n, busy.steps));
}

export function spawnAll(busy: Busy): Promise<void> {
  return onWorkers((n) => spawnOne(busy, n, busy.steps));
}

export function spawnOne({ path }: Busy, n: number, steps: number): Promise<void> {
  return checked(n, path, [`${n}`, `${steps}`]);
}

export async function xargs({ path, steps }: Busy): Promise<void> {
  const command = `seq 0 ${cases - 1} | xargs -P ${workers} -I N ${path} N ${steps}`;
  const lines = (await spoken('/bin/sh', ['-c', command])).stdout.trim().split('\n');
  if (lines.length !== cases) throw new Error(`xargs ran ${lines.length} of ${cases} cases.`);
}

/** A command that ends in running case `n` of the busy program. */
export async function checked(n: number, command: string, args: readonly string[]): Promise<void> {
  check(`${n}`, (await spoken(command, args)).stdout);
}

export async function onWorkers(work: (n: number) => Promise<void>, count = cases): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

export function spoken(
  command: string,
  args: readonly string[],
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => {
      said.stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      said.stderr += chunk;
    });
    child.on('error', reject).on('close', () => resolve(said));
  });
}

function check(name: string, text: string): void {
  if (text !== `${2 * Number(name)}\n`) throw new Error(`Case ${name} printed ${JSON.stringify(text)}.`);
}
