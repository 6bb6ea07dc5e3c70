/** The records of a JSONL, CSV or TSV file with the lines they stand on, and the lines that hold none. Pure. */
import { type CsvError, parse as parseCsv } from 'csv-parse/sync';
import { UserError } from '../../core/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

export type DataRecord = { readonly line: number; readonly fields: JsonObject };

export type Records = {
  readonly form: 'jsonl' | 'csv';
  /** In the order in which they were first seen. */
  readonly columns: readonly string[];
  readonly records: readonly DataRecord[];
  readonly flaws: readonly Flaw[];
};

/** By its content where that is clear, else by its name: `.jsonl` files that hold CSV are nobody's intention. */
export function recordsOf(text: string, path: string): Records {
  const delimiter = /\.tsv$/i.test(path) ? '\t' : delimiterIn(text);
  if (/\.(csv|tsv)$/i.test(path)) return csvRecords(text, delimiter);
  if (/\.(jsonl|ndjson|json)$/i.test(path) || /^\s*[{[]/.test(text)) return jsonRecords(text);
  return csvRecords(text, delimiter);
}

/** Where the head has no comma, spreadsheets of some countries have written it. */
function delimiterIn(text: string): string {
  const [head = ''] = text.split('\n', 1);
  return [',', ';', '\t'].find((each) => head.includes(each)) ?? ',';
}

function jsonRecords(text: string): Records {
  const records: DataRecord[] = [];
  const issues: Flaw[] = [];
  for (const [at, each] of text.split('\n').entries()) {
    if (each.trim() === '') continue;
    const read = jsonObject(each);
    if ('flaw' in read) issues.push({ line: at + 1, what: read.flaw });
    else records.push({ line: at + 1, fields: read.fields });
    // A file that is one JSON text over many lines would have a flaw in each.
    if (records.length === 0 && issues.length >= 3) break;
  }
  const columns = [...new Set(records.flatMap(({ fields }) => Object.keys(fields)))];
  return { form: 'jsonl', columns, records, flaws: issues };
}

function jsonObject(line: string): { fields: JsonObject } | { flaw: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(0, 120) : '';
    return { flaw: /^\s*(?:\[|\{\s*$)/.test(line) ? wholeText : `it is no JSON (${why})` };
  }
  if (Array.isArray(value)) return { flaw: wholeText };
  if (!isJsonObject(value)) return { flaw: 'it is JSON, but no object' };
  return { fields: value };
}

const wholeText = 'the file is one JSON text; write one object a line instead';

/** With `info`, csv-parse returns the line on which a record ends. */
type RecordContext = { readonly record: readonly string[]; readonly info: { readonly lines: number } };

const mostFaults = 500;

class TooManyIssuesError extends Error {}

function csvRecords(text: string, delimiter: string): Records {
  try {
    return parseWellFormed(text, delimiter);
  } catch (error) {
    if (!(error instanceof TooManyIssuesError)) throw error;
    const what = `it is no CSV: more than ${mostFaults} quotation marks are out of place`;
    return { form: 'csv', columns: [], records: [], flaws: [{ line: 1, what }] };
  }
}

function parseWellFormed(text: string, delimiter: string): Records {
  const skipped: CsvError[] = [];
  // A line break of two characters within quotes would be counted twice.
  const lines = parseCsv(text.replaceAll('\r\n', '\n'), {
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error) skipped.push(error);
      // Each fault copies what was read of its line.
      if (skipped.length > mostFaults) throw new TooManyIssuesError();
      return undefined;
    },
  }) as unknown as readonly RecordContext[];
  const [head, ...rows] = lines;
  const issues = toFlaws(skipped, lines.at(-1)?.info.lines ?? 0);
  const columns = (head?.record ?? []).map((name) => name.trim());
  const duplicate = columns.find((name, at) => columns.indexOf(name) !== at);
  if (duplicate !== undefined)
    issues.push({ line: 1, what: `two columns are named ${JSON.stringify(duplicate)}` });
  const records: DataRecord[] = [];
  let before = head?.info.lines ?? 0;
  for (const { record, info } of rows) {
    const line = firstLine(record, info.lines, before);
    before = info.lines;
    if (record.length !== columns.length) {
      issues.push({ line, what: `it has ${record.length} fields, and there are ${columns.length} columns` });
    } else
      records.push({ line, fields: Object.fromEntries(columns.map((name, at) => [name, record[at] ?? ''])) });
  }
  return { form: 'csv', columns, records, flaws: issues.toSorted((a, b) => a.line - b.line) };
}

/** A field may hold line breaks: a record is named by the line on which it begins. */
function firstLine(record: readonly string[], last: number, before: number): number {
  const breaks = record.reduce((sum, field) => sum + (field.match(/\n/g)?.length ?? 0), 0);
  return Math.max(before + 1, last - breaks);
}

/** One line may be skipped for several reasons. Of a quotation mark that stays open, csv-parse knows the end alone. */
function toFlaws(errors: readonly CsvError[], lastGoodLine: number): Flaw[] {
  const byLine = new Map<number, Flaw>();
  for (const { code, lines } of errors) {
    const isOpen = code === 'CSV_QUOTE_NOT_CLOSED';
    const line = isOpen ? lastGoodLine + 1 : typeof lines === 'number' ? lines : 1;
    const what = isOpen
      ? 'a quotation mark that opens here or below is not closed'
      : 'it is no CSV: a quotation mark is out of place';
    if (!byLine.has(line)) byLine.set(line, { line, what });
  }
  return [...byLine.values()];
}

/** The value of a field as words; null for what is no plain value. */
export function wordsOf(value: Json | undefined): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}

