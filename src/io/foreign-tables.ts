/** Tables of a SQLite file that another program wrote, read and never written. Knows nothing of what they mean. */
import { DatabaseSync } from 'node:sqlite';
import { UserError } from '../core/errors.ts';
import type { TableRows } from '../core/io.ts';

/** Those of the named tables that are there. Throws `UserError` where the file is no database, or cannot be read. */
export function readForeignTables(
  file: string,
  names: readonly string[],
): Readonly<Record<string, TableRows>> {
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    try {
      const known = database.prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')").all();
      const there = names.filter((name) => known.some((table) => table.name === name));
      return Object.fromEntries(
        there.map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]),
      );
    } finally {
      database.close();
    }
  } catch (error) {
    throw new UserError({
      what: `${file} cannot be read as a SQLite database.`,
      why: `${error instanceof Error ? error.message : String(error)}.`,
      fix: 'Look whether it is one, and yours to read.',
    });
  }
}
