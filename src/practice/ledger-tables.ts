/** The ledger's tables, and the way to them from what an earlier version left behind. */
import type { DatabaseSync } from 'node:sqlite';
import { UserError } from '../core/errors.ts';
import { inTransaction } from '../io/small-database.ts';
import { practiceYear } from './puzzle.ts';

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

/** Version 0 had one event, and so no years. */
const fromVersion0 = `
  ALTER TABLE stars RENAME TO old_stars;
  ALTER TABLE wrong_answers RENAME TO old_wrong_answers;
  DROP INDEX wrong_answers_by_account;
  ${tables}
  INSERT INTO stars SELECT account, ${practiceYear}, day, level, at_ms FROM old_stars;
  INSERT INTO wrong_answers SELECT account, ${practiceYear}, day, level, wait_until_ms FROM old_wrong_answers;
  DROP TABLE old_stars;
  DROP TABLE old_wrong_answers;
`;

/** One transaction, whose lock at the start keeps two processes from making the tables at once. */
export function makeTables(db: DatabaseSync, file: string): void {
  inTransaction(db, () => {
    const found = Number(db.prepare('PRAGMA user_version').get()?.user_version);
    if (found > version) throw fromLater(file);
    const isOld = found === 0 && db.prepare("SELECT 1 FROM sqlite_master WHERE name = 'stars'").get();
    db.exec(`${isOld ? fromVersion0 : tables} PRAGMA user_version = ${version}`);
  });
}

function fromLater(file: string): UserError {
  return new UserError({
    code: 'from-later',
    what: `The practice site cannot read its accounts in ${file}.`,
    why: 'A later version of Polya wrote them.',
    fix: 'Use that version, or another folder.',
  });
}
