/** `results.csv` of a workspace, and the line of `experiments.log` that goes with it, written by one process at a time. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { sessionNews } from '../../../families/ahc/records/history.ts';
import { exclusively } from '../../../io/exclusive.ts';
import { readPlainFileSync } from '../../../io/plain-file.ts';
import { writeWholeSync } from '../../../io/write-whole.ts';
import { withResult } from './results.ts';

/** Puts the line of a session into the place of its older one. The log has a line when it first begins, and at each end. */
export async function recordResult(
  { path }: Pick<Folder, 'path'>,
  row: readonly string[],
  at: 'beginning' | 'end',
): Promise<void> {
  const lock = join(path, layout.records, 'results.lock');
  await exclusively(lock, () => record(path, row, at));
}

function record(workspace: string, row: readonly string[], at: 'beginning' | 'end'): void {
  const file = join(workspace, layout.results);
  const before = textOf(file);
  const after = withResult(before, row);
  if (after !== before) writeWholeSync(file, after);
  const log = join(workspace, layout.experiments);
  const news = sessionNews(textOf(log), row, at);
  if (news !== null) appendFileSync(log, `${new Date().toISOString()} ${news}\n`);
}

function textOf(file: string): string {
  try {
    return readPlainFileSync(file).toString('utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT') return '';
    throw new UserError({
      code: 'cannot-read',
      what: `${file} cannot be read (${code}).`,
      fix: 'Move it away: it is made anew.',
    });
  }
}
