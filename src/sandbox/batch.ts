/** One program over many cases: each worker keeps a cell supplied, and results are handed over one at a time. */
import type { Case, CaseResult, ExecLimits, Executable, OnCase, StepResult } from '../core/sandbox.ts';
import type { Cell, Finished, Job, Mount } from './backend.ts';
import { type Backend, CellGoneError, CellLostError } from './backend.ts';
import { limitsFor } from './compile.ts';
import { programFiles, programInput } from './execute.ts';
import type { FoundTool } from './languages/languages.ts';
import { spaceFor } from './protocol.ts';
import { jobBytes, onceMore } from './run-once.ts';
import { judgeStep } from './verdict.ts';

export type CaseRunner = {
  /** Begins a case; a second one may be begun before the first has ended. Null where it was broken off. */
  run(testCase: Case): Promise<Pick<CaseResult, 'step' | 'tester'> | null>;
  close(): Promise<void>;
};

export type BatchPlan = {
  readonly cases: Iterable<Case> | AsyncIterable<Case>;
  readonly workers: number;
  /** Default: 2, of which one runs and one waits in the cell behind it, so that no cell waits for us in between. */
  readonly casesAhead?: 1 | 2;
  /** `signal` ends what the runner has begun. */
  openWorker(signal: AbortSignal): CaseRunner;
};

export async function runCases(
  { cases, workers, casesAhead = 2, openWorker }: BatchPlan,
  onCase: OnCase,
  signal: AbortSignal,
): Promise<{ finished: number; stopped: boolean }> {
  const ending = new AbortController();
  const stopped = AbortSignal.any([signal, ending.signal]);
  const source = numberCases(cases, stopped);
  const inTurn = oneAtATime();
  let finished = 0;
  const deliver = async (result: CaseResult) => {
    if (stopped.aborted) return;
    finished++;
    if ((await onCase(result)) === 'stop') ending.abort();
  };
  const work = async (worker: number) => {
    const runner = openWorker(stopped);
    const one = async ({ testCase, index }: NumberedCase) => {
      const result = await runner.run(testCase);
      if (result !== null) await inTurn(() => deliver({ name: testCase.name, index, ...result, worker }));
    };
    try {
      await workThrough(source, one, casesAhead);
    } finally {
      await runner.close();
    }
  };
  const failures: unknown[] = [];
  const fail = (error: unknown) => {
    failures.push(error);
    ending.abort();
  };
  try {
    await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker).catch(fail)));
    // The first error has stopped the other workers.
    if (failures.length > 0) throw failures[0];
  } finally {
    await source.close();
  }
  return { finished, stopped: stopped.aborted };
}

/** Does what it is given one after the other, in the order of the calls; a failure is its caller's alone. */
export function oneAtATime(): <T>(action: () => T | Promise<T>) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve();
  return (action) => {
    const own = turn.then(action);
    turn = own.catch(() => {});
    return own;
  };
}

type NumberedCase = { readonly testCase: Case; readonly index: number };
type Source = { next(): Promise<NumberedCase | null>; close(): Promise<void> };

/** Asked by several workers, answers one at a time; after a stop or an error, there are no more cases. */
function numberCases(cases: Iterable<Case> | AsyncIterable<Case>, stopped: AbortSignal): Source {
  const iterator = Symbol.asyncIterator in cases ? cases[Symbol.asyncIterator]() : cases[Symbol.iterator]();
  const inTurn = oneAtATime();
  let [index, isDone] = [0, false];
  const take = async (): Promise<NumberedCase | null> => {
    if (isDone || stopped.aborted) return null;
    isDone = true;
    const { value, done } = await iterator.next();
    if (done) return null;
    isDone = false;
    return { testCase: value, index: index++ };
  };
  return {
    next: () => inTurn(take),
    close: () => inTurn(async () => void (isDone || (await iterator.return?.()))),
  };
}

async function workThrough(source: Source, one: (next: NumberedCase) => Promise<void>, casesAhead: number) {
  const startedRuns: Promise<void>[] = [];
  try {
    for (let next = await source.next(); next !== null; next = await source.next()) {
      const running = one(next);
      // One that fails while we wait for another must not count as an unhandled rejection.
      running.catch(() => {});
      startedRuns.push(running);
      if (startedRuns.length >= casesAhead) await startedRuns.shift();
    }
  } finally {
    await Promise.allSettled(startedRuns);
  }
  await Promise.all(startedRuns);
}

/** A built program, with what it takes to run it. */
export type CellPool = {
  readonly backend: Backend;
  readonly found: FoundTool;
  readonly executable: Executable;
  readonly limits: ExecLimits;
  /** What its cells see beside what the toolchain needs. */
  readonly mounts?: readonly Mount[];
};

/** Most inputs are smaller, so that most batches need one cell a worker. */
const usualRoomBytes = 2 ** 20;

export function caseWorker(cellPool: CellPool, signal: AbortSignal): CaseRunner {
  const cells = cellsOf(cellPool);
  return {
    async run(testCase) {
      const finished = await onceMore(() => cells.run(caseJob(cellPool, testCase), signal));
      return signal.aborted ? null : { step: judgeCase(cellPool, finished) };
    },
    close: cells.close,
  };
}

export function judgeCase({ backend, found: { tool }, limits }: CellPool, finished: Finished): StepResult {
  return judgeStep({ backend, tool, limits }, finished);
}

export function caseJob({ found, executable, limits }: CellPool, testCase: Case): Job {
  const { command } = found.tool.run(limits);
  return { ...programInput(found, executable, testCase), command, limits: limitsFor(found.tool, limits) };
}

export type Cells = {
  /** Throws `CellLostError` where its cell was ended from outside; what is run next gets another. */
  run(job: Job, signal: AbortSignal): Promise<Finished>;
  /** The next job gets another cell. */
  discard(): Promise<void>;
  close(): Promise<void>;
};

type Opened = { readonly cell: Cell; readonly roomBytes: number };

/** One cell at a time that fits the jobs. Cells are chosen in the order of the calls. */
export function cellsOf(cellPool: CellPool): Cells {
  const open = createCellOpener(cellPool);
  const running = new Set<Promise<unknown>>();
  const inTurn = oneAtATime();
  let opened: Opened | null = null;
  const discard = async (which = opened) => {
    if (which !== null && opened === which) opened = null;
    await which?.cell.close();
  };
  const fitting = async (job: Job): Promise<Opened> => {
    const needed = jobBytes(job);
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
        const opened = await inTurn(() => fitting(job));
        const result = opened.cell.run(job, signal);
        running.add(result);
        try {
          return await result;
        } catch (error) {
          if (error instanceof CellGoneError || error instanceof CellLostError) await discard(opened);
          if (!(error instanceof CellGoneError)) throw error;
        } finally {
          running.delete(result);
        }
      }
    },
    discard: () => discard(),
    close: () => inTurn(() => discard()),
  };
}

function createCellOpener({ backend, found, executable, limits, mounts: more = [] }: CellPool) {
  const kept = programFiles(found, executable);
  const keptBytes = spaceFor(kept.map(({ bytes }) => bytes));
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
