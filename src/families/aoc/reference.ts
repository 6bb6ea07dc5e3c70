/** A reference as it comes from outside, checked and with its language under its one name. Knows no calendar. */
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { LanguageId } from '../../core/sandbox.ts';

/** The site of the user's own files. */
export const filesSite = 'files';

const path = z.string().min(1).max(4_096);
const answer = z.string().trim().min(1);

const common = {
  lang: z.string().describe('The language of the programs: python, kotlin, csharp, cpp, rust.'),
  maxWrongAnswers: z
    .int()
    .min(0)
    .optional()
    .describe(
      'After this many wrong answers to one part, the run sends no more. Absent: the site’s default.',
    ),
  outputCharacters: z
    .int()
    .min(100)
    .max(200_000)
    .optional()
    .describe('How many characters of standard output, and again of standard error, a model reads.'),
};

const siteShape = z.strictObject({
  ...common,
  site: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'is no name of a site')
    .describe('The site: practice, or the name of a real one.'),
  year: z.int().describe('The year of the event.'),
  day: z.int().describe('The day, from 1.'),
  user: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'up to 40 letters, digits, - and _ may be used')
    .optional()
    .describe(
      'Whose puzzle it is, where a site has several accounts. It is a part of the names of cached files.',
    ),
  seed: z.int().optional().describe('Another account with another input, where a site makes inputs.'),
});

const filesShape = z.strictObject({
  ...common,
  site: z.literal(filesSite).describe('Files of yours.'),
  year: z.int().min(0).default(0).describe('0 for files that do not say.'),
  day: z.int().min(0).default(0).describe('0 for files that do not say.'),
  statement: path.optional().describe('The file with the statement of part 1.'),
  statement2: path.optional().describe('The file with the statement of part 2.'),
  input: path.optional().describe('The file with the input.'),
  answer1: answer.optional().describe('The right answer to part 1, where you know it. No model sees it.'),
  answer2: answer.optional().describe('The right answer to part 2, where you know it. No model sees it.'),
  aocd: path.optional().describe('A folder of advent-of-code-data, for what the others do not name.'),
});

type SiteFields = z.infer<typeof siteShape>;
type FileFields = Omit<z.infer<typeof filesShape>, keyof SiteFields>;

/** A day of a site, or files of the user's own. */
export type AocReference = Readonly<Omit<SiteFields, 'lang'> & { lang: LanguageId } & Partial<FileFields>>;

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
  const reference: AocReference = { ...parsed.data, lang: languageOf(parsed.data.lang) };
  if (isOfFiles) checkSources(reference);
  return reference;
}

/** Throws `UserError` if there is no such language. */
export function languageOf(text: string): LanguageId {
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
        ? 'Name both files (`--statement FILE --input FILE`), or an aocd folder that has them (`--aocd FOLDER`).'
        : 'Name the year and the day too (`--year 2020 --day 1`).',
  });
}

/** The compiler asks for a line here whenever core learns a language. */
const languages: Record<LanguageId, { readonly name: string; readonly aliases: readonly string[] }> = {
  python: { name: 'Python', aliases: ['py', 'python3'] },
  cpp: { name: 'C++', aliases: ['c++', 'cxx'] },
  kotlin: { name: 'Kotlin', aliases: ['kt'] },
  csharp: { name: 'C#', aliases: ['c#', 'cs'] },
  rust: { name: 'Rust', aliases: ['rs'] },
};

export const languageIds: readonly LanguageId[] = Object.keys(languages).filter((key): key is LanguageId =>
  Object.hasOwn(languages, key),
);

export function languageName(language: LanguageId): string {
  return languages[language].name;
}

/** `Python`, `py` and `python` are one language; null for an unknown one. */
export function findLanguage(text: string): LanguageId | null {
  const requested = text.trim().toLowerCase();
  return languageIds.find((id) => id === requested || languages[id].aliases.includes(requested)) ?? null;
}
