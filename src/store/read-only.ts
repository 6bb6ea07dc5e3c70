/** A store whose file or folder may not be written, opened to be read: on a read-only disk, or somebody else's. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { schemaVersion, versionOf } from './schema.ts';

/** Null where it cannot be read either, or where its tables are older and would have to be changed first. */
export function openForReading(file: string): DatabaseSync | null {
  return tryToOpen(file) ?? (hasLog(file) ? null : tryToOpen(asItLies(file)));
}

function tryToOpen(place: string | URL): DatabaseSync | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(place, { readOnly: true, timeout: 15_000 });
    if (versionOf(database) >= schemaVersion) return database;
  } catch {
    // The reason that counts is the one against writing, which the caller has.
  }
  database?.close();
  return null;
}

/** Reading in WAL mode needs an index beside the file, which cannot be made here. */
function asItLies(file: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  return url;
}

/** What stands in the log would be missing from the file as it lies. */
function hasLog(file: string): boolean {
  return (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}
