/**
 * The algorithm library: headers, what a meta file says of each, and whole examples, read from its folder and from the user's
 * own folder, whose entries go before those of the same name. An entry that cannot be read is named and skipped,
 * so that one mistake does not take the others away.
 */
import { z } from 'zod';

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

type LibraryMeta = z.infer<typeof libraryMeta>;

export type LibraryEntry = {
  /** The name of its files: `simulated_annealing`. */
  readonly id: string;
  readonly meta: LibraryMeta;
  readonly code: string;
  /** A whole program, null where there is none. */
  readonly example: string | null;
  /** `internal`, or the user's own folder. */
  readonly source: string;
};

export type Library = { readonly entries: readonly LibraryEntry[]; readonly warnings: readonly string[] };

type LibraryFiles = {
  /** Of the files in the folder itself; null where there is no such folder. */
  names(): Promise<readonly string[] | null>;
  read(name: string): Promise<string | null>;
};

export type LibraryFolder = { readonly source: string; readonly files: LibraryFiles };

const metaEnding = '.meta.json';

/** Folders in the order in which they go before one another. */
export async function readLibrary(folders: readonly LibraryFolder[]): Promise<Library> {
  const entries = new Map<string, LibraryEntry>();
  const warnings: string[] = [];
  for (const folder of folders) {
    for (const read of await entriesIn(folder)) {
      if (typeof read === 'string') warnings.push(read);
      else if (!entries.has(read.id)) entries.set(read.id, read);
    }
  }
  const sorted = [...entries.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { entries: sorted, warnings };
}

/** In the place of an entry that cannot be read, what is wrong with it. */
async function entriesIn(folder: LibraryFolder): Promise<(LibraryEntry | string)[]> {
  const names = (await folder.files.names()) ?? [];
  const metas = names.filter((name) => name.endsWith(metaEnding));
  const described = new Set(metas.map(idOf));
  // A header without a description mostly means a forgotten meta file.
  const bare = names.filter((name) => name.endsWith('.hpp') && !described.has(name.slice(0, -'.hpp'.length)));
  return [
    ...(await Promise.all(metas.map((name) => entryOf(folder, name)))),
    ...bare.map((name) => skipped(folder, name, `it has no ${name.slice(0, -'.hpp'.length)}${metaEnding}`)),
  ];
}

async function entryOf(folder: LibraryFolder, file: string): Promise<LibraryEntry | string> {
  const id = idOf(file);
  try {
    if (!/^\w[\w+-]*$/.test(id)) return skipped(folder, file, 'a name has letters, digits, _ and - only');
    const json: unknown = JSON.parse(withoutMark((await folder.files.read(file)) ?? ''));
    const checked = libraryMeta.safeParse(json);
    if (!checked.success) return skipped(folder, file, issueOf(checked.error.issues));
    const { filename } = checked.data;
    const code = await folder.files.read(filename);
    if (code === null) return skipped(folder, file, `there is no ${filename} beside it`);
    if (code.trim() === '') return skipped(folder, file, `${filename} is empty`);
    const example = await folder.files.read(`${id}.example.cpp`);
    return { id, meta: checked.data, code: withoutMark(code), example, source: folder.source };
  } catch (error) {
    return skipped(folder, file, error instanceof Error ? error.message : String(error));
  }
}

function idOf(metaFile: string): string {
  return metaFile.slice(0, -metaEnding.length);
}

/** Editors of Windows begin files so. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, '');
}

function issueOf(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  const [first] = issues;
  const place = first?.path.map(String).join('.') ?? '';
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return `${place === '' ? '' : `${place}: `}${(first?.message ?? 'it does not fit').replace(/^.*received undefined$/, 'it is missing')}${more}`;
}

function skipped({ source }: LibraryFolder, file: string, why: string): string {
  return `The library entry ${source}/${file} is left out: ${why}.`;
}
