/**
 * Turns that all processes of a user share, in a small SQLite file: its lock is let go of by the kernel when a process
 * dies, which a lock of our own would not be. Knows hosts and times, no requests.
 */
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { UnavailableError } from '../core/errors.ts';
import { makeFolder } from './make-folder.ts';
import { inTransaction, makePrivate } from './small-database.ts';
import type { TakeTurn } from './spacing.ts';

/** Nobody queues for longer; a turn further away was taken by a clock that has been set back since. */
const longestQueueMs = 30 * 60_000;

export function sharedTurns(file: string): TakeTurn {
  return async (hostname, nowMs, spacingMs) => {
    // Loaded here: most commands ask nobody.
    const { DatabaseSync } = await import('node:sqlite');
    try {
      makeFolder(dirname(file), { mode: 0o700 });
      makePrivate(file);
      const db = new DatabaseSync(file, { timeout: 10_000 });
      try {
        return takeTurn(db, hostname, { nowMs, spacingMs });
      } finally {
        db.close();
      }
    } catch (error) {
      throw unwritable(file, error);
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

function unwritable(file: string, error: unknown): UnavailableError {
  return new UnavailableError({
    code: 'folder-unwritable',
    what: `Polya cannot keep its requests apart: ${file} cannot be written.`,
    why: error instanceof Error ? `${error.message}.` : String(error),
    fix: 'Free some space or put the permissions right, then try again; the file itself may be deleted.',
  });
}
