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
      interactive:
        row.interactive === null || row.interactive === undefined ? null : Boolean(row.interactive),
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

/** SQLite keeps a year or a number of hours as what was put in; ids and titles are texts here. */
function plain(row: Row): Row {
  const texts = ['contest_id', 'title', 'sponsor', 'date', 'problem_url', 'problem_summary'];
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      texts.includes(name) && value !== null ? String(value) : value,
    ]),
  );
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
