/**
 * A model call that is of use until a time alone: when its run has been alive for so long it is broken off, and settled as
 * `late`. Whether that has come is asked again when it seems so, because the time may have been put off meanwhile. What is
 * journaled is that it was late; a resume and a replay look at no clock.
 */
import type { Settlement } from '../core/event.ts';
import type { ModelFailure } from '../core/model.ts';
import { PerformFailed } from './settling.ts';

export type Deadline = {
  readonly aliveMs: () => number;
  /** How long the run may have been alive; null: as long as it likes. */
  readonly until: () => number | null;
};

/** It was sent, and nobody waits for its answer any more. */
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

/** What a timer can wait for, and how often it looks at least: where the end is put off, nobody says so. */
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

/** Nobody knows what it cost. */
export const lateReply: ModelFailure = {
  ok: false,
  error: { kind: 'aborted', message, retryable: false },
  usage: null,
};
