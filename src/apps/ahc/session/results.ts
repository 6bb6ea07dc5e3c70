/** `results.csv` of a workspace: a line a session, the others left as they stand, whoever wrote them. Pure. */
import { parse } from 'csv-parse/sync';
import { resultsHeader } from '../intake/workspace-files.ts';

/** The line of the session of that name and beginning in the place of its older one, or at the end. */
export function withResult(text: string, row: readonly string[]): string {
  const line = row.map(quoted).join(',');
  const before = text.trim() === '' ? `${resultsHeader}\n` : text;
  const records = recordsOf(before);
  const known = records.findIndex(({ cells }) => cells[0] === row[0] && cells[1] === row[1]);
  const lines = records.map(({ raw }) => raw);
  return `${(known < 0 ? [...lines, line] : lines.with(known, line)).join('\n')}\n`;
}

/** A file that is no CSV any more is left line by line as it is. */
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

/** RFC 4180. */
function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
