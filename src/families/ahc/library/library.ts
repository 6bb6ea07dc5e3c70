/**
 * The algorithm library: headers, what a meta file says of each, and whole examples, read from its folder and from the user's
 * own folder, whose entries go before those of the same name. An entry that cannot be read is named and skipped,
 * so that one mistake does not take the others away.
 */
import { z } from 'zod';
import { UserError } from '../../../core/errors.ts';
import { nearestOf } from '../../../text/nearest.ts';

const words = z.string().trim();
const lines = z.array(words);

/** Written by the bench alone, from what it measured. */
const speed = z.object({
  what: words,
  machine: words,
  nanoseconds_per_operation: z.number().positive(),
  against: words,
  /** How many times as fast as the plain version. */
  ratio: z.number().positive(),
});

/** A file's name and nothing more: it lies beside its meta file. */
const plainName = words.regex(/^[\w+-][\w.+-]*\.(?:hpp|h|hh|hxx|cpp|cc)$/, 'must be the name of a C++ file');

/** An entry of the user's own has to state only what it cannot do without. */
const libraryMeta = z.object({
  name: words.min(1),
  filename: plainName,
  description: words.min(1),
  usage_example: words.default(''),
  function_signatures: lines.default([]),
  template_parameters: lines.default([]),
  time_complexity: words.default(''),
  space_complexity: words.default(''),
  tags: lines.default([]),
  dependencies: lines.default([]),
  notes: words.default(''),
  when_to_use: words.default(''),
  pitfalls: words.default(''),
  speed: speed.nullable().default(null),
});

export type LibraryEntry = {
  /** The name of its files: `simulated_annealing`. */
  readonly id: string;
  readonly meta: z.infer<typeof libraryMeta>;
  readonly code: string;
  /** A whole program; null if there is none. */
  readonly example: string | null;
  /** `internal`, or the user's own folder. */
  readonly source: string;
};

export type Library = { readonly entries: readonly LibraryEntry[]; readonly warnings: readonly string[] };

export type LibraryFolder = {
  readonly source: string;
  readonly files: {
    /** The names of the files in the folder itself; null if there is no such folder. */
    names(): Promise<readonly string[] | null>;
    read(name: string): Promise<string | null>;
  };
};

const metaEnding = '.meta.json';

