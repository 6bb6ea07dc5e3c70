/**
 * Accounts, stars and wrong answers, kept in one SQLite file.
 * Every change is one immediate transaction, so a kill loses nothing that was answered, and two processes that serve
 * the same folder see each other's stars. Knows nothing of puzzles and of what an answer is worth.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { History, Reply } from './judging.ts';

export type Account = { readonly id: number; readonly user: string; readonly seed: string };

export type Ledger = {
  /** The session of an account, which is opened on first use. */
  sessionFor(user: string, seed: string): string;
  accountOf(session: string): Account | null;
  starsOf(account: Account, day: number): number;
  /** Lets `decide` judge by the history and writes down its reply, with nobody in between. */
  attempt(
    account: Account,
    part: { readonly day: number; readonly level: number; readonly nowMs: number },
    decide: (history: History) => Reply,
  ): Reply;
  close(): void;
};

const schema = `
  CREATE TABLE IF NOT EXISTS accounts (
    id INTEGER PRIMARY KEY, user TEXT NOT NULL, seed TEXT NOT NULL, session TEXT NOT NULL UNIQUE, UNIQUE (user, seed));
  CREATE TABLE IF NOT EXISTS stars (
    account INTEGER NOT NULL, day INTEGER NOT NULL, level INTEGER NOT NULL, at_ms INTEGER NOT NULL,
    PRIMARY KEY (account, day, level)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS wrong_answers (
    account INTEGER NOT NULL, day INTEGER NOT NULL, level INTEGER NOT NULL, wait_until_ms INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS wrong_answers_by_account ON wrong_answers (account)
`;

export function openLedger(folder: string): Ledger {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The timeout is how long one process waits for another's transaction.
  const db = new DatabaseSync(join(folder, 'practice.sqlite'), { timeout: 10_000 });
  // In SQLite's default journal mode, on purpose: the switch to WAL does not wait, so that of two processes that start
  // at once one would fail; and a lock at the start keeps their two schemas from deadlocking.
  db.exec(`BEGIN IMMEDIATE; ${schema}; COMMIT`);
  const insertAccount = db.prepare('INSERT OR IGNORE INTO accounts (user, seed, session) VALUES (?, ?, ?)');
  const selectSession = db.prepare('SELECT session FROM accounts WHERE user = ? AND seed = ?');
  const selectAccount = db.prepare('SELECT id, user, seed FROM accounts WHERE session = ?');
  return {
    sessionFor(user, seed) {
      insertAccount.run(user, seed, randomBytes(24).toString('hex'));
      return String(selectSession.get(user, seed)?.session);
    },
    accountOf(session) {
      const row = selectAccount.get(session);
      return row ? { id: Number(row.id), user: String(row.user), seed: String(row.seed) } : null;
    },
    starsOf: (account, day) => count(db, 'stars WHERE account = ? AND day = ?', account.id, day),
    attempt(account, part, decide) {
      db.exec('BEGIN IMMEDIATE');
      try {
        const reply = decide(historyOf(db, account, part));
        writeDown(db, account, part, reply);
        db.exec('COMMIT');
        return reply;
      } catch (error) {
        db.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}

function historyOf(db: DatabaseSync, account: Account, part: { day: number; level: number }): History {
  const waits = db.prepare('SELECT max(wait_until_ms) AS until_ms FROM wrong_answers WHERE account = ?');
  return {
    stars: count(db, 'stars WHERE account = ? AND day = ?', account.id, part.day),
    starsOfYear: count(db, 'stars WHERE account = ?', account.id),
    wrongAnswers: count(
      db,
      'wrong_answers WHERE account = ? AND day = ? AND level = ?',
      account.id,
      part.day,
      part.level,
    ),
    waitUntilMs: Number(waits.get(account.id)?.until_ms ?? 0),
  };
}

function writeDown(
  db: DatabaseSync,
  account: Account,
  { day, level, nowMs }: { day: number; level: number; nowMs: number },
  reply: Reply,
): void {
  if (reply.kind === 'right') {
    db.prepare('INSERT INTO stars VALUES (?, ?, ?, ?)').run(account.id, day, level, nowMs);
  } else if (reply.kind === 'wrong') {
    db.prepare('INSERT INTO wrong_answers VALUES (?, ?, ?, ?)').run(
      account.id,
      day,
      level,
      nowMs + reply.waitMs,
    );
  }
}

/** `from` is a constant of this file. */
function count(db: DatabaseSync, from: string, ...values: number[]): number {
  return Number(db.prepare(`SELECT count(*) AS n FROM ${from}`).get(...values)?.n ?? 0);
}
