/**
 * `results.csv` of a workspace, written by one process at a time: the lock is one of SQLite's, which the kernel lets go of
 * when its holder dies. Nothing is waited for while it is held: SQLite waits for a lock with the whole process.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Folder } from '../core/io.ts';
import { layout } from '../families/ahc/layout.ts';
import { withResult } from '../families/ahc/session/results.ts';
import { makeFolder } from '../io/make-folder.ts';
import { explained, makePrivate } from '../io/small-database.ts';
import { writeWholeSync } from '../io/write-whole.ts';

const patienceMs = 10_000;

/** Puts the line of a session into the place of its older one. */
export async function recordResult({ path }: Pick<Folder, 'path'>, row: readonly string[]): Promise<void> {
  // Loaded here: only sessions write results.
  const { DatabaseSync } = await import('node:sqlite');
  const file = join(path, layout.records, 'results.lock');
  explained(file, () => {
    makeFolder(join(path, layout.records));
    makePrivate(file);
    const lock = new DatabaseSync(file, { timeout: patienceMs });
    try {
      lock.exec('BEGIN EXCLUSIVE');
      record(join(path, layout.results), row);
    } finally {
      if (lock.isTransaction) lock.exec('ROLLBACK');
      lock.close();
    }
  });
}

function record(file: string, row: readonly string[]): void {
  const before = textOf(file);
  const after = withResult(before, row);
  if (after !== before) writeWholeSync(file, after);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
