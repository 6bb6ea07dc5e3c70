/**
 * Work that one process does at a time: the lock is one of SQLite's, which the kernel lets go of when its holder dies. Nothing
 * is waited for while it is held: SQLite waits for a lock with the whole process.
 */
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { explained, makePrivate } from './small-database.ts';

const patienceMs = 10_000;

/** `file` is the lock's own. Throws what is missing, in words. */
export async function exclusively(file: string, work: () => void): Promise<void> {
  // Loaded here: most commands take no lock.
  const { DatabaseSync } = await import('node:sqlite');
  explained(file, () => {
    makeFolder(dirname(file));
    makePrivate(file);
    const lock = new DatabaseSync(file, { timeout: patienceMs });
    try {
      lock.exec('BEGIN EXCLUSIVE');
      work();
    } finally {
      if (lock.isTransaction) lock.exec('ROLLBACK');
      lock.close();
    }
  });
}
