/**
 * Resume of 1,000 steps, each a model call and a tool call: from the call of `resumeRun` to the moment when the model is
 * asked for the first thing that the journal does not hold. Against reading the same rows and blobs raw from SQLite.
 * Twice: steps that know nothing of one another, and one conversation that grows all the time. `cold` is the same in a
 * process that has done nothing before, as `polya runs resume` is.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { resumeRun } from '../src/run/resume.ts';
import { startRun } from '../src/run/start.ts';
import { type Bench, contest, median, type Row, timed } from './measure.ts';
import { type StoppedKind, stoppedParts } from './stopped.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { openWorld, specOf } from './world.ts';

const steps = 1000;
const rounds = 9;
const coldRounds = 5;
const aim = { of: 'measured', atMost: 50 } as const;

export const resume: Bench = {
  name: 'resume',
  run: async () => [...(await measure('short')), ...(await measure('conversation'))],
};

async function measure(kind: StoppedKind): Promise<Row[]> {
  using folder = temporaryFolder();
  const file = join(folder.path, 'stopped.db');
  await writeStopped(kind, file);
  const against = 'reading the same rows raw';
  const result = await contest({ rounds, ours: () => resumeOnce(kind, file), floor: () => readRaw(file) });
  const cold = Array.from({ length: coldRounds }, () => resumeCold(kind, file));
  const what = kind === 'short' ? `${steps} short steps` : `a conversation of ${steps} turns`;
  return [
    { what, unit: 'ms', against, ...result, aim },
    {
      what: `${what}, cold`,
      unit: 'ms',
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
  const start = performance.now();
  const handle = await resumeRun(world, 'run');
  await Promise.race([stopped.arrival, handle.done]);
  const tookMs = performance.now() - start;
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

function readRaw(file: string): Promise<number> {
  using database = new DatabaseSync(file);
  const events = database.prepare('SELECT * FROM events WHERE run_key = 1 ORDER BY seq');
  const blobs = database.prepare(
    'SELECT hash, data FROM run_blobs JOIN blobs ON blobs.key = blob_key WHERE run_key = 1',
  );
  return timed(() => [events.all(), blobs.all()]);
}

if (import.meta.main) {
  const [kind, file = ''] = process.argv.slice(2);
  process.stdout.write(String(await resumeOnce(kind as StoppedKind, file)));
}
