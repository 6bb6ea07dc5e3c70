/**
 * Several evaluations share the processors of a machine: before a program is compiled and before each case one is asked for,
 * and given back when it has ended. The queue serves the earliest ticket first; gaps at its end are filled by the next.
 * It knows no clock.
 */
import type { BatchRequest, BatchResult, Case, OnCase, Sandbox } from '../../../core/sandbox.ts';

/** One evaluation's leave to keep processors busy. */
export type Turns = {
  /** Resolves when a processor is free for it; false where it is not wanted any more. */
  take(signal: AbortSignal): Promise<boolean>;
  give(): void;
  /** Leave for one thing that is to run while nothing else does. */
  alone(): Turns;
};

type Turn = { readonly turns: Turns | undefined; readonly signal: AbortSignal };
type BatchTurn = Turn & { readonly onStart?: (name: string) => void; readonly onCase: OnCase };

export async function inTurn<T>({ turns, signal }: Turn, work: () => Promise<T>): Promise<T> {
  if (!turns) return work();
  if (!(await turns.take(signal))) throw signal.reason;
  try {
    return await work();
  } finally {
    turns.give();
  }
}

/** A batch whose cases begin when there is a turn for them: none waits in a cell while another's could run. */
export async function batchInTurns(
  sandbox: Sandbox,
  request: BatchRequest,
  { turns, signal, onStart, onCase }: BatchTurn,
): Promise<BatchResult> {
  if (!turns)
    return sandbox.batch({ ...request, cases: announceCases(request.cases, onStart) }, onCase, signal);
  let held = 0;
  const give = () => {
    held -= 1;
    turns.give();
  };
  const admitted = async function* (): AsyncGenerator<Case> {
    for await (const each of request.cases) {
      if (!(await turns.take(signal))) return;
      held += 1;
      onStart?.(each.name);
      yield each;
    }
  };
  try {
    const inTurns = { ...request, cases: admitted(), casesAhead: 1 as const };
    return await sandbox.batch(
      inTurns,
      (result) => {
        give();
        return onCase(result);
      },
      signal,
    );
  } finally {
    while (held > 0) give();
  }
}

async function* announceCases(
  cases: BatchRequest['cases'],
  onStart: BatchTurn['onStart'],
): AsyncGenerator<Case> {
  for await (const each of cases) {
    onStart?.(each.name);
    yield each;
  }
}

export type Queue = {
  /** `limit`: how many processors may be busy, with those of others, when it gets one more. */
  enter(limit: number): Turns;
};

/** `weight`: the processors that it counts as. */
type Place = { readonly ticket: number; readonly limit: number; readonly weight: number };
type Waiting = Place & { readonly begin: () => void };

export function newQueue(): Queue {
  const waiting: Waiting[] = [];
  let [tickets, busy] = [0, 0];
  const serve = () => {
    for (let first = firstOf(waiting); first && busy < first.limit; first = firstOf(waiting)) {
      waiting.splice(waiting.indexOf(first), 1);
      busy += first.weight;
      first.begin();
    }
  };
  const take = (place: Place, signal: AbortSignal): Promise<boolean> => {
    if (signal.aborted) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const mine: Waiting = { ...place, begin: () => resolve(true) };
    const leave = () => {
      const at = waiting.indexOf(mine);
      if (at < 0) return;
      waiting.splice(at, 1);
      resolve(false);
      serve();
    };
    signal.addEventListener('abort', leave, { once: true });
    waiting.push(mine);
    serve();
    return promise.finally(() => signal.removeEventListener('abort', leave));
  };
  const turnsAt = (place: Place): Turns => ({
    take: (signal) => take(place, signal),
    give() {
      busy -= place.weight;
      serve();
    },
    alone: () => turnsAt({ ticket: tickets++, limit: 1, weight: Number.MAX_SAFE_INTEGER / 2 }),
  });
  return { enter: (limit) => turnsAt({ ticket: tickets++, limit, weight: 1 }) };
}

/** The first request of the earliest ticket. */
function firstOf(waiting: readonly Waiting[]): Waiting | undefined {
  return waiting.reduce<Waiting | undefined>(
    (first, each) => (first === undefined || each.ticket < first.ticket ? each : first),
    undefined,
  );
}
