/**
 * One program over many cases: workers with a cell each, which is never without its next case. Results are handed
 * over one at a time, as they arrive. It knows nothing of how a case is run (worker.ts, pair.ts).
 */
import type { Case, CaseResult, OnCase } from '../core/sandbox.ts';

export type CaseRunner = {
  /**
   * Begins a case; a second one may be begun before the first has ended. Null where it was broken off.
   */
  run(testCase: Case): Promise<Pick<CaseResult, 'step' | 'tester'> | null>;
  close(): Promise<void>;
};

export type BatchPlan = {
  readonly cases: Iterable<Case> | AsyncIterable<Case>;
  readonly workers: number;
  /** Default: one runs, one waits in the cell behind it, so that nobody waits for us in between. */
  readonly casesAhead?: 1 | 2;
  /** `signal` ends what the runner has begun. */
  openWorker(signal: AbortSignal): CaseRunner;
};

export async function runCases(
  { cases, workers, casesAhead = 2, openWorker }: BatchPlan,
  onCase: OnCase,
  signal: AbortSignal,
): Promise<{ finished: number; stopped: boolean }> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const source = numbered(cases, stopping.signal);
  const delivery = deliverTo(onCase, stopping);
  try {
    const work = async (worker: number) => {
      const runner = openWorker(stopping.signal);
      try {
        await workThrough({
          source,
          runner,
          casesAhead,
          deliver: (result) => delivery.deliver({ ...result, worker }),
        });
      } finally {
        await runner.close();
      }
    };
    await allOrStop(
      Array.from({ length: workers }, (_, worker) => work(worker)),
      stop,
    );
  } finally {
    signal.removeEventListener('abort', stop);
    await source.close();
  }
  return { finished: delivery.finished(), stopped: stopping.signal.aborted };
}

type NumberedCase = { readonly testCase: Case; readonly index: number };
type Source = { next(): Promise<NumberedCase | null>; close(): Promise<void> };

/** Asked by several, answers one at a time; after a stop, there are no more. */
function numbered(cases: Iterable<Case> | AsyncIterable<Case>, stopped: AbortSignal): Source {
  const iterator = Symbol.asyncIterator in cases ? cases[Symbol.asyncIterator]() : cases[Symbol.iterator]();
  let turn: Promise<unknown> = Promise.resolve();
  let [index, isDone] = [0, false];
  const take = async (): Promise<NumberedCase | null> => {
    if (isDone || stopped.aborted) return null;
    const { value, done } = await iterator.next();
    if (!done) return { testCase: value, index: index++ };
    isDone = true;
    return null;
  };
  return {
    next() {
      const mine = turn.then(take);
      turn = mine.catch(() => {
        isDone = true;
      });
      return mine;
    },
    async close() {
      await turn;
      if (!isDone) await iterator.return?.();
    },
  };
}

type Result = Omit<CaseResult, 'worker'>;
type Work = {
  source: Source;
  runner: CaseRunner;
  casesAhead: number;
  deliver(result: Result): Promise<void>;
};

async function workThrough({ source, runner, casesAhead, deliver }: Work): Promise<void> {
  const begun: Promise<void>[] = [];
  const one = async ({ testCase, index }: NumberedCase) => {
    const ran = await runner.run(testCase);
    if (ran !== null) await deliver({ name: testCase.name, index, ...ran });
  };
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

function deliverTo(onCase: OnCase, stopping: AbortController) {
  let turn: Promise<void> = Promise.resolve();
  let finished = 0;
  const hand = async (result: CaseResult) => {
    if (stopping.signal.aborted) return;
    finished++;
    if ((await onCase(result)) === 'stop') stopping.abort();
  };
  return {
    deliver(result: CaseResult): Promise<void> {
      const mine = turn.then(() => hand(result));
      turn = mine.catch(() => {});
      return mine;
    },
    finished: () => finished,
  };
}

/** The first error stops the others, and is thrown when all have ended. */
async function allOrStop(work: readonly Promise<void>[], stop: () => void): Promise<void> {
  const failures: unknown[] = [];
  const told = work.map((each) =>
    each.catch((error: unknown) => {
      failures.push(error);
      stop();
    }),
  );
  await Promise.all(told);
  if (failures.length > 0) throw failures[0];
}
