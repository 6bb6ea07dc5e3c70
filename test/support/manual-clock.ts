/** A clock that a test moves: who sleeps on it wakes when it has come so far. */
import type { Clock } from '../../src/core/io.ts';

export type ManualClock = Clock & {
  /** Moves on, and lets what it wakes have its turn. */
  advance(ms: number): Promise<void>;
  readonly sleepers: number;
};

export function manualClock(startMs = 1_000_000): ManualClock {
  let nowMs = startMs;
  const sleeping = new Set<{ readonly untilMs: number; wake(): void }>();
  return {
    now: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { untilMs: nowMs + ms, wake: resolve };
        sleeping.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleeping.delete(sleeper);
          reject(signal.reason);
        });
      }),
    async advance(ms) {
      const endMs = nowMs + ms;
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        const [next] = [...sleeping].sort((a, b) => a.untilMs - b.untilMs);
        if (!next || next.untilMs > endMs) break;
        nowMs = Math.max(nowMs, next.untilMs);
        sleeping.delete(next);
        next.wake();
      }
      nowMs = endMs;
    },
    get sleepers() {
      return sleeping.size;
    },
  };
}
