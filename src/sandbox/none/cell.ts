/**
 * Opens a cell that is none: the runner in a folder of its own, with the limits that it can enforce, on the bare
 * machine. Where Polya is root, programs still get a user of their own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { UnavailableError } from '../../core/errors.ts';
import { environment } from '../arguments.ts';
import type { Cell, CellSpec, Job } from '../backend.ts';
import { type Connection, runnerCell } from '../cell.ts';
import { ownerName } from '../owner.ts';
import { acquireSlot, type Slot } from '../slots.ts';
import type { Staging } from '../staging.ts';
import { type Places, places } from './places.ts';
import { killStrays, markName, type Trace } from './strays.ts';

export type Ground = {
  readonly staging: Staging;
  /** Holds the folders of cells. */
  readonly cellsFolder: string;
  /** The runner by its other name. */
  readonly relay: string;
  readonly isRoot: boolean;
};

type Holdings = { readonly folder: string; readonly slot: Slot | null; readonly trace: Trace };

let made = 0;

export async function openBareCell(ground: Ground, spec: CellSpec): Promise<Cell> {
  const slot = ground.isRoot ? await acquireSlot(ground.staging.slotsFolder) : null;
  const mark = `${ownerName()}-${made++}`;
  const folder = join(ground.cellsFolder, mark);
  const holdings: Holdings = { folder, slot, trace: { mark, uid: slot?.uid ?? null } };
  try {
    mkdirSync(folder, { mode: 0o700 });
    if (slot) chownSync(folder, slot.uid, slot.uid);
    const child = start(ground, holdings);
    const place = places(folder, ground.relay, spec.mounts);
    const cell = runnerCell(connectionTo(child, holdings), { openFiles: [], kept: spec.kept });
    return {
      run: (job, signal) => cell.run(placed(job, place), signal),
      close: cell.close.bind(cell),
    };
  } catch (error) {
    await release(holdings);
    throw error;
  }
}

function placed(job: Job, place: Places): Job {
  const pipes = job.pipes && {
    ...job.pipes,
    stdin: job.pipes.stdin && place(job.pipes.stdin),
    stdout: job.pipes.stdout && place(job.pipes.stdout),
  };
  return { ...job, command: job.command.map(place), ...(pipes ? { pipes } : {}) };
}

async function release({ folder, slot, trace }: Holdings): Promise<void> {
  await killStrays(trace);
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  slot?.release();
}

function start({ staging }: Ground, { folder, slot, trace }: Holdings): ChildProcess {
  const temporary = join(folder, 'tmp');
  try {
    return spawn(staging.runner, [slot ? '--without-namespace' : '--without-namespace-or-user'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...environment, HOME: temporary, TMPDIR: temporary, [markName]: trace.mark },
      cwd: folder,
      detached: true,
      ...(slot ? { uid: slot.uid, gid: slot.uid } : {}),
    });
  } catch (error) {
    throw cannotStart(error);
  }
}

type Piped = ChildProcess & {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

function connectionTo(child: ChildProcess, holdings: Holdings): Connection {
  if (!isPiped(child)) throw new Error('A child whose pipes were asked for has none.');
  const complaint: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaint.push(chunk)).on('error', () => {});
  return {
    input: child.stdin,
    output: child.stdout,
    kill: () => void child.kill('SIGKILL'),
    ended: ended(child).finally(() => release(holdings)),
    explain: (why) => explain(why ?? Buffer.concat(complaint).toString('utf8').trim()),
  };
}

function isPiped(child: ChildProcess): child is Piped {
  return child.stdin !== null && child.stdout !== null && child.stderr !== null;
}

/** By its exit alone: what a stray holds open of its pipes must not keep us waiting. */
function ended(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.once('error', (error) => reject(cannotStart(error)));
  child.once('exit', () => (child.stdout?.readableEnded ? resolve() : void setTimeout(resolve, 100)));
  child.once('close', () => resolve());
  return promise;
}

function cannotStart(error: unknown): UnavailableError {
  return explain(error instanceof Error ? error.message : String(error));
}

/** Nothing keeps a program from ending the runner that watches it: both have one user. */
function explain(why: string): UnavailableError {
  return new UnavailableError({
    code: 'explain',
    what: 'A program could not be run without a sandbox.',
    why: why === '' ? 'The runner that watches it was killed, perhaps by the program itself.' : `${why}.`,
    fix: 'Use a back-end that isolates programs: `polya doctor` tells which work here.',
  });
}
