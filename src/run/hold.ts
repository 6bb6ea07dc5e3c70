/** Keeps a run ours while it lives: heartbeats, the mailbox's call to stop, and the end of its wall time. */
import type { Ownership, Store } from '../core/store.ts';

const heartbeatEveryMs = 2_000;
const lookForStopEveryMs = 500;
/** Node's timers fire at once for anything longer; no life of a run lasts these 24 days. */
const longestTimerMs = 2 ** 31 - 1;

export type HoldOptions = {
  readonly store: Store;
  readonly ownership: Ownership;
  /** Milliseconds of wall time that are left, or null. */
  readonly remainingMs: number | null;
  onStop(): void;
  onTimeOver(): void;
  /** We are the owner no more, or the store has failed. */
  onLost(error: Error): void;
};

/** Mail that was there before does not stop a run that is resumed. */
export async function hold(options: HoldOptions): Promise<{ release(): Promise<void> }> {
  const { store, ownership, remainingMs } = options;
  const before = await store.mail(ownership.runId, 0);
  const lastId = before.at(-1)?.id ?? 0;
  const timers = [
    setInterval(() => store.heartbeat(ownership).catch(options.onLost), heartbeatEveryMs),
    setInterval(() => {
      store.mail(ownership.runId, lastId).then((mail) => {
        if (mail.some(({ kind }) => kind === 'stop')) options.onStop();
      }, options.onLost);
    }, lookForStopEveryMs),
  ];
  if (remainingMs !== null && remainingMs <= longestTimerMs)
    timers.push(setTimeout(options.onTimeOver, Math.max(0, remainingMs)));
  return {
    release: async () => {
      for (const timer of timers) clearTimeout(timer);
      // The run has ended or failed already, and a dead process owns nothing.
      await store.release(ownership).catch(() => undefined);
    },
  };
}
