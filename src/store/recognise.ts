/**
 * Whether an SQLite file is a store of Polya, before anything is asked of it or written into it: by its application id, and
 * by its schema. A view or trigger of somebody else would run with each of our statements.
 */
import { DatabaseSync } from 'node:sqlite';
import { JournalError } from '../core/errors.ts';
import { applyVersions, schemaVersion, versionOf } from './schema.ts';

const applicationId = 0x506f6c79;

/** The first version whose files carry the id. */
const firstWithId = 5;

type SchemaObject = { readonly type: string; readonly name: string; readonly sql: string | null };

/** Whether it holds nothing yet. Throws `JournalError` for a file that another program has made or changed. */
export function assertOwnStore(database: DatabaseSync, file: string): { readonly isEmpty: boolean } {
  const version = versionOf(database);
  const id = Number(database.prepare('PRAGMA application_id').get()?.application_id ?? 0);
  const objects = objectsOf(database);
  if (id === 0 && version === 0 && objects.length === 0) return { isEmpty: true };
  const local = ownObjects();
  const isOlder = id === 0 && version > 0 && version < firstWithId;
  const isLocal = id === applicationId || (isOlder && objects.some((each) => each.name === 'runs'));
  if (!isLocal) throw foreignDatabaseError(file);
  for (const each of objects) {
    const known = local.get(keyOf(each));
    const isKnown = known === undefined ? isKnownSchemaObject(each, version) : known.has(each.sql);
    if (!isKnown) throw alteredSchemaError(file, each);
  }
  return { isEmpty: false };
}

/** A table that none of our statements names does nothing. A newer Polya may have more indexes. */
function isKnownSchemaObject({ type, name, sql }: SchemaObject, version: number): boolean {
  if (type === 'table') return /^CREATE TABLE /i.test(sql ?? '') && !ownNames().has(name);
  const isNewer = version > schemaVersion;
  return type === 'index' && (isNewer || (sql === null && name.startsWith('sqlite_autoindex_')));
}

function objectsOf(database: DatabaseSync): readonly SchemaObject[] {
  const rows = database.prepare('SELECT type, name, sql FROM sqlite_schema LIMIT 1000').all();
  return rows.map(({ type, name, sql }) => ({
    type: String(type),
    name: String(name),
    // Earlier versions indented what they made.
    sql: sql === null ? null : String(sql).replaceAll(/\n +/g, '\n'),
  }));
}

let own: ReadonlyMap<string, ReadonlySet<string | null>> | null = null;

/** What each version calls its objects, and how it makes them. */
function ownObjects(): ReadonlyMap<string, ReadonlySet<string | null>> {
  if (own !== null) return own;
  using database = new DatabaseSync(':memory:');
  const found = new Map<string, Set<string | null>>();
  for (let version = 1; version <= schemaVersion; version += 1) {
    applyVersions(database, version - 1, version);
    for (const each of objectsOf(database)) {
      const known = found.get(keyOf(each)) ?? new Set();
      found.set(keyOf(each), known.add(each.sql));
    }
  }
  own = found;
  return found;
}

function ownNames(): ReadonlySet<string> {
  return new Set([...ownObjects().keys()].map((key) => key.slice(key.indexOf(' ') + 1)));
}

function keyOf({ type, name }: SchemaObject): string {
  return `${type} ${name.toLowerCase()}`;
}

function foreignDatabaseError(file: string): JournalError {
  return new JournalError({
    code: 'database-foreign',
    what: `${file} is an SQLite database of another program, and no store of Polya.`,
    why: 'It was neither read nor changed.',
    fix: 'Move it away, or name another folder for the runs with POLYA_HOME.',
  });
}

function alteredSchemaError(file: string, { type, name }: SchemaObject): JournalError {
  return new JournalError({
    code: 'database-foreign',
    what: `${file} is no store as Polya makes it: its ${type} ${JSON.stringify(name)} is damaged, or another program's.`,
    why: `Whatever stands in a ${type} could run with each look at the store, so it was neither read nor changed.`,
    fix: `If it is your store, restore it from a backup; a ${type} that you have added yourself has to be dropped first.`,
  });
}