/** Folders in the order in which they go before one another. */
export async function readLibrary(dirs: readonly LibraryFolder[]): Promise<Library> {
  const entries = new Map<string, LibraryEntry>();
  const warnings: string[] = [];
  for (const folder of dirs) {
    for (const read of await entriesIn(folder)) {
      if (typeof read === 'string') warnings.push(read);
      else if (!entries.has(read.id)) entries.set(read.id, read);
    }
  }
  const sorted = [...entries.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { entries: sorted, warnings };
}

/** In the place of an entry that cannot be read, what is wrong with it. */
async function entriesIn({ source, files }: LibraryFolder): Promise<(LibraryEntry | string)[]> {
  const names = (await files.names()) ?? [];
  const ids = names.flatMap((name) => /^(.*)\.meta\.json$/s.exec(name)?.[1] ?? []);
  // A header without a description mostly means a forgotten meta file.
  const bare = names.filter((name) => name.endsWith('.hpp') && !ids.includes(name.slice(0, -'.hpp'.length)));
  const skipped = (file: string, why: string) => `The library entry ${source}/${file} is left out: ${why}.`;
  const entryOf = async (id: string): Promise<LibraryEntry | string> => {
    const file = `${id}${metaEnding}`;
    try {
      if (!/^\w[\w+-]*$/.test(id)) return skipped(file, 'a name has letters, digits, _ and - only');
      const meta = libraryMeta.safeParse(JSON.parse(withoutMark((await files.read(file)) ?? '')));
      if (!meta.success) return skipped(file, formatIssues(meta.error.issues));
      const { filename } = meta.data;
      const code = await files.read(filename);
      if (code === null) return skipped(file, `there is no ${filename} beside it`);
      if (code.trim() === '') return skipped(file, `${filename} is empty`);
      const example = await files.read(`${id}.example.cpp`);
      return { id, meta: meta.data, code: withoutMark(code), example, source };
    } catch (error) {
      return skipped(file, error instanceof Error ? error.message : String(error));
    }
  };
  return [
    ...(await Promise.all(ids.map(entryOf))),
    ...bare.map((name) => skipped(name, `it has no ${name.slice(0, -'.hpp'.length)}${metaEnding}`)),
  ];
}

/** Editors of Windows begin files so. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

function formatIssues(issues: readonly z.core.$ZodIssue[]): string {
  const [first] = issues;
  const place = first?.path.map(String).join('.') ?? '';
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  const what = (first?.message ?? 'it does not fit').replace(/^.*received undefined$/, 'it is missing');
  return `${place === '' ? '' : `${place}: `}${what}${more}`;
}

/** `simulated_annealing`, `Simulated annealing`, `simulated-annealing.hpp`. Throws `UserError` with what may be meant. */
export function findEntry({ entries }: Library, name: string): LibraryEntry {
  const file = name.trim().replace(/^polya\//, '');
  const question = plain(file.replace(/\.(?:hpp|h|cpp)$/i, ''));
  const found = entries.find(({ id, meta }) => plain(id) === question || plain(meta.name) === question);
  if (found) return found;
  const intended = similarNames(entries, question);
  const all = entries.map(({ id }) => id).join(', ');
  throw new UserError({
    code: 'no-such-header',
    what: `There is no ${JSON.stringify(name)} in the library.`,
    fix: `${intended.length > 0 ? `Did you mean ${intended.join(' or ')}? ` : ''}There are: ${all}.`,
  });
}

/** A word that nearly all entries have, such as `of`, says nothing. */
const leastWeight = 0.2;

/** Entries in which a keyword is found, best first: by the places where they are found, where rare words count more. */
export function searchLibrary(
  { entries }: Library,
  keywords: string | readonly string[],
): readonly LibraryEntry[] {
  const ranked = entries.map((entry) => ({ entry, weight: 0, points: 0 }));
  for (const word of new Set([keywords].flat().flatMap(wordsOf))) {
    const points = ranked.map((each) => ({ each, here: pointsOf(each.entry, word) }));
    const hits = points.filter(({ here }) => here > 0);
    const weight = Math.log((entries.length + 1) / Math.max(hits.length, 1));
    for (const { each, here } of hits) {
      each.weight += weight;
      each.points += weight * here;
    }
  }
  return ranked
    .filter(({ weight }) => weight > leastWeight)
    .sort((a, b) => b.points - a.points)
    .map(({ entry }) => entry);
}

/** Words of the library that may have been meant, for a search that found nothing. */
export function similarWords({ entries }: Library, keywords: readonly string[]): readonly string[] {
  const known = [...new Set(entries.flatMap((entry) => [...titleWords(entry), ...tagWords(entry)]))];
  const nearby = keywords.flatMap((each) => wordsOf(each)).map((word) => nearestOf(word, known));
  return [...new Set(nearby.filter((each) => each !== null))];
}

/** Of another name that it goes by, such as `dsu`; else of what is written nearly so; else of what it is a part of. */
function similarNames(entries: readonly LibraryEntry[], question: string): readonly string[] {
  if (question === '') return [];
  const called = entries.filter(({ meta }) => meta.tags.some((tag) => plain(tag) === question));
  if (called.length > 0) return called.map(({ id }) => id).slice(0, 5);
  const ids = entries.map(({ id }) => id);
  const near = nearestOf(question, ids.map(plain));
  const like = ids.filter((id) => plain(id) === near);
  if (like.length > 0) return like;
  return ids.filter((id) => plain(id).includes(question) || question.includes(plain(id))).slice(0, 5);
}

/** The best place that a word has in an entry. A part of a word counts less than all of it. */
function pointsOf(entry: LibraryEntry, word: string): number {
  const { description, when_to_use, notes, pitfalls } = entry.meta;
  const places = [
    [titleWords(entry), 16],
    [tagWords(entry), 12],
    [wordsOf(description), 4],
    [wordsOf(`${when_to_use} ${notes} ${pitfalls}`), 2],
  ] as const;
  return Math.max(...places.map(([known, most]) => most * wordSimilarity(known, word)));
}

function wordSimilarity(known: readonly string[], word: string): number {
  if (known.includes(word)) return 1;
  // A letter or two are in almost every word; of Japanese they are a word.
  const isShort = /^\w{1,2}$/.test(word);
  return !isShort && known.some((each) => each.includes(word)) ? 0.5 : 0;
}

function titleWords({ id, meta }: LibraryEntry): readonly string[] {
  return [id.toLowerCase(), plain(id), plain(meta.name), ...wordsOf(id), ...wordsOf(meta.name)];
}

function tagWords({ meta }: LibraryEntry): readonly string[] {
  return meta.tags.flatMap((tag) => [tag.toLowerCase(), ...wordsOf(tag)]);
}

/** `simulated_annealing` is two words and one: both are found. */
function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}+]+/u)
    .filter((word) => word !== '');
}

/** Letters and digits alone. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
