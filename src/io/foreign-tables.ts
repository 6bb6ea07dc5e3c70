/** Reads tables of a SQLite file that another program wrote. Case does not matter; columns come out in small letters. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { UserError } from '../core/errors.ts';
import type { TableRows } from '../core/io.ts';

/** A view may go on for ever. */
const mostRows = 100_000;

/** Those of the named tables that are there. Throws `UserError` where the file is no database, or cannot be read. */
export function readForeignTables(
  file: string,
  names: readonly string[],
): Readonly<Record<string, TableRows>> {
  try {
    // To open a pipe waits for its other end, for ever.
    if (!statSync(file).isFile()) throw new Error('It is no file');
    using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const known = database.prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')").all();
    const existing = new Set(known.map(({ name }) => String(name).toLowerCase()));
    const requested = names.filter((name) => existing.has(name));
    return Object.fromEntries(requested.map((name) => [name, rowsOf(database, name)]));
  } catch (error) {
    throw new UserError({
      code: 'database-unreadable',
      what: `${file} cannot be read as a SQLite database.`,
      why: `${error instanceof Error ? error.message : String(error)}.`,
      fix: 'Look whether it is one, and yours to read.',
    });
  }
}

function rowsOf(database: DatabaseSync, table: string): TableRows {
  const rows = database.prepare(`SELECT * FROM "${table}" LIMIT ${mostRows + 1}`).all();
  if (rows.length > mostRows) throw new Error(`Its table ${table} has more than ${mostRows} rows`);
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [column.toLowerCase(), value])),
  );
}
