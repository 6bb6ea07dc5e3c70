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
export function recordResult(
  { path }: Pick<Folder, 'path'>,
  row: readonly string[],
  at: 'beginning' | 'end',
): Promise<void> {
  return exclusively(join(path, layout.records, 'results.lock'), () => {
    const file = join(path, layout.results);
    const before = readText(file);
    const after = withResult(before, row);
    if (after !== before) writeWholeSync(file, after);
    const log = join(path, layout.experiments);
    const news = sessionNews(readText(log), row, at);
    if (news !== null) appendFileSync(log, `${new Date().toISOString()} ${news}\n`);
  });
}

function readText(file: string): string {
  try {
    return readPlainFileSync(file).toString('utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT') return '';
    const fix = 'Move it away: it is made anew.';
    throw new UserError({ code: 'file-unreadable', what: `${file} cannot be read (${code}).`, fix });
  }
}

/** With the session's line in the place of its older one, or at the end. Name and beginning identify a session. */
export function withResult(text: string, row: readonly string[]): string {
  const line = row.map(csvCell).join(',');
  const records = recordsOf(text.trim() === '' ? `${resultsHeader}\n` : text);
  const known = records.findIndex(
    ({ record: [name = '', begun] }) => csvText(name) === csvText(row[0] ?? '') && begun === row[1],
  );
  const lines = records.map(({ raw }) => raw);
  return `${(known < 0 ? [...lines, line] : lines.with(known, line)).join('\n')}\n`;
}

type CsvRecord = { readonly record: readonly string[]; readonly raw: string };

/** The lines of a file that is not valid CSV have no cells and stay as they are. */
function recordsOf(text: string): readonly CsvRecord[] {
  try {
    const found: unknown = parse(text, { raw: true, relax_column_count: true, skip_empty_lines: true });
    const records = found as readonly CsvRecord[];
    return records.map(({ record, raw }) => ({ record, raw: raw.replace(/^\uFEFF|\r?\n$/g, '') }));
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.map((raw) => ({ record: [], raw }));
  }
}
