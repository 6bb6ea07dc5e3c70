/**
 * `results.csv` of a workspace, written by one process at a time: the lock is one of SQLite's, which the kernel lets go of
 * when its holder dies.
 */
import { join } from 'node:path';
import type { Folder } from '../core/io.ts';
import { layout } from '../families/ahc/layout.ts';
import { withResult } from '../families/ahc/session/results.ts';
import { makeFolder } from '../io/make-folder.ts';
import { explained, makePrivate } from '../io/small-database.ts';

const patienceMs = 30_000;

/** Puts the line of a session into the place of its older one. */
export async function recordResult(workspace: Folder, row: readonly string[]): Promise<void> {
  // Loaded here: only sessions write results.
  const { DatabaseSync } = await import('node:sqlite');
  const file = join(workspace.path, layout.records, 'results.lock');
  const lock = explained(file, () => {
    makeFolder(join(workspace.path, layout.records));
    makePrivate(file);
    return new DatabaseSync(file, { timeout: patienceMs });
  });
  try {
    explained(file, () => lock.exec('BEGIN EXCLUSIVE'));
    const before = (await workspace.read(layout.results)) ?? '';
    const after = withResult(before, row);
    if (after !== before) await workspace.write(layout.results, after);
  } finally {
    if (lock.isTransaction) lock.exec('ROLLBACK');
    lock.close();
  }
}
