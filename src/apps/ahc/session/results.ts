/**
 * `results.csv` of a workspace and the matching line of `experiments.log`, written by one process at a time. Other lines
 * stay as they are, even if another program wrote them.
 */

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { csvCell, csvText } from '../../../core/csv.ts';
import { UserError } from '../../../core/errors.ts';
import type { Folder } from '../../../core/io.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { sessionNews } from '../../../families/ahc/records/history.ts';
import { exclusively } from '../../../io/exclusive.ts';
import { readPlainFileSync } from '../../../io/plain-file.ts';
import { writeWholeSync } from '../../../io/write-whole.ts';
import { resultsHeader } from '../intake/workspace-files.ts';

/** Replaces the session's line. The log gets a line when the session first begins, and at each end. */
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
  const before = readText(file);
  const after = withResult(before, row);
  if (after !== before) writeWholeSync(file, after);
  const log = join(workspace, layout.experiments);
  const news = sessionNews(readText(log), row, at);
  if (news !== null) appendFileSync(log, `${new Date().toISOString()} ${news}\n`);
}

function readText(file: string): string {
  try {
    return readPlainFileSync(file).toString('utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT') return '';
    throw new UserError({
      code: 'file-unreadable',
      what: `${file} cannot be read (${code}).`,
      fix: 'Move it away: it is made anew.',
    });
  }
}

/** With the session's line in the place of its older one, or at the end. Name and beginning identify a session. */
export function withResult(text: string, row: readonly string[]): string {
  const line = row.map(csvCell).join(',');
  const before = text.trim() === '' ? `${resultsHeader}\n` : text;
  const records = recordsOf(before);
  const known = records.findIndex(
    ({ cells }) => csvText(cells[0] ?? '') === csvText(row[0] ?? '') && cells[1] === row[1],
  );
  const lines = records.map(({ raw }) => raw);
  return `${(known < 0 ? [...lines, line] : lines.with(known, line)).join('\n')}\n`;
}

/** The lines of a file that is not valid CSV have no cells and stay as they are. */
function recordsOf(text: string): readonly { readonly cells: readonly string[]; readonly raw: string }[] {
  try {
    const found: unknown = parse(text, { raw: true, relax_column_count: true, skip_empty_lines: true });
    const records = found as readonly { readonly record: readonly string[]; readonly raw: string }[];
    return records.map(({ record, raw }) => ({ cells: record, raw: raw.replace(/^\uFEFF|\r?\n$/g, '') }));
  } catch {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((raw) => ({ cells: [], raw }));
  }
}
