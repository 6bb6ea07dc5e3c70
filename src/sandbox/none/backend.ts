/**
 * The back-end `none`: programs run on the bare machine, with the rights of a user. It is taken by name only. What it
 * still does: limits as far as rlimits and watching can enforce them, a folder of its own, an environment without the
 * user's, and an end to every process that does not hide.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { release } from 'node:os';
import { basename, join, posix } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { UnavailableError } from '../../core/errors.ts';
import type { Removed } from '../../core/sandbox.ts';
import { environment } from '../arguments.ts';
import type { Backend, Cell, CellSpec, Job, Mount } from '../backend.ts';
import { type Connection, runnerCell } from '../cell.ts';
import { hostFileState } from '../host.ts';
import { boxFolder, outputFolder, relayInside, scratchFolder } from '../layout.ts';
import { removeAll, sweepLeftovers } from '../leftovers.ts';
import { defaultStagingParents } from '../machine.ts';
import { isDeadOwner, type Leftover, ownerName } from '../owner.ts';
import { isFilterArch } from '../seccomp.ts';
import { acquireSlot, type Slot } from '../slots.ts';
import { linkOnce } from '../staged-file.ts';
import { type Staging, stageInFirst } from '../staging.ts';
import { findForsaken, killStrays, markName, type Trace } from './strays.ts';

export type NoneOptions = {
  /** Where the staging folder may be made, in order of preference. */
  readonly stagingParents?: readonly string[];
};

/** In the staging folder. */
const cellsName = 'cells';

/** Throws `UnavailableError` where not even that works. */
export async function openNone({
  stagingParents = defaultStagingParents(),
}: NoneOptions = {}): Promise<Backend> {
  const ground = await findGround(stagingParents);
  const { folder, runner } = ground.staging;
  clean(ground);
  return {
    name: 'none',
    version: `on Linux ${release()}, WITHOUT a sandbox`,
    isolation: 'none',
    enforcement: {
      wallMs: 'runner',
      cpuMs: 'process table, rlimit',
      memoryBytes: 'process table',
      processes: ground.isRoot ? 'rlimit' : 'rlimit, which counts all of its user',
      openFiles: 'rlimit',
      fileBytes: 'rlimit',
      diskBytes: 'looking at its folder; nothing elsewhere',
      outputBytes: 'runner',
    },
    folder,
    isIntact: () => existsSync(runner) && existsSync(ground.relay),
    fileState: hostFileState,
    openCell: (spec) => openBareCell(ground, spec),
    clean: async () => clean(ground),
  };
}

async function findGround(parents: readonly string[]): Promise<Ground> {
  const { arch, platform } = process;
  const uid = process.getuid?.();
  if (platform !== 'linux' || uid === undefined || !isFilterArch(arch)) {
    throw unavailable(`It needs Linux on x86_64 or arm64; this is ${platform} on ${arch}.`);
  }
  const staging = await stageInFirst(parents, { uid, arch });
  if (staging === null) throw unavailable(`None of ${parents.join(', ')} can hold the folders of programs.`);
  const cellsFolder = join(staging.folder, cellsName);
  await mkdir(cellsFolder, { recursive: true });
  // Programs of other users pass through, and see nothing of one another's names.
  await chmod(cellsFolder, 0o711);
  return { staging, cellsFolder, relay: await stageRelay(staging), isRoot: uid === 0 };
}

/** The runner knows by its name that it is the relay. */
async function stageRelay({ folder, runner }: Staging): Promise<string> {
  const named = join(folder, `relay-of-${basename(runner)}`);
  await mkdir(named, { recursive: true });
  await chmod(named, 0o711);
  const path = join(named, 'relay');
  await linkOnce(runner, path);
  return path;
}

function clean({ staging, isRoot }: Ground): readonly Removed[] {
  return [...sweepLeftovers(staging, isRoot), ...removeAll(findBareLeftovers(staging.folder))];
}

/** What programs of this back-end left, beside what those of every other leave. */
export function findBareLeftovers(stagingFolder: string): readonly Leftover[] {
  const folder = join(stagingFolder, cellsName);
  const cells = existsSync(folder) ? readdirSync(folder) : [];
  const dead = cells.filter((name) => isDeadOwner(/^(\d+-\d+)-\d+$/.exec(name)?.[1] ?? ''));
  // Processes first: they may be writing into the folders.
  return [
    ...findForsaken(),
    ...dead.map((name): Leftover => {
      const path = join(folder, name);
      const remove = () => {
        rmSync(path, { recursive: true, force: true });
        return true;
      };
      return { kind: 'folder', name: path, remove };
    }),
  ];
}

function unavailable(why: string): UnavailableError {
  return new UnavailableError({
    code: 'backend-unavailable',
    what: 'Programs cannot be run here, not even without a sandbox.',
    why,
    fix: 'Use a back-end that isolates programs: `polya doctor` tells which work here.',
  });
}

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
    await releaseCell(holdings);
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

async function releaseCell({ folder, slot, trace }: Holdings): Promise<void> {
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
    ended: ended(child).finally(() => releaseCell(holdings)),
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
    code: 'cell-failed',
    what: 'A program could not be run without a sandbox.',
    why: why === '' ? 'The runner that watches it was killed, perhaps by the program itself.' : `${why}.`,
    fix: 'Use a back-end that isolates programs: `polya doctor` tells which work here.',
  });
}

export type Places = (argument: string) => string;

/** What an argument holds of these paths is replaced wherever a path can begin in it: `-out:/tmp/x`, `-I/tmp`. */
export function places(folder: string, relay: string, mounts: readonly Mount[]): Places {
  const pairs: readonly (readonly [string, string])[] = [
    [relayInside, relay],
    ...mounts.map(({ source, target }) => [target, source] as const),
    [scratchFolder, folder],
    ['/box', posix.join(folder, boxFolder)],
    ['/tmp', posix.join(folder, outputFolder)],
  ];
  const known = new Map(pairs);
  // Longer ones first: a mount may lie below another.
  const names = [...known.keys()].sort((one, other) => other.length - one.length).map(escaped);
  const pattern = new RegExp(`(?:(?<![\\w./-])|(?<=^-[A-Z]))(?:${names.join('|')})(?![\\w.-])`, 'g');
  return (argument) => argument.replaceAll(pattern, (path) => known.get(path) ?? path);
}

function escaped(path: string): string {
  return path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
