/**
 * A turn for every request: two requests to one host start at least so many milliseconds apart, in this process and,
 * where a file is shared, in all processes of this user. Knows nothing of HTTP.
 */
import type { Clock } from '../core/io.ts';

/** How far apart requests to a host start. */
export type SpacingMs = (hostname: string) => number;

/** What a guest owes somebody else's site; a site on this machine is nobody else's. */
export const politeSpacingMs: SpacingMs = (hostname) => (isLoopback(hostname) ? 0 : 3_000);

export type Turns = { wait(hostname: string, signal?: AbortSignal): Promise<void> };

/** Takes the next free turn for a host, from now on, and says when it is; nobody else gets the same. */
export type TakeTurn = (hostname: string, nowMs: number, spacingMs: number) => number | Promise<number>;

export function createTurns(spacingMs: SpacingMs, clock: Clock, takeTurn = turnsOfThisProcess()): Turns {
  return {
    async wait(hostname, signal) {
      const apartMs = spacingMs(hostname);
      if (apartMs <= 0) return;
      const nowMs = clock.now();
      // Taken before the wait, so that whoever asks next queues behind; a turn given up stays unused.
      const turnMs = await takeTurn(hostname, nowMs, apartMs);
      if (turnMs > nowMs) await clock.sleep(turnMs - nowMs, signal);
    },
  };
}

function turnsOfThisProcess(): TakeTurn {
  const nextFreeMs = new Map<string, number>();
  return (hostname, nowMs, spacingMs) => {
    const turnMs = Math.max(nowMs, nextFreeMs.get(hostname) ?? nowMs);
    nextFreeMs.set(hostname, turnMs + spacingMs);
    return turnMs;
  };
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
