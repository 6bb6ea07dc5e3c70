/** The back-end `none`, taken by name only: the runner starts programs on the bare machine. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { release } from 'node:os';
import { basename, join, posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../../core/errors.ts';
import type { Removed } from '../../core/sandbox.ts';
import type { Backend, Cell, CellSpec, Job, Mount } from '../backend.ts';
import { type Connection, lastWords, RunnerCell } from '../cell.ts';
import { hostFileState } from '../host.ts';
import { boxFolder, outputFolder, relayInside, scratchFolder } from '../layout.ts';
import { removeAll, sweepLeftovers } from '../leftovers.ts';
import { defaultStagingParents, environment } from '../machine.ts';
import { endProcess, isDeadOwner, type Leftover, ownerName, processIds, userOf } from '../owner.ts';
import { isFilterArch } from '../seccomp.ts';
import { acquireSlot, type Slot } from '../slots.ts';
import { linkOnce } from '../staged-file.ts';
import { type StagingArea, stageInFirst } from '../staging.ts';

const cellsName = 'cells';
/** What a cell's folder and its mark are named: the owner, then a number. */
const cellPattern = /^(\d+-\d+)-\d+$/;

type Ground = {
  readonly staging: StagingArea;
  readonly cellsFolder: string;
  /** The runner by its other name. */
  readonly relay: string;
  readonly isRoot: boolean;
};

/** `stagingParents`: in order of preference. Throws `UnavailableError` where not even that works. */
export async function openNone({ stagingParents = defaultStagingParents() } = {}): Promise<Backend> {
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
  // Programs of other users pass through, and see nothing of one another's names.
  const cellsFolder = await closedFolder(join(staging.folder, cellsName));
  // The runner knows by its name that it is the relay.
  const named = await closedFolder(join(staging.folder, `relay-of-${basename(staging.runner)}`));
  const relay = join(named, 'relay');
  await linkOnce(staging.runner, relay);
  return { staging, cellsFolder, relay, isRoot: uid === 0 };
}

async function closedFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  await chmod(path, 0o711);
  return path;
}

function clean({ staging, isRoot }: Ground): readonly Removed[] {
  return [...sweepLeftovers(staging, isRoot), ...removeAll(findBareLeftovers(staging.folder))];
}

/** What programs of this back-end left, beside what those of every other leave. */
export function findBareLeftovers(stagingFolder: string): readonly Leftover[] {
  const folder = join(stagingFolder, cellsName);
  const cells = existsSync(folder) ? readdirSync(folder) : [];
  const dead = cells.filter((name) => isDeadOwner(cellPattern.exec(name)?.[1] ?? ''));
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

const fix = 'Use a back-end that isolates programs: `polya doctor` tells which work here.';

function unavailable(why: string): UnavailableError {
  const what = 'Programs cannot be run here, not even without a sandbox.';
  return new UnavailableError({ code: 'backend-unavailable', what, why, fix });
}

let made = 0;

type Place = { readonly folder: string; readonly mark: string; readonly slot: Slot | null };

async function openBareCell(ground: Ground, spec: CellSpec): Promise<Cell> {
  const slot = ground.isRoot ? await acquireSlot(ground.staging.slotsFolder) : null;
  const mark = `${ownerName()}-${made++}`;
  const folder = join(ground.cellsFolder, mark);
  const releaseCell = async () => {
    await killStrays(mark, slot);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    slot?.release();
  };
  try {
    mkdirSync(folder, { mode: 0o700 });
    if (slot) chownSync(folder, slot.uid, slot.uid);
    const child = start(ground.staging.runner, { folder, mark, slot });
    const place = places(folder, ground.relay, spec.mounts);
    const cell = new RunnerCell(connectionTo(child, releaseCell), { openFiles: [], kept: spec.kept });
    return { run: (job, signal) => cell.run(placed(job, place), signal), close: () => cell.close() };
  } catch (error) {
    await releaseCell();
    throw error;
  }
}

function placed(job: Job, place: Places): Job {
  const pipes = job.pipes && {
    ...job.pipes,
    stdin: job.pipes.stdin && place(job.pipes.stdin),
    stdout: job.pipes.stdout && place(job.pipes.stdout),
  };
  return { ...job, command: job.command.map(place), pipes };
}

function start(runner: string, { folder, mark, slot }: Place): ChildProcessWithoutNullStreams {
  const temporary = join(folder, 'tmp');
  try {
    return spawn(runner, [slot ? '--without-namespace' : '--without-namespace-or-user'], {
      env: { ...environment, HOME: temporary, TMPDIR: temporary, [markName]: mark },
      cwd: folder,
      detached: true,
      uid: slot?.uid,
      gid: slot?.uid,
    });
  } catch (error) {
    throw cannotStart(error);
  }
}

function connectionTo(child: ChildProcessWithoutNullStreams, releaseCell: () => Promise<void>): Connection {
  const describeIssue = lastWords(child.stderr);
  return {
    input: child.stdin,
    output: child.stdout,
    kill: () => void child.kill('SIGKILL'),
    ended: ended(child).finally(releaseCell),
    explain: (why) => explain(why ?? describeIssue().trim()),
  };
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
    fix,
  });
}

type Places = (argument: string) => string;

/** What an argument holds of these paths is replaced wherever a path can begin in it: `-out:/tmp/x`, `-I/tmp`. */
export function places(folder: string, relay: string, mounts: readonly Mount[]): Places {
  const known = new Map([
    [relayInside, relay],
    ...mounts.map(({ source, target }) => [target, source] as const),
    [scratchFolder, folder],
    ['/box', posix.join(folder, boxFolder)],
    ['/tmp', posix.join(folder, outputFolder)],
  ]);
  // Longer ones first: a mount may lie below another.
  const names = [...known.keys()].sort((one, other) => other.length - one.length).map(escaped);
  const pattern = new RegExp(`(?:(?<![\\w./-])|(?<=^-[A-Z]))(?:${names.join('|')})(?![\\w.-])`, 'g');
  return (argument) => argument.replaceAll(pattern, (path) => known.get(path) ?? path);
}

function escaped(path: string): string {
  return path.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Marks a cell's processes, for when a program ends the runner. One that changes this and its user is not found. */
const markName = 'POLYA_CELL';
const [attempts, pauseMs] = [50, 10];

/** Until none is left: what is killed may be making others. */
async function killStrays(mark: string, slot: Slot | null): Promise<void> {
  const isStray = (pid: number) => (slot !== null && userOf(pid) === slot.uid) || markOf(pid) === mark;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = processIds().filter(isStray);
    if (found.length === 0) return;
    for (const pid of found) endProcess(pid);
    await sleep(pauseMs);
  }
}

/** The processes of dead Polyas, by their marks. */
function findForsaken(): readonly Leftover[] {
  const byMark = Map.groupBy(processIds(), (pid) => markOf(pid) ?? '');
  const dead = [...byMark].filter(([mark]) => isDeadOwner(cellPattern.exec(mark)?.[1] ?? ''));
  return dead.map(([mark, pids]) => {
    const remove = () => {
      // Meanwhile another process may have got the number.
      const still = pids.filter((pid) => markOf(pid) === mark);
      for (const pid of still) endProcess(pid);
      return still.length > 0;
    };
    return { kind: 'process', name: mark, remove };
  });
}

function markOf(pid: number): string | null {
  try {
    const entries = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    return entries.find((text) => text.startsWith(`${markName}=`))?.slice(markName.length + 1) ?? null;
  } catch {
    return null;
  }
}
