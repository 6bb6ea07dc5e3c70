/**
 * One program over many cases: workers with a cell each, which is never without its next case. Results are handed
 * over one at a time, as they arrive. It knows nothing of how a case is run (worker.ts, pair.ts).
 */
import type { Case, CaseResult, OnCase } from '../core/sandbox.ts';

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
  const source = numbered(cases, stopped);
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
      const ran = await runner.run(testCase);
      if (ran !== null) await inTurn(() => deliver({ name: testCase.name, index, ...ran, worker }));
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
export function oneAtATime(): <T>(act: () => T | Promise<T>) => Promise<T> {
  let turn: Promise<unknown> = Promise.resolve();
  return (act) => {
    const mine = turn.then(act);
    turn = mine.catch(() => {});
    return mine;
  };
}

type NumberedCase = { readonly testCase: Case; readonly index: number };
type Source = { next(): Promise<NumberedCase | null>; close(): Promise<void> };

/** Asked by several workers, answers one at a time; after a stop or an error, there are no more cases. */
function numbered(cases: Iterable<Case> | AsyncIterable<Case>, stopped: AbortSignal): Source {
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

async function workThrough(
  source: Source,
  one: (next: NumberedCase) => Promise<void>,
  casesAhead: number,
): Promise<void> {
  const begun: Promise<void>[] = [];
  try {
    for (let next = await source.next(); next !== null; next = await source.next()) {
      const running = one(next);
      // One that fails while we wait for another must not be taken for an error that nobody caught.
      running.catch(() => {});
      begun.push(running);
      if (begun.length >= casesAhead) await begun.shift();
    }
  } finally {
    await Promise.allSettled(begun);
  }
  await Promise.all(begun);
}
