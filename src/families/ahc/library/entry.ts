/**
 * One entry of the algorithm library: a header, what a meta file says of it, and a whole example. Names and meanings of
 * the fields are those of the specification (§8.5); when to use it, pitfalls and measured speed are added.
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

/** Only what an entry cannot do without is asked of somebody's own. */
export const libraryMeta = z.object({
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

export type LibraryMeta = z.infer<typeof libraryMeta>;

export type LibraryEntry = {
  /** The name of its files: `simulated_annealing`. */
  readonly id: string;
  readonly meta: LibraryMeta;
  readonly code: string;
  /** A whole program, null where there is none. */
  readonly example: string | null;
  /** `internal`, or the folder of somebody's own. */
  readonly source: string;
};

export type Library = { readonly entries: readonly LibraryEntry[]; readonly warnings: readonly string[] };
