/**
 * A model call that is of use until a time alone: when its run has been alive for so long, the call is broken off and
 * settled as `late`. The time may be put off meanwhile, so it is asked again. The journal says that the call was late; a
 * resume and a replay look at no clock.
 */
import type { Settlement } from '../core/event.ts';
import type { ModelFailure } from '../core/model.ts';
import { PerformFailed } from './settling.ts';

export type Deadline = {
  readonly aliveMs: () => number;
  /** How long the run may have been alive; null: as long as it likes. */
  readonly until: () => number | null;
};

/** The call was sent, and its answer is of no use any more. */
export class TooLate extends Error {}

const message = 'Its answer would have come too late to be of use.';

/** Not begun at all where it is late already: then nothing was billed. */
export async function whileOfUse<T>(
  deadline: Deadline | null,
  signal: AbortSignal,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (deadline === null) return call(signal);
  if (leftMs(deadline) <= 0) {
    const model = { kind: 'aborted', retryable: false } as const;
    throw new PerformFailed({ name: 'TooLate', message, model }, null);
  }
  const late = new AbortController();
  const watch = watchFor(deadline, () => late.abort(new TooLate(message)));
  const isLate = new Promise<never>((_resolve, reject) => {
    late.signal.addEventListener('abort', () => reject(late.signal.reason), { once: true });
  });
  isLate.catch(() => undefined);
  const answer = call(AbortSignal.any([signal, late.signal]));
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, isLate]);
  } finally {
    watch.end();
  }
}

/** A wait is no longer than what comes after it is of use. */
export function withinUse(deadline: Deadline | null, waitMs: number): number {
  return deadline === null ? waitMs : Math.max(0, Math.min(waitMs, leftMs(deadline)));
}

function leftMs({ aliveMs, until }: Deadline): number {
  const end = until();
  return end === null ? Number.POSITIVE_INFINITY : end - aliveMs();
}

/** What a timer can wait for, and how often it looks at least: the end may be put off without notice. */
const [longestMs, shortestMs] = [60_000, 20];

function watchFor(deadline: Deadline, onLate: () => void): { end(): void } {
  let timer: NodeJS.Timeout;
  const look = (): void => {
    const left = leftMs(deadline);
    if (left <= 0) onLate();
    else timer = setTimeout(look, Math.min(longestMs, Math.max(shortestMs, left)));
  };
  look();
  return { end: () => clearTimeout(timer) };
}

export const lateSettlement: Settlement = { status: 'cancelled', by: 'late' };

/** It may have been billed. */
export const lateReply: ModelFailure = {
  ok: false,
  error: { kind: 'aborted', message, retryable: false },
  usage: null,
};
