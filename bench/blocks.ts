/**
 * How long a run keeps the event loop to itself: the longest time of the processor between two turns of it. Everything else of
 * the process waits meanwhile: other runs, the page, heartbeats, Ctrl-C. Of every act of the demo, with its scripts, agents,
 * families and sandbox, each in a process of its own that has shown it once, so that imports are no part of it; and of replays
 * and readings of the long journals, in processes that have done nothing before.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJournal } from '../src/run/load.ts';
import { replayRun } from '../src/run/replay.ts';
import { polya } from '../test/cli/shell.ts';
import { type LongKind, longKinds, longParts, writeLong } from './long.ts';
import { type Bench, processorTimer, type Row } from './measure.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { openWorld } from './world.ts';

const acts = ['aoc', 'proof', 'ensemble', 'arc', 'ahc', 'dialogue', 'evolution'] as const;
const aim = { of: 'measured', atMost: 200 } as const;

export const blocks: Bench = {
  name: 'blocks',
  async run() {
    const rows = acts.map((act) => rowOf(`polya demo ${act}`, longestIn(['act', act])));
    for (const kind of longKinds) {
      using folder = temporaryFolder();
      const file = join(folder.path, 'long.db');
      await writeLong(kind, file);
      rows.push(rowOf(`replay of ${kind}`, longestIn(['replay', kind, file])));
      rows.push(rowOf(`reading of ${kind}`, longestIn(['read', kind, file])));
    }
    return rows;
  },
};

function rowOf(what: string, measured: number): Row {
  return { what, unit: 'ms', against: '', measured, floor: null, ratio: null, aim };
}

function longestIn(args: readonly string[]): number {
  const { stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, ...args], {
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(`The process that is watched has failed: ${stderr}`);
  return Number(stdout);
}

const lookEveryMs = 5;

/** Milliseconds of this thread's processor time at most between two looks, which any turn of the loop may take. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let taken = processorTimer('thread');
  const look = (): void => {
    longest = Math.max(longest, taken());
    taken = processorTimer('thread');
  };
  const looking = setInterval(look, lookEveryMs);
  await work();
  look();
  clearInterval(looking);
  return longest;
}

async function show(act: string): Promise<void> {
  using folder = temporaryFolder();
  const place = {
    folder: join(folder.path, 'work'),
    env: { HOME: folder.path, PATH: process.env.PATH ?? '' },
  };
  mkdirSync(place.folder);
  const { code, err } = await polya(place, ['demo', act]);
  if (code !== 0) throw new Error(`polya demo ${act} ended with ${code}: ${err}`);
}

async function watched([what, name = '', file = '']: readonly string[]): Promise<number> {
  if (what === 'act') {
    await show(name);
    return await longestBlock(() => show(name));
  }
  const { settings: _, ...parts } = longParts(name as LongKind);
  await using world = openWorld({ ...parts, copyOf: file });
  return await longestBlock(() =>
    what === 'read' ? readJournal(world.store, 'run') : replayRun(world, 'run'),
  );
}

if (import.meta.main) process.stdout.write(String(await watched(process.argv.slice(2))));
