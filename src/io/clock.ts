/** The machine's own clock, and one for tests in which a sleep takes no time. */
import { setTimeout as timer } from 'node:timers/promises';
import type { Clock } from '../core/io.ts';

/** Node's timers fire at once for anything longer. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    // Not by the machine's date: who sets it back would prolong every sleep.
    const end = performance.now() + ms;
    for (let leftMs = ms; leftMs > 0; leftMs = end - performance.now()) {
      // What it throws at an abort is not the signal's reason.
      const isAborted = () => signal?.throwIfAborted();
      await timer(Math.min(leftMs, longestTimerMs), undefined, { signal }).catch(isAborted);
    }
    signal?.throwIfAborted();
  },
};

/** A clock that moves only with a sleep, or by its owner. */
export type FakeClock = Clock & {
  /** How long each sleep would have taken. */
  readonly sleptMs: readonly number[];
  advance(ms: number): void;
};

export function fakeClock(startMs: number): FakeClock {
  let nowMs = startMs;
  const sleptMs: number[] = [];
  return {
    sleptMs,
    now: () => nowMs,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      sleptMs.push(ms);
      nowMs += ms;
    },
    advance(ms) {
      nowMs += ms;
    },
  };
}
