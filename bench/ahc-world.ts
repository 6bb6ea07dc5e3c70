/** One contest of our own with its tools, and a program that is busy for a while: what the bench of evaluations runs. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseOutcome } from '../src/core/program.ts';
import type { Executable, Sandbox } from '../src/core/sandbox.ts';
import { toolProgram } from '../src/families/ahc/judge/build.ts';
import { evaluate, type TestCase } from '../src/families/ahc/judge/evaluate.ts';
import { hashText } from '../src/run/hash.ts';
import { batchCases, batchContest, batchCrate } from '../test/ahc/batch-contest.ts';

const never = new AbortController().signal;

/** A tour of one van a stop: valid, after so many steps that look at no clock. */
export const busySolution = (steps: number): string => `#include <cstdio>
int main() {
  int n, m, q, x, y;
  if (scanf("%d %d %d %d %d", &n, &m, &q, &x, &y) != 5) return 1;
  volatile unsigned long long sum = 1;
  for (long step = 0; step < ${steps}L; step++) sum = sum * 6364136223846793005ULL + 1;
  int each = (n + m - 1) / m, next = 1;
  for (int van = 0; van < m; van++) {
    int count = n - next + 1 < each ? n - next + 1 : each;
    printf("%d", count);
    for (int stop = 0; stop < count; stop++) printf(" %d", next++);
    puts("");
  }
}
`;

/** The official inputs again and again, as many as are asked for. */
export function inputs(count: number): readonly TestCase[] {
  return Array.from({ length: count }, (_, n) => ({
    name: `${n}`,
    input: batchCases[n % batchCases.length]?.input ?? '',
  }));
}

/** Throws where a case did not come to a verdict: a bench of cases that are not judged would be fast. */
export async function evaluateAll(
  sandbox: Sandbox,
  source: string,
  cases: readonly TestCase[],
): Promise<CaseOutcome[]> {
  const reports: CaseOutcome[] = [];
  const options = {
    contest: batchContest,
    source,
    crate: batchCrate,
    cases,
    hashText,
    compileTimeoutMs: 60_000,
    caseTimeoutMs: 10_000,
  };
  await evaluate(sandbox, options, (report) => reports.push(report), never);
  const judged = reports.filter(
    ({ verdict, message }) => verdict === 'AC' || (verdict === 'WA' && message !== ''),
  );
  if (judged.length !== cases.length)
    throw new Error(`${judged.length} of ${cases.length} cases were judged.`);
  return reports;
}

export type Built = { readonly program: string; readonly judge: string };

/** The same programs as files, for whoever runs them without a sandbox. */
export async function buildFiles(sandbox: Sandbox, source: string, folder: string): Promise<Built> {
  const write = (name: string, executable: Executable | null): string => {
    if (!executable) throw new Error(`The bench does not compile: ${name}.`);
    const path = join(folder, name);
    writeFileSync(path, executable.bytes, { mode: 0o755 });
    return path;
  };
  const flags = ['-DONLINE_JUDGE', '-DATCODER'];
  const program = await sandbox.build({ language: 'cpp', source, flags }, never);
  const judge = await sandbox.build(toolProgram(batchCrate, 'score'), never);
  return { program: write('program', program.executable), judge: write('judge', judge.executable) };
}
