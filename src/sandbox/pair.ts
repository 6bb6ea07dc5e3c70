/** Runs the cases of one worker as interactive pairs: program and tester in a cell each, with two FIFOs between them. */
// FIFOs have names that cannot be guessed, in a folder that cannot be listed: other programs may have the same user.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, constants, existsSync, openSync, rmSync } from 'node:fs';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { UnavailableError, UserError } from '../core/errors.ts';
import type { Case, Tester } from '../core/sandbox.ts';
import type { Finished, Job, Mount } from './backend.ts';
import {
  type CaseRunner,
  type CellPool,
  type Cells,
  caseJob,
  cellsOf,
  judgeCase,
  oneAtATime,
} from './batch.ts';
import { relayInside } from './layout.ts';
import { ownerName } from './owner.ts';
import { onceMore } from './run-once.ts';

export type TesterCrew = CellPool & Pick<Tester, 'talks' | 'args'>;

/** A program may tidy up when its tester has ended, but not go on. */
const outlivingMs = 1000;
/** The relay is two of the tester's processes. */
const relayProcesses = 2;

export function pairWorker(program: CellPool, tester: TesterCrew, signal: AbortSignal): CaseRunner {
  const inTurn = oneAtATime();
  let opened: Promise<Pair> | null = null;
  return {
    run(testCase) {
      checkCase(tester, testCase);
      return inTurn(async () => {
        opened ??= openPair(program, tester);
        const pair = await opened;
        // What one has said to the other is lost with either: both begin anew.
        return onceMore(async () => (signal.aborted ? null : play(pair, testCase, signal)));
      });
    },
    close: () =>
      inTurn(async () => {
        const pair = await opened?.catch(() => null);
        await Promise.all([pair?.program.cells.close(), pair?.tester.cells.close()]);
        await pair?.pipes.remove();
      }),
  };
}

type Side<C extends CellPool> = { readonly crew: C; readonly cells: Cells };
type Pair = { program: Side<CellPool>; tester: Side<TesterCrew>; pipes: PipesFolder };

async function openPair(program: CellPool, tester: TesterCrew): Promise<Pair> {
  const pipes = await makePipesFolder(program.backend.folder);
  const side = <C extends CellPool>(pool: C): Side<C> => {
    const withPipes = { ...pool, mounts: [...(pool.mounts ?? []), pipes.mount] };
    return { crew: withPipes, cells: cellsOf(withPipes) };
  };
  const processes = tester.limits.processes + (tester.talks === 'relay' ? relayProcesses : 0);
  const limits = { ...tester.limits, processes };
  return { program: side(program), tester: side({ ...tester, limits }), pipes };
}

async function play({ program, tester, pipes }: Pair, testCase: Case, signal: AbortSignal) {
  const pair = await pipes.make();
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  try {
    const talking = { stdin: pair.toProgram, stdout: pair.fromProgram, forRelay: false };
    const job = {
      ...caseJob(program.crew, { name: '' }),
      stdin: null,
      pipes: talking,
      onPipesOpen: pair.opened,
    };
    const ofProgram = program.cells.run(job, either);
    const ofTester = tester.cells.run(testerJob(tester.crew, testCase, pair), either);
    const [step, testerStep] = await bothEnd(ofProgram, ofTester, ending);
    if (ending.signal.aborted) await program.cells.discard();
    if (signal.aborted) return null;
    return {
      step: judgeCase(program.crew, step),
      tester: judgeCase(tester.crew, testerStep),
    };
  } catch (error) {
    ending.abort();
    await Promise.all([program.cells.discard(), tester.cells.discard()]);
    throw error;
  } finally {
    await pair.remove();
  }
}

/** When the tester has ended, the program has a moment left. A side that cannot be run ends the other. */
async function bothEnd(program: Promise<Finished>, tester: Promise<Finished>, ending: AbortController) {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => ending.abort();
  const waited = tester.then((finished) => {
    timer = setTimeout(stop, outlivingMs);
    return finished;
  });
  for (const side of [program, tester]) side.catch(stop);
  try {
    await Promise.allSettled([program, waited]);
    return await Promise.all([program, waited]);
  } finally {
    clearTimeout(timer);
  }
}

function testerJob(pool: TesterCrew, testCase: Case, { toProgram, fromProgram, opened }: PairPipes): Job {
  const forRelay = pool.talks === 'relay';
  const job = caseJob(pool, { ...testCase, args: [...(pool.args ?? []), ...(testCase.args ?? [])] });
  const pipes = { stdin: fromProgram, stdout: toProgram, forRelay };
  const joined = { ...job, pipes, onPipesOpen: opened };
  return forRelay ? { ...joined, command: [...job.command, relayInside] } : { ...joined, stdin: null };
}

function checkCase({ talks }: TesterCrew, { name, stdin }: Case): void {
  if (talks === 'relay' || stdin === undefined) return;
  throw new UserError({
    code: 'case-input-in-pair',
    what: `The case ${JSON.stringify(name)} has input for its tester's stdin.`,
    why: 'The tester hears the program there.',
    fix: 'Give the input as a file or as an argument.',
  });
}

export type PipesFolder = {
  readonly mount: Mount;
  make(): Promise<PairPipes>;
  remove(): Promise<void>;
};

export type PairPipes = {
  /** By their paths as seen inside. */
  readonly toProgram: string;
  readonly fromProgram: string;
  /** Once for each side that has them. */
  opened(): void;
  remove(): Promise<void>;
};

const run = promisify(execFile);
export const pipesInside = '/run/polya/pipes';

/** Below the staging folder, with its owner's name, so that a later Polya can tell whether it is still in use. */
export const pipesFolderName = 'pipes';

export async function makePipesFolder(staging: string): Promise<PipesFolder> {
  const parent = join(staging, pipesFolderName);
  const source = join(parent, `${ownerName()}-${randomUUID()}`);
  await mkdir(source, { recursive: true });
  await chmod(parent, 0o711);
  await chmod(source, 0o311);
  return {
    mount: { source, target: pipesInside },
    make: () => makePipes(source),
    remove: async () => removePipesFolder(source),
  };
}

/** Only a folder that can be listed can be removed with all that is in it. */
export function removePipesFolder(folder: string): void {
  if (!existsSync(folder)) return;
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
}

async function makePipes(folder: string): Promise<PairPipes> {
  const [toProgram, fromProgram] = [randomUUID(), randomUUID()];
  const paths = [toProgram, fromProgram].map((name) => join(folder, name));
  await makeFifos(paths);
  // Held open until both sides have them, so that neither waits for the other.
  const held = paths.map((path) => openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
  const letGo = () => {
    for (const fd of held.splice(0)) closeSync(fd);
  };
  let sides = 0;
  return {
    toProgram: posix.join(pipesInside, toProgram),
    fromProgram: posix.join(pipesInside, fromProgram),
    opened() {
      sides++;
      if (sides === 2) letGo();
    },
    async remove() {
      letGo();
      await Promise.all(paths.map((path) => rm(path, { force: true })));
    },
  };
}

/** Node cannot make them. Programs run as other users than we do, so everybody may use what he can name. */
async function makeFifos(paths: readonly string[]): Promise<void> {
  try {
    await run('mkfifo', ['-m', '666', ...paths]);
  } catch (error) {
    throw new UnavailableError({
      code: 'pipes-unavailable',
      what: 'The pipes between a program and its tester cannot be made.',
      why: error instanceof Error ? error.message : String(error),
      fix: 'They are made by `mkfifo` of coreutils, in the temporary folder: see that both can be used.',
    });
  }
}
