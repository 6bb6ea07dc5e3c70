/**
 * What is known of a past contest, from JSON or from the tables of a database. Nothing but the id has to be known: unknown
 * fields are null or an empty list, and never guessed; what was inferred is named in `inferred`. Pure.
 */
import { z } from 'zod';
import type { TableRows } from '../../../core/io.ts';
import { jsonIn } from '../../../core/json.ts';

/** Absent, null, empty and the dash of tables all mean unknown. */
const known = z
  .string()
  .nullish()
  .transform((text) => (text && !/^[\s–—-]*$/.test(text) ? text.trim() : null));

const orNull = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null);

/** One word instead of a list of one is forgiven. */
const words = z
  .union([z.array(z.string()), z.string().transform((text) => [text])])
  .nullish()
  .transform((list) => [...new Set((list ?? []).map((word) => word.trim()).filter((word) => word !== ''))]);

const approach = z.object({
  rank_range: known,
  algorithms_used: words,
  key_ideas: words,
  reference_urls: words,
  estimated_difficulty: known,
});

const scoreRule = z.object({
  type: orNull(z.enum(['absolute', 'relative', 'rank'])),
  direction: orNull(z.enum(['maximise', 'minimise'])),
});

/** Fields that are not known here are left aside: an entry of a later version is still an entry. */
export const contestRecord = z.object({
  contest_id: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .transform((id) => id.toLowerCase()),
  title: known,
  sponsor: known,
  date: known,
  length_hours: orNull(z.number().positive()),
  /** short: less than a day. */
  kind: orNull(z.enum(['short', 'long'])),
  interactive: orNull(z.boolean()),
  score_rule: scoreRule.nullish().transform((rule) => rule ?? { type: null, direction: null }),
  /** Of the task; where its own address is not known, of the contest's list of tasks. */
  problem_url: known,
  problem_summary: known,
  /** The same in Japanese. */
  problem_summary_ja: known,
  tags: words,
  solution_approaches: z
    .array(approach)
    .nullish()
    .transform((list) => list ?? []),
  /** The site's usual address; whether a page exists there is unknown. */
  official_editorial_url: known,
  /** Of the contest itself, its results and the like; what tells of one approach stands with that. */
  reference_urls: words,
  /** The names of fields that no source states, and that were concluded from others. */
  inferred: words,
});

export type PastContest = z.infer<typeof contestRecord> & {
  /** The place of the entry: `internal`, or a file of the user's. */
  readonly source: string;
};

export type ReadEntry =
  | { readonly contest: PastContest; readonly fault: null }
  | { readonly contest: null; readonly fault: string };

/** `source` names it in messages. */
export function entryOf(value: unknown, source: string): ReadEntry {
  const parsed = contestRecord.safeParse(value);
  if (parsed.success) return { contest: { ...parsed.data, source }, fault: null };
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'the entry';
  return { contest: null, fault: `${source}: ${place}: ${issue?.message ?? 'does not fit'}.` };
}

export function entryOfText(text: string, source: string): ReadEntry {
  try {
    return entryOf(JSON.parse(text), source);
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : '';
    return { contest: null, fault: `${source} is not valid JSON: ${why}.` };
  }
}

/** The first entry of an id goes before the others. In the order of their ids. */
export function merged(...lists: readonly (readonly PastContest[])[]): readonly PastContest[] {
  const byId = new Map<string, PastContest>();
  for (const contest of lists.flat()) {
    if (!byId.has(contest.contest_id)) byId.set(contest.contest_id, contest);
  }
  return [...byId.values()].sort((a, b) => (a.contest_id < b.contest_id ? -1 : 1));
}

export const contestTables = ['contests', 'contest_tags', 'solution_approaches'] as const;

/** What stands in the tables, contest by contest. `file` is how people are told of it. */
export function entriesOfTables(tables: Readonly<Record<string, TableRows>>, file: string): ReadEntry[] {
  const byContest = (rows: TableRows = []) => Map.groupBy(rows, ({ contest_id }) => String(contest_id ?? ''));
  const tags = byContest(tables.contest_tags);
  const approaches = byContest(tables.solution_approaches);
  return (tables.contests ?? []).map((row) => {
    const id = String(row.contest_id ?? '');
    const { length_hours: hours, interactive } = row;
    const isHours = typeof hours === 'string' && hours.trim() !== '' && Number.isFinite(Number(hours));
    const entry = {
      // SQLite keeps what was put in, whatever the column is called: an id may be a number, a title a piece of bytes.
      ...Object.fromEntries(Object.entries(row).map(([name, value]) => [name, textOf(value)])),
      // A number may stand there as a text. A value that is neither becomes a fault of the entry.
      length_hours: isHours ? Number(hours) : hours,
      interactive: flags.get(textOf(interactive)?.trim().toLowerCase() ?? '') ?? null,
      score_rule: { type: row.score_type ?? null, direction: row.score_direction ?? null },
      tags: [
        ...parseStringList(row.tags),
        ...(tags.get(id) ?? []).flatMap(({ tag }) => parseStringList(tag)),
      ],
      solution_approaches: (approaches.get(id) ?? []).map((each) => ({
        rank_range: each.rank_range ?? null,
        algorithms_used: parseStringList(each.algorithms_used),
        // A sentence may have commas.
        key_ideas: parseStringList(each.key_ideas, /\n/),
        reference_urls: parseStringList(each.reference_url ?? each.reference_urls),
        estimated_difficulty: each.estimated_difficulty ?? null,
      })),
      reference_urls: parseStringList(row.reference_urls ?? row.reference_url),
      inferred: parseStringList(row.inferred),
    };
    return entryOf(entry, `${file} (${id || 'a row without contest_id'})`);
  });
}

/** `no` is a text with letters in it, and yet no. */
const flags: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'yes'].map((word) => [word, true] as const),
  ...['0', 'false', 'no'].map((word) => [word, false] as const),
]);

function textOf(value: TableRows[number][string] | undefined): string | null {
  if (value === null || value === undefined) return null;
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}

/** A list as JSON, or divided. */
function parseStringList(value: unknown, divider = /[,;\n]/): string[] {
  if (value === null || value === undefined) return [];
  const text = String(value).trim();
  const list = text.startsWith('[') ? jsonIn(text) : null;
  return Array.isArray(list) ? list.map(String) : text.split(divider).map((word) => word.trim());
}
