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
/** Computes for as many milliseconds of its own time as its second argument says. */
const busySource = `
#include <cstdio>
#include <cstdlib>
#include <ctime>
int main(int, char **argv) {
  const double seconds = atof(argv[2]) / 1000;
  while (static_cast<double>(clock()) / CLOCKS_PER_SEC < seconds) {}
  printf("%d\\n", 2 * atoi(argv[1]));
}`;

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

type Busy = { readonly executable: Executable; readonly path: string };

async function measure(folder: string): Promise<readonly Row[]> {
  const sandbox = bubblewrapSandbox();
  const bare = bubblewrapSandbox({ useCgroups: false });
  const busy = await build(sandbox, folder);
  const one = () => runOne(sandbox, busy, 0);
  const many = () => perCase(() => batch(sandbox, busy));
  const [spawned, byXargs] = [() => perCase(() => spawnAll(busy)), () => perCase(() => xargs(busy))];
  const alone = () => perCase(() => eachAlone(sandbox, busy));
  const unaccounted = () => perCase(() => batch(bare, busy));
  const aim = { of: 'ratio', atMost: 1 / 0.9 } as const;
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
  return { executable, path };
}

async function perCase(work: () => Promise<void>): Promise<number> {
  return (await timed(work)) / cases;
}

async function batch(sandbox: Sandbox, { executable }: Busy): Promise<void> {
  const numbered = Array.from({ length: cases }, (_, n) => ({ name: `${n}`, args: [`${n}`, `${caseMs}`] }));
  await sandbox.batch(
    { executable, cases: numbered, workers },
    ({ name, step }) => check(name, step.stdout.text),
    never,
  );
}

async function runOne(sandbox: Sandbox, { executable }: Busy, n: number, ms = 0): Promise<void> {
  const one = [{ name: `${n}`, args: [`${n}`, `${ms}`] }];
  await sandbox.batch(
    { executable, cases: one, workers: 1 },
    ({ name, step }) => check(name, step.stdout.text),
    never,
  );
}

function eachAlone(sandbox: Sandbox, busy: Busy): Promise<void> {
  return onWorkers((n) => runOne(sandbox, busy, n, caseMs));
}

function spawnAll(busy: Busy): Promise<void> {
  return onWorkers((n) => spawnOne(busy, n, caseMs));
}

async function onWorkers(work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < cases) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

function spawnOne({ path }: Busy, n: number, ms: number): Promise<void> {
  return output(path, [`${n}`, `${ms}`]).then((text) => check(`${n}`, text));
}

async function xargs({ path }: Busy): Promise<void> {
  const command = `seq 0 ${cases - 1} | xargs -P ${workers} -I N ${path} N ${caseMs}`;
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
