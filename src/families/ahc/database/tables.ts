/**
 * The specification's tables (§8.6: contests, contest_tags, solution_approaches) as entries. Columns that are not there are
 * not known; a column that holds several things may hold them as a JSON list, or divided by commas or lines. Pure.
 */
import type { TableRows } from '../../../core/io.ts';
import { entryOf, type ReadEntry } from './record.ts';

export const contestTables = ['contests', 'contest_tags', 'solution_approaches'] as const;

/** What stands in the tables, contest by contest. `file` is how people are told of it. */
export function entriesOfTables(tables: Readonly<Record<string, TableRows>>, file: string): ReadEntry[] {
  const tags = byContest(tables.contest_tags ?? []);
  const approaches = byContest(tables.solution_approaches ?? []);
  return (tables.contests ?? []).map((row) => {
    const id = String(row.contest_id ?? '');
    const entry = {
      ...plain(row),
      length_hours: hoursOf(row.length_hours),
      interactive: flagOf(row.interactive),
      score_rule: { type: row.score_type ?? null, direction: row.score_direction ?? null },
      tags: [...several(row.tags), ...(tags.get(id) ?? []).flatMap(({ tag }) => several(tag))],
      solution_approaches: (approaches.get(id) ?? []).map((each) => ({
        rank_range: each.rank_range ?? null,
        algorithms_used: several(each.algorithms_used),
        key_ideas: ideas(each.key_ideas),
        reference_urls: several(each.reference_url ?? each.reference_urls),
        estimated_difficulty: each.estimated_difficulty ?? null,
      })),
      reference_urls: several(row.reference_urls ?? row.reference_url),
      inferred: several(row.inferred),
    };
    return entryOf(entry, `${file} (${id || 'a row without contest_id'})`);
  });
}

type Row = TableRows[number];

function byContest(rows: TableRows): ReadonlyMap<string, readonly Row[]> {
  return Map.groupBy(rows, ({ contest_id }) => String(contest_id ?? ''));
}

/** SQLite keeps what was put in, whatever the column is called: an id may be a number, a title a piece of bytes. */
function plain(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === null ? null : textOf(value)]),
  );
}

function textOf(value: NonNullable<Row[string]>): string {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}

/** A number may stand there as a text. What is neither is left to be named. */
function hoursOf(value: Row[string] | undefined): unknown {
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
    ? Number(value)
    : value;
}

/** `no` is a text with letters in it, and yet no. */
function flagOf(value: Row[string] | undefined): boolean | null {
  const said = value === null || value === undefined ? '' : textOf(value).trim().toLowerCase();
  if (['1', 'true', 'yes'].includes(said)) return true;
  return ['0', 'false', 'no'].includes(said) ? false : null;
}

function several(value: unknown): string[] {
  return listed(value, /[,;\n]/);
}

/** A sentence may have commas. */
function ideas(value: unknown): string[] {
  return listed(value, /\n/);
}

function listed(value: unknown, divider: RegExp): string[] {
  if (value === null || value === undefined) return [];
  const text = String(value).trim();
  const list = text.startsWith('[') ? jsonList(text) : null;
  return list ?? text.split(divider).map((word) => word.trim());
}

function jsonList(text: string): string[] | null {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map(String) : null;
  } catch {
    return null;
  }
}
