/** A reference as it comes from outside, checked and with its language under its one name. Knows no calendar. */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { LanguageId } from '../../core/sandbox.ts';
import { findLanguage, languageIds } from './languages.ts';
import { type AocReference, filesSite } from './sites.ts';

const path = z.string().min(1).max(4_096);
// Whitespace around an answer is nobody's intention.
const answer = z.string().trim().min(1);

const common = {
  lang: z.string(),
  maxWrongAnswers: z.int().min(0).optional(),
  outputCharacters: z.int().min(100).max(200_000).optional(),
};

const siteShape = z.strictObject({
  ...common,
  site: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'is no name of a site'),
  year: z.int(),
  day: z.int(),
  // A part of the cache's file names.
  user: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'up to 40 letters, digits, - and _ may be used')
    .optional(),
  seed: z.int().optional(),
});

const filesShape = z.strictObject({
  ...common,
  site: z.literal(filesSite),
  year: z.int().min(0).default(0),
  day: z.int().min(0).default(0),
  statement: path.optional(),
  statement2: path.optional(),
  input: path.optional(),
  answer1: answer.optional(),
  answer2: answer.optional(),
  aocd: path.optional(),
});

export const aocReference = z.union([siteShape, filesShape]);

export function parseReference(json: Json): AocReference {
  const isOfFiles = z.object({ site: z.literal(filesSite) }).safeParse(json).success;
  const parsed = (isOfFiles ? filesShape : siteShape).safeParse(json);
  if (!parsed.success) {
    throw new UserError({
      code: 'reference-invalid',
      what: 'This does not refer to an Advent of Code puzzle.',
      why: z.prettifyError(parsed.error),
      fix: isOfFiles
        ? 'Give statement and input, or an aocd folder with year and day; and lang.'
        : 'Give site, year, day and lang, and user and seed if you like.',
    });
  }
  const reference = { ...defined(parsed.data), lang: languageOf(parsed.data.lang) };
  if (isOfFiles) checkSources(reference);
  return reference;
}

function languageOf(text: string): LanguageId {
  const language = findLanguage(text);
  if (language) return language;
  throw new UserError({
    code: 'no-such-language',
    what: `${JSON.stringify(text)} is not a language that Polya runs.`,
    fix: `Choose one of: ${languageIds.join(', ')}.`,
  });
}

function checkSources({ statement, input, aocd, year, day }: AocReference): void {
  if (aocd !== undefined && year > 0 && day > 0) return;
  if (aocd === undefined && statement !== undefined && input !== undefined) return;
  throw new UserError({
    code: 'reference-incomplete',
    what: 'The puzzle is not complete.',
    why: aocd === undefined ? 'It needs a statement and an input.' : 'An aocd folder holds many days.',
    fix:
      aocd === undefined
        ? 'Name both files, or an aocd folder that has them.'
        : 'Name the year and the day too.',
  });
}

/** What was not said is not there, instead of being undefined. */
function defined<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> };
function defined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined));
}
