/**
 * The number by which the user's record of trust knows a store: another store that is copied over the file brings another
 * number. It knows no record.
 */
import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './schema.ts';

/** Empty where the store has none yet. */
export function identityIn(database: DatabaseSync): string {
  const table = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'identity'").get();
  if (!table) return '';
  const row = database.prepare('SELECT substr(number, 1, 64) AS number FROM identity LIMIT 1').get();
  return row ? String(row.number) : '';
}

/** `onRenewal` records the new number before it is committed, and returns whether the store may have it. */
export function renewIdentity(
  database: DatabaseSync,
  onRenewal: (before: string, after: string) => boolean,
): void {
  const before = inTransaction(database, () => {
    const current = identityIn(database);
    const next = randomBytes(16).toString('hex');
    if (!onRenewal(current, next)) return null;
    database.exec('DELETE FROM identity');
    database.prepare('INSERT INTO identity VALUES (?)').run(next);
    return current;
  });
  // After a kill the record has to accept both: it shall not accept a store without a number for longer than now.
  if (before === '') renewIdentity(database, onRenewal);
}
