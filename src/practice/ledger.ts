/** Accounts and answers in one SQLite file, which several processes may share. Every change is one transaction. */
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UserError } from '../core/errors.ts';
import { explainLockError, inTransaction, makePrivate } from '../io/exclusive.ts';
import { rejectLinks } from '../io/no-links.ts';
import { makeFolder } from '../io/write-whole.ts';
import type { AnswerTimes, History, Reply } from './judging.ts';

export type Account = { readonly id: number; readonly user: string; readonly seed: string };

type Part = { readonly year: number; readonly day: number; readonly level: number };

export type Ledger = {
  /** The session of an account, which is opened on first use. */
  sessionFor(user: string, seed: string): string;
  accountOf(session: string): Account | null;
  /** Ends a session. Its account keeps all else, and has another session from then on. */
  expire(session: string): void;
  answeredBy(account: Account, year: number): AnswerTimes;
  /** Lets `decide` judge by the history and writes down its reply, in one transaction. */
  attempt(
    account: Account,
    at: Part & { readonly nowMs: number },
    decide: (history: History) => Reply,
  ): Reply;
  close(): void;
};

/** A full disk, or a folder that may not be written, is an `UnavailableError` of every call that writes. */
export function openLedger(folder: string): Ledger {
  const file = join(folder, 'practice.sqlite');
  return explainLockError(file, () => ledgerOn(openDatabase(folder, file), file));
}

function ledgerOn(db: DatabaseSync, file: string): Ledger {
  const insertAccount = db.prepare('INSERT OR IGNORE INTO accounts (user, seed, session) VALUES (?, ?, ?)');
  const selectSession = db.prepare('SELECT session FROM accounts WHERE user = ? AND seed = ?');
  const selectAccount = db.prepare('SELECT id, user, seed FROM accounts WHERE session = ?');
  const replaceSession = db.prepare('UPDATE accounts SET session = ? WHERE session = ?');
  const newSession = () => randomBytes(24).toString('hex');
  return {
    sessionFor: (user, seed) =>
      explainLockError(file, () => {
        insertAccount.run(user, seed, newSession());
        return String(selectSession.get(user, seed)?.session);
      }),
    accountOf(session) {
      const row = selectAccount.get(session);
      return row ? { id: Number(row.id), user: String(row.user), seed: String(row.seed) } : null;
    },
    expire: (session) => explainLockError(file, () => void replaceSession.run(newSession(), session)),
    answeredBy: (account, year) => answeredBy(db, account, year),
    attempt: (account, at, decide) =>
      explainLockError(file, () =>
        inTransaction(db, () => {
          const reply = decide(historyOf(db, account, at));
          writeDown(db, account, at, reply);
          return reply;
        }),
      ),
    close: () => {
      if (db.isOpen) db.close();
    },
  };
}

/** In SQLite's default journal mode: the switch to WAL does not wait, so one of two starting processes would fail. */
function openDatabase(folder: string, file: string): DatabaseSync {
  rejectLinks(dirname(folder), relative(dirname(folder), file));
  makeFolder(folder, { mode: 0o700 });
  makePrivate(file);
  assertOwnTables(file);
  // The timeout is how long one process waits for another's transaction.
  const db = new DatabaseSync(file, { timeout: 10_000 });
  try {
    makeTables(db, file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Throws `UserError` where another program made the file, or somebody put views or triggers in: nothing is written into it then. */
function assertOwnTables(file: string): void {
  if (statSync(file).size === 0) return;
  using found = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  using own = new DatabaseSync(':memory:');
  own.exec(tables);
  const known = new Set(objectsOf(own));
  if (objectsOf(found).every((each) => known.has(each))) return;
  throw new UserError({
    code: 'ledger-foreign',
    what: `${file} is no file of accounts of the practice site, or was changed by somebody else.`,
    fix: 'Move it away; an empty one is made in its place.',
  });
}

function objectsOf(db: DatabaseSync): readonly string[] {
  const rows = db.prepare('SELECT type, name, sql FROM sqlite_schema LIMIT 100').all();
  return rows.map((row) => JSON.stringify(row));
}

function answeredBy(db: DatabaseSync, account: Account, year: number): AnswerTimes {
  const rows = db
    .prepare('SELECT day, count(*) AS parts FROM stars WHERE account = ? AND year = ? GROUP BY day')
    .all(account.id, year);
  return new Map(rows.map(({ day, parts }) => [Number(day), Number(parts)]));
}

function historyOf(db: DatabaseSync, account: Account, { year, day, level }: Part): History {
  const found = db
    .prepare(
      `SELECT max(wait_until_ms) AS until_ms, sum(year = ? AND day = ? AND level = ?) AS wrong
       FROM wrong_answers WHERE account = ?`,
    )
    .get(year, day, level, account.id);
  return {
    answered: answeredBy(db, account, year),
    wrongAnswers: Number(found?.wrong ?? 0),
    waitUntilMs: Number(found?.until_ms ?? 0),
  };
}

function writeDown(
  db: DatabaseSync,
  account: Account,
  { year, day, level, nowMs }: Part & { readonly nowMs: number },
  reply: Reply,
): void {
  if (reply.kind === 'right') {
    db.prepare('INSERT INTO stars VALUES (?, ?, ?, ?, ?)').run(account.id, year, day, level, nowMs);
  } else if (reply.kind === 'wrong') {
    const insert = db.prepare('INSERT INTO wrong_answers VALUES (?, ?, ?, ?, ?)');
    insert.run(account.id, year, day, level, nowMs + reply.waitMs);
  }
}

const version = 1;

const tables = `
  CREATE TABLE IF NOT EXISTS accounts (
    id INTEGER PRIMARY KEY, user TEXT NOT NULL, seed TEXT NOT NULL, session TEXT NOT NULL UNIQUE, UNIQUE (user, seed));
  CREATE TABLE IF NOT EXISTS stars (
    account INTEGER NOT NULL, year INTEGER NOT NULL, day INTEGER NOT NULL, level INTEGER NOT NULL,
    at_ms INTEGER NOT NULL, PRIMARY KEY (account, year, day, level)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS wrong_answers (
    account INTEGER NOT NULL, year INTEGER NOT NULL, day INTEGER NOT NULL, level INTEGER NOT NULL,
    wait_until_ms INTEGER NOT NULL);
  CREATE INDEX IF NOT EXISTS wrong_answers_by_account ON wrong_answers (account);
`;

/** One transaction, whose lock at the start keeps two processes from making the tables at once. */
function makeTables(db: DatabaseSync, file: string): void {
  inTransaction(db, () => {
    const found = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    if (found > version)
      throw new UserError({
        code: 'ledger-newer',
        what: `The practice site cannot read its accounts in ${file}.`,
        why: 'A later version of Polya wrote them.',
        fix: 'Use that version, or another folder.',
      });
    db.exec(`${tables} PRAGMA user_version = ${version}`);
  });
}
