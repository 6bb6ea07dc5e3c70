/**
 * What a run of 10,000 steps keeps in memory, in a process of its own. An agent that remembers nothing should cost
 * nothing as it goes on; the growth between step 2,000 and step 10,000 is what the run itself holds on to. The heap is
 * looked at after a collection; the resident set is what the operating system says.
 */
import { spawnSync } from 'node:child_process';
import type { Model } from '../src/core/model.ts';
import { callingAgent, instantModel } from './calling.ts';
import type { Bench, Row } from './measure.ts';
import { openWorld, runToEnd } from './world.ts';

const from = 2_000;
const to = 10_000;

type Sample = { readonly residentBytes: number; readonly heapBytes: number };

export const memory: Bench = {
  name: 'memory',
  async run() {
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', import.meta.filename], {
      encoding: 'utf8',
    });
    if (stdout === '') throw new Error(`The process that is measured has failed: ${stderr}`);
    const [early, late] = JSON.parse(stdout) as [Sample, Sample];
    return [
      growth('heap after a collection, for 1,000 steps more', early.heapBytes, late.heapBytes),
      growth('resident set, for 1,000 steps more', early.residentBytes, late.residentBytes),
      {
        ...growth('', 0, 0),
        what: `resident set at step ${to}`,
        unit: 'MB',
        measured: late.residentBytes / 1e6,
      },
    ];
  },
};

function growth(what: string, early: number, late: number): Row {
  const measured = (late - early) / ((to - from) / 1000) / 1000;
  return { what, unit: 'KB', against: '', measured, floor: null, ratio: null, aim: null };
}

async function runAndSample(): Promise<Sample[]> {
  const samples: Sample[] = [];
  const model: Model = {
    ...instantModel,
    generate: (request, call) => {
      if (call.index === from || call.index === to - 1) samples.push(sample());
      return instantModel.generate(request, call);
    },
  };
  await using world = openWorld({ agent: callingAgent, model });
  await runToEnd(world, 'run', { steps: to });
  return samples;
}

function sample(): Sample {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { residentBytes: rss, heapBytes: heapUsed };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await runAndSample()));
