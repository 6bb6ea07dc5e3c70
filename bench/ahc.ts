/**
 * What an evaluation costs: 100 cases on all cores, judged by the official tool, against the same programs under
 * `xargs -P` with nothing around them; and the memory of many cases. Wall time is measured.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { chooseSandbox } from '../src/sandbox/choose.ts';
import { type Built, buildFiles, busySolution, evaluateAll, inputs } from './ahc-world.ts';
import { type Bench, contest, type Row, timed } from './measure.ts';
import { spoken } from './sandbox-programs.ts';
import { temporaryFolder } from './temporary-folder.ts';

const count = 100;
const rounds = 7;
const cores = availableParallelism();
/** As many as take about a millisecond where this was written. */
const stepsAMs = 800_000;

export const ahcBench: Bench = {
  name: 'ahc',
  note: 'Programs of contests mostly take a second or more a case: then what is around them is not seen.',
  async run() {
    return [await throughput(4), await throughput(40), await memory()];
  },
};

async function throughput(caseMs: number): Promise<Row> {
  using folder = temporaryFolder();
  const sandbox = chooseSandbox();
  const source = busySolution(caseMs * stepsAMs);
  const cases = inputs(count);
  const built = await buildFiles(sandbox, source, folder.path);
  for (const name of ['in', 'out', 'score']) mkdirSync(join(folder.path, name));
  for (const { name, input } of cases) writeFileSync(join(folder.path, 'in', name), input);
  return {
    what: `a case of about ${caseMs} ms, ${count} on ${cores} workers, judged`,
    unit: 'ms',
    against: 'the same by xargs, without a sandbox',
    aim: { of: 'ratio', atMost: 1.18 },
    ...(await contest({
      rounds,
      ours: async () => (await timed(() => evaluateAll(sandbox, source, cases))) / count,
      floor: async () => (await timed(() => byXargs(folder.path, built))) / count,
    })),
  };
}

async function byXargs(folder: string, { program, judge }: Built): Promise<void> {
  // A place that no name of a folder has in it.
  const one = `${program} < in/{} > out/{}; ${judge} in/{} out/{} > score/{} 2>&1; true`;
  await spoken('/bin/sh', [
    '-c',
    `cd ${folder} && seq 0 ${count - 1} | xargs -P ${cores} -I {} sh -c '${one}'`,
  ]);
  for (let n = 0; n < count; n++) {
    if (!/^Score = \d+$/m.test(readFileSync(join(folder, 'score', `${n}`), 'utf8')))
      throw new Error(`xargs did not judge case ${n}.`);
  }
}

async function memory(): Promise<Row> {
  const peak = async (cases: number): Promise<number> => {
    const child = join(import.meta.dirname, 'ahc-memory-child.ts');
    return Number((await spoken(process.execPath, [child, `${cases}`])).stdout) / 2 ** 20;
  };
  const floor = await peak(10);
  const measured = await peak(1_000);
  return {
    what: 'peak memory of the process, 1,000 cases',
    unit: 'MiB',
    measured,
    floor,
    against: '10 cases',
    ratio: measured / floor,
    aim: null,
  };
}
