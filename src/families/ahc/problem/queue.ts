/**
 * One queue for everything that keeps a processor busy, so that programs which are evaluated at once do not take time from
 * one another: whoever asked first is served first, and gaps at its end are filled by who comes next. Knows no clock.
 */

/** One evaluation's place in the queue. */
export type Place = {
  /** Resolves when a processor is free for it; false where it is not wanted any more. */
  take(signal: AbortSignal): Promise<boolean>;
  give(): void;
};

export type Queue = {
  /** `limit`: how many processors may be busy, with those of others, when it gets one more. */
  enter(limit: number): Place;
};

type Waiting = { readonly ticket: number; readonly limit: number; readonly begin: () => void };

export function newQueue(): Queue {
  const waiting: Waiting[] = [];
  let [tickets, busy] = [0, 0];
  const serve = () => {
    for (let first = firstOf(waiting); first && busy < first.limit; first = firstOf(waiting)) {
      waiting.splice(waiting.indexOf(first), 1);
      busy += 1;
      first.begin();
    }
  };
  const take = (place: { ticket: number; limit: number }, signal: AbortSignal): Promise<boolean> => {
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
  return {
    enter(limit) {
      const place = { ticket: tickets++, limit };
      return {
        take: (signal) => take(place, signal),
        give() {
          busy -= 1;
          serve();
        },
      };
    },
  };
}

/** Of the earliest ticket, what it asked for first. */
function firstOf(waiting: readonly Waiting[]): Waiting | undefined {
  return waiting.reduce<Waiting | undefined>(
    (first, each) => (first === undefined || each.ticket < first.ticket ? each : first),
    undefined,
  );
}
