/** Spaces the starts of requests to one host, in this process, or in all of the user's that share a file. */
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { UnavailableError } from '../core/errors.ts';
import type { Clock } from '../core/io.ts';
import { inTransaction, makePrivate } from './exclusive.ts';
import { makeFolder } from './write-whole.ts';

/** How far apart requests to a host start. */
export type SpacingMs = (hostname: string) => number;

/** Three seconds for other people's sites, none for a site on this machine. */
export const politeSpacingMs: SpacingMs = (hostname) => (isLoopback(hostname) ? 0 : 3_000);

export type Turns = { wait(hostname: string, signal?: AbortSignal): Promise<void> };

/** Takes the next free turn for a host, from now on, and says when it is; each turn is given once. */
export type TakeTurn = (hostname: string, nowMs: number, spacingMs: number) => number | Promise<number>;

export function createTurns(spacingMs: SpacingMs, clock: Clock, takeTurn = turnsOfThisProcess()): Turns {
  return {
    async wait(hostname, signal) {
      const apartMs = spacingMs(hostname);
      if (apartMs <= 0) return;
      const nowMs = clock.now();
      // Taken before the wait, so that the next request queues behind it; a turn given up stays unused.
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

/** A turn further away was taken by a clock that has been set back since. */
const longestQueueMs = 30 * 60_000;

/** Turns that all processes of a user share, in a small SQLite file: the kernel frees its lock when a process dies. */
export function sharedTurns(file: string): TakeTurn {
  return async (hostname, nowMs, spacingMs) => {
    // Loaded here: most commands send no request.
    const { DatabaseSync } = await import('node:sqlite');
    try {
      makeFolder(dirname(file), { mode: 0o700 });
      makePrivate(file);
      using db = new DatabaseSync(file, { timeout: 10_000 });
      return takeTurn(db, hostname, { nowMs, spacingMs });
    } catch (error) {
      throw new UnavailableError({
        code: 'folder-unwritable',
        what: `Polya cannot keep its requests apart: ${file} cannot be written.`,
        why: error instanceof Error ? `${error.message}.` : String(error),
        fix: 'Free some space or put the permissions right, then try again; the file itself may be deleted.',
      });
    }
  };
}

function takeTurn(
  db: DatabaseSync,
  hostname: string,
  { nowMs, spacingMs }: { nowMs: number; spacingMs: number },
): number {
  db.exec('CREATE TABLE IF NOT EXISTS turns (host TEXT PRIMARY KEY, next_free_ms INTEGER NOT NULL) STRICT');
  return inTransaction(db, () => {
    const row = db.prepare('SELECT next_free_ms FROM turns WHERE host = ?').get(hostname);
    const freeMs = Number(row?.next_free_ms ?? nowMs);
    const turnMs = freeMs > nowMs + longestQueueMs ? nowMs : Math.max(nowMs, freeMs);
    const next = Math.ceil(turnMs + spacingMs);
    db.prepare('INSERT OR REPLACE INTO turns VALUES (?, ?)').run(hostname, next);
    return turnMs;
  });
}
