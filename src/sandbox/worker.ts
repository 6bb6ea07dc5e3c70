/**
 * Runs the cases of one worker in one cell, which holds the program; another cell is opened where one was lost, or
 * has too little room for what a case brings.
 */
import type { Case, ExecLimits, Executable } from '../core/sandbox.ts';
import {
  type Backend,
  type Cell,
  CellGone,
  CellLost,
  type Finished,
  type Job,
  type Mount,
} from './backend.ts';
import { type CaseRunner, oneAtATime } from './batch.ts';
import { judged, limitsFor } from './compile.ts';
import { programFiles, programInput } from './execute.ts';
import type { FoundTool } from './languages/languages.ts';
import { roomFor } from './request.ts';
import { jobRoom, onceMore } from './run-once.ts';

/** A built program, with what it takes to run it. */
export type Crew = {
  readonly backend: Backend;
  readonly found: FoundTool;
  readonly executable: Executable;
  readonly limits: ExecLimits;
  /** What its cells see beside what the toolchain needs. */
  readonly mounts?: readonly Mount[];
};

/** Most inputs are smaller, so that most batches need one cell a worker. */
const usualRoomBytes = 2 ** 20;

export function caseWorker(crew: Crew, signal: AbortSignal): CaseRunner {
  const cells = cellsOf(crew);
  return {
    async run(testCase) {
      const finished = await onceMore(() => cells.run(caseJob(crew, testCase), signal));
      return signal.aborted ? null : { step: judged(crew.found.tool, finished) };
    },
    close: cells.close,
  };
}

export function caseJob({ found, executable, limits }: Crew, testCase: Case): Job {
  const { command } = found.tool.run(limits);
  return { ...programInput(found, executable, testCase), command, limits: limitsFor(found.tool, limits) };
}

export type Cells = {
  /** Throws `CellLost` where its cell was ended from outside; what is run next gets another. */
  run(job: Job, signal: AbortSignal): Promise<Finished>;
  /** The next job gets another cell. */
  discard(): Promise<void>;
  close(): Promise<void>;
};

type Opened = { readonly cell: Cell; readonly roomBytes: number };

/** One cell at a time that fits the jobs. Cells are chosen in the order of the calls. */
export function cellsOf(crew: Crew): Cells {
  const open = cellOpener(crew);
  const running = new Set<Promise<unknown>>();
  const inTurn = oneAtATime();
  let opened: Opened | null = null;
  const discard = async (which = opened) => {
    if (which !== null && opened === which) opened = null;
    await which?.cell.close();
  };
  const fitting = async (job: Job): Promise<Opened> => {
    const needed = jobRoom(job);
    if (opened !== null && opened.roomBytes >= needed) return opened;
    await Promise.allSettled(running);
    await discard();
    const roomBytes = Math.max(usualRoomBytes, 2 * needed);
    opened = { cell: await open(roomBytes), roomBytes };
    return opened;
  };
  return {
    async run(job, signal) {
      for (;;) {
        const chosen = await inTurn(() => fitting(job));
        const ran = chosen.cell.run(job, signal);
        running.add(ran);
        try {
          return await ran;
        } catch (error) {
          if (error instanceof CellGone || error instanceof CellLost) await discard(chosen);
          if (!(error instanceof CellGone)) throw error;
        } finally {
          running.delete(ran);
        }
      }
    },
    discard: () => discard(),
    close: () => inTurn(() => discard()),
  };
}

function cellOpener({ backend, found, executable, limits, mounts: more = [] }: Crew) {
  const kept = programFiles(found, executable);
  const keptBytes = roomFor(kept.map(({ bytes }) => bytes));
  const { mounts = [] } = found.tool.run(limits);
  return (roomBytes: number): Promise<Cell> =>
    backend.openCell({
      // The runner holds each case to its own limit; what the kernel allows includes what the largest case brings.
      limits: { ...limitsFor(found.tool, limits), diskBytes: limits.diskBytes + roomBytes },
      mounts: [...mounts, ...more],
      kept,
      roomBytes: keptBytes,
    });
}
