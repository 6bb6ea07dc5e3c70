/** When to look at a store: now, at once when it hints at something, and else from time to time. */
import type { Store } from '../core/store.ts';

export type PollOptions = {
  /** Which hints it looks for. */
  isOurs(topic: string): boolean;
  /** Where no hints come; absent: 300. */
  readonly everyMs?: number;
  /** Where hints come; absent: as the store says. */
  readonly quietMs?: number;
  readonly signal?: AbortSignal;
};

/** Ends with its signal. `onBegin` is given how to bring the next look about. */
export async function* looks(
  store: Pick<Store, 'hints'>,
  { isOurs, everyMs = 300, quietMs, signal }: PollOptions,
  onBegin?: (poll: () => void) => void,
): AsyncGenerator<void> {
  const hints = (await store.hints?.()) ?? null;
  let isTold = false;
  let wake = (): void => undefined;
  const report = (): void => {
    isTold = true;
    wake();
  };
  onBegin?.(report);
  const leave = hints?.on((topic) => {
    if (topic === null || isOurs(topic)) report();
  });
  signal?.addEventListener('abort', report);
  try {
    while (!signal?.aborted) {
      isTold = false;
      yield;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const mostMs = hints?.quietMs == null ? everyMs : (quietMs ?? hints.quietMs);
      const timer = setTimeout(resolve, isTold ? 0 : mostMs);
      await promise;
      clearTimeout(timer);
    }
  } finally {
    signal?.removeEventListener('abort', report);
    leave?.();
  }
}
