/**
 * A turn for every request: two requests to one host start at least so many milliseconds apart.
 * Knows nothing of HTTP, and nothing of other processes that ask the same host.
 */
import type { Clock } from '../core/io.ts';

/** How far apart requests to a host start. */
export type SpacingMs = (hostname: string) => number;

/** What a guest owes somebody else's site; a site on this machine is nobody else's. */
export const politeSpacingMs: SpacingMs = (hostname) => (isLoopback(hostname) ? 0 : 3_000);

export type Turns = { wait(hostname: string, signal?: AbortSignal): Promise<void> };

export function createTurns(spacingMs: SpacingMs, clock: Clock): Turns {
  const nextFreeMs = new Map<string, number>();
  return {
    async wait(hostname, signal) {
      const nowMs = clock.now();
      const turnMs = Math.max(nowMs, nextFreeMs.get(hostname) ?? nowMs);
      // Taken before the wait, so that whoever asks next queues behind; a turn given up stays unused.
      nextFreeMs.set(hostname, turnMs + spacingMs(hostname));
      if (turnMs > nowMs) await clock.sleep(turnMs - nowMs, signal);
    },
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
