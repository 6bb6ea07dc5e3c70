/**
 * Resume of 1,000 steps, each a model call and a tool call: from the call of `resumeRun` to the moment when the model is
 * asked for the first thing that the journal does not hold. Against reading the same rows and blobs raw from SQLite.
 * Twice: steps that know nothing of one another, and one conversation that grows all the time. `cold` is the same in a
 * process that has done nothing before, as `polya runs resume` is.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { resumeRun } from '../src/run/resume.ts';
import { startRun } from '../src/run/start.ts';
import { type Bench, contest, median, processorTimer, type Row } from './measure.ts';
import { readRaw } from './raw.ts';
import { type StoppedKind, stoppedParts } from './stopped.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { openWorld, specOf } from './world.ts';

const steps = 1000;
const rounds = 9;
const coldRounds = 5;
const aims = {
  short: { of: 'measured', atMost: 50 },
  conversation: { of: 'ratio', atMost: 10 },
} as const;

export const resume: Bench = {
  name: 'resume',
  run: async () => [...(await measure('short')), ...(await measure('conversation'))],
};

async function measure(kind: StoppedKind): Promise<Row[]> {
  using folder = temporaryFolder();
  const file = join(folder.path, 'stopped.db');
  await writeStopped(kind, file);
  const against = 'the same rows read raw, unpacked and parsed';
  const result = await contest({ rounds, ours: () => resumeOnce(kind, file), floor: () => readRaw(file) });
  const cold = Array.from({ length: coldRounds }, () => resumeCold(kind, file));
  const what = kind === 'short' ? `${steps} short steps` : `a conversation of ${steps} turns`;
  return [
    { what, unit: 'ms of the processor', against, ...result, aim: aims[kind] },
    {
      what: `${what}, cold`,
      unit: 'ms of the processor',
      against: '',
      measured: median(cold),
      floor: null,
      ratio: null,
      aim: null,
    },
  ];
}

/** A run that was stopped when it asked for the step after the last. */
async function writeStopped(kind: StoppedKind, file: string): Promise<void> {
  const stopped = stoppedParts(kind, steps);
  await using world = openWorld(stopped);
  const handle = await startRun(world, await specOf(world, 'run', stopped.settings));
  await stopped.arrival;
  handle.stop();
  await handle.done;
  world.checkpoint();
  copyFileSync(world.file, file);
}

async function resumeOnce(kind: StoppedKind, file: string): Promise<number> {
  const stopped = stoppedParts(kind, steps);
  await using world = openWorld({ ...stopped, copyOf: file });
  const taken = processorTimer();
  const handle = await resumeRun(world, 'run');
  await Promise.race([stopped.arrival, handle.done]);
  const tookMs = taken();
  handle.stop();
  await handle.done;
  return tookMs;
}

function resumeCold(kind: StoppedKind, file: string): number {
  const { stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, kind, file], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`The process that resumes has failed: ${stderr}`);
  return Number(stdout);
}

if (import.meta.main) {
  const [kind, file = ''] = process.argv.slice(2);
  process.stdout.write(String(await resumeOnce(kind as StoppedKind, file)));
}