type Head = { readonly path: string; readonly names: readonly string[] };

/** The column that its user names with the option, else the first of the known ones that is there. */
export function columnIn(head: Head, named: string | undefined, known: readonly string[], option: string) {
  if (named === undefined) return known.find((name) => head.names.includes(name)) ?? null;
  if (head.names.includes(named)) return named;
  throw noColumn(head, `has no column ${JSON.stringify(named)}`, option);
}

export function noColumn({ path, names }: Head, what: string, option: string): UserError {
  const existing = names.slice(0, 20).map((name) => JSON.stringify(name));
  return new UserError({
    code: 'no-column',
    what: `${path} ${what}.`,
    why: existing.length > 0 ? `Its columns are ${existing.join(', ')}.` : 'It has no columns at all.',
    fix: `Name one of them with ${option}.`,
  });
}

/** Lines count from 1, as editors do. */
export type Flaw = { readonly line: number; readonly what: string };

const mostTold = 12;

export function flawedFileError(path: string, issues: readonly Flaw[], fix: string): UserError {
  const lines = issues.slice(0, mostTold).map(({ line, what }) => `line ${line}: ${what}`);
  const more = issues.length > mostTold ? [`and ${issues.length - mostTold} more`] : [];
  return new UserError({
    code: 'data-set-flawed',
    what: `${path} cannot be used as it is: ${issues.length === 1 ? '1 line is' : `${issues.length} lines are`} wrong.`,
    why: `${[...lines, ...more].join('; ')}.`,
    fix,
  });
}

/** The text of a file, or what is wrong with its bytes. */
export function decode(bytes: Uint8Array): { readonly text: string } | { readonly flaw: Flaw } {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return { flaw: { line: 1, what: 'the file is UTF-16; save it as UTF-8' } };
  }
  const line = bytes.includes(0) ? lineWhere(bytes, (each) => each.includes(0)) : null;
  if (line !== null) return { flaw: { line, what: 'a zero byte: this is no text' } };
  // A byte order mark at its beginning is left out.
  const text = decodeUtf8(bytes);
  if (text !== null) return { text };
  const what = 'the bytes are no UTF-8; save the file as UTF-8 (it may be Latin-1)';
  return { flaw: { line: lineWhere(bytes, (each) => decodeUtf8(each) === null) ?? 1, what } };
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The first line that is so. */
function lineWhere(bytes: Uint8Array, test: (line: Uint8Array) => boolean): number | null {
  for (let line = 1, start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    const stop = end < 0 ? bytes.length : end;
    if (test(bytes.subarray(start, stop))) return line;
    start = stop + 1;
  }
  return null;
}
