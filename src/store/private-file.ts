/** A journal is its user's alone, whatever folder it lies in. Knows nothing of what stands in it. */
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';

/**
 * A missing file is made; SQLite gives those that it makes beside it the same mode. What cannot be made or changed here
 * is left to SQLite, which says what is wrong.
 */
export function makePrivate(file: string): void {
  if (file === ':memory:') return;
  try {
    // One that is there is never opened here: closing it would let go of the locks that SQLite holds in this process.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
    for (const each of [file, `${file}-wal`, `${file}-shm`]) closeToOthers(each);
  } catch {
    // What is wrong with the place, SQLite will find and say.
  }
}

/** A file of an earlier version was open to others. What its owner may do with it stays: it may be read-only on purpose. */
function closeToOthers(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found?.isFile() || found.uid !== process.getuid?.()) return;
  if ((found.mode & 0o077) !== 0) chmodSync(file, found.mode & 0o700);
}
