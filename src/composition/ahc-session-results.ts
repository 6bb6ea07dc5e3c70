/** `results.csv` of a workspace, written by one process at a time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Folder } from '../core/io.ts';
import { layout } from '../families/ahc/layout.ts';
import { withResult } from '../families/ahc/session/results.ts';
import { exclusively } from '../io/exclusive.ts';
import { writeWholeSync } from '../io/write-whole.ts';

/** Puts the line of a session into the place of its older one. */
export async function recordResult({ path }: Pick<Folder, 'path'>, row: readonly string[]): Promise<void> {
  const lock = join(path, layout.records, 'results.lock');
  await exclusively(lock, () => record(join(path, layout.results), row));
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
