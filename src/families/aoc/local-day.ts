/**
 * A puzzle from files of the user's own, in the form of a site's page: the statement as HTML, Markdown or plain text,
 * the input, the answers as far as anybody knows them. Knows no tools and no runs.
 */
import { UserError } from '../../core/errors.ts';
import { type AocdDay, readAocd } from './aocd.ts';
import { type DayPage, parseDayPage, plainText, type StatementPart, titleIn } from './page.ts';
import type { AocReference } from './reference.ts';
import type { AocClient, AocFiles } from './sites.ts';

async function readLocalDay(files: AocFiles, reference: AocReference) {
  const aocd = reference.aocd === undefined ? null : await readAocd(files, reference.aocd, reference);
  const page = await pageOf(files, reference, aocd);
  const input = await inputOf(files, reference, aocd);
  const { statement2 } = reference;
  const second = statement2 === undefined ? null : parsePage(await required(files, statement2));
  // A file for part 2 alone may be the saved page of both.
  const parts = second ? [...page.parts.slice(0, 1), ...second.parts.slice(-1)] : page.parts;
  if (parts.length < 2 && reference.answer2 !== undefined) {
    // A run that solves what there is of it would be told to be solved.
    throw new UserError({
      code: 'no-second-part',
      what: 'An answer to part 2 is given, but there is no part 2.',
      why: 'Part 2 follows the line `--- Part Two ---` of the statement, or stands in a file of its own.',
      fix: 'Name its statement too, or leave out the answer.',
    });
  }
  const answers = [
    reference.answer1 ?? page.answers[0] ?? aocd?.answers[0],
    reference.answer2 ?? page.answers[1] ?? second?.answers[second.parts.length - 1] ?? aocd?.answers[1],
  ];
  return { input, page: { ...page, parts, answers } };
}

/**
 * A saved page, a piece of HTML, or text; a text may hold both parts below the heading `--- Part Two ---` or `## Part Two`.
 * Answers that stand between the parts are known, and no part of what a solver reads.
 */
export function parsePage(text: string): DayPage {
  const page = parseDayPage(text);
  if (page.parts.length > 0) return page;
  const format = text.trimStart().startsWith('<') ? 'html' : 'text';
  const pieces = text.split(format === 'html' ? htmlPartTwo : textPartTwo).slice(0, 2);
  const parts = pieces.map((source, index): StatementPart => {
    const heading = index === 1 && format === 'text' ? '## Part Two\n\n' : '';
    const bare = source.replace(knownAnswer[format], '').replaceAll(progress, '');
    return { format, source: heading + bare.trim() };
  });
  const answers = pieces.map((source) => {
    const answer = knownAnswer[format].exec(source)?.groups?.answer;
    return answer !== undefined && format === 'html' ? plainText(answer) : answer;
  });
  return { ...page, loggedIn: true, title: titleIn(text), parts, answers };
}

const knownAnswer = {
  html: /<p[^>]*>\s*Your puzzle answer was\s+<code>(?<answer>[^<]*)<\/code>.*?<\/p>/is,
  /** At the beginning of a line, perhaps with marks of Markdown. */
  text: /^[ \t>*_#-]*Your puzzle answer was\s+[*`_]*(?<answer>[^\s*`]+?)[*`_]*\.?(?=\s|$)/im,
};

const progress =
  /(?:The first half of this puzzle is complete|Both parts of this puzzle are complete)![^\n<]*/gi;

const textPartTwo = /^(?:[ \t#*]*-{2,}[ \t]*Part Two[ \t]*-{2,}[ \t*]*|#+[ \t]+Part Two[ \t]*)$/im;
/** Before the heading, so that it stays with its part. */
const htmlPartTwo = /(?=<h[1-6][^>]*>[-\s]*Part Two[-\s]*<\/h)/i;

async function pageOf(files: AocFiles, { statement }: AocReference, aocd: AocdDay | null): Promise<DayPage> {
  const text = statement === undefined ? aocd?.prose : await required(files, statement);
  if (text?.trim()) return parsePage(text);
  throw new UserError({
    code: 'no-statement',
    what:
      statement === undefined ? 'The aocd folder has no statement of this day.' : `${statement} is empty.`,
    fix: 'Name a file with the statement: the saved page, Markdown or plain text.',
  });
}

async function inputOf(files: AocFiles, { input }: AocReference, aocd: AocdDay | null): Promise<string> {
  if (input !== undefined) {
    const text = await required(files, input);
    // A site serves no line ends of Windows; programs that split at `\n` would read the other half.
    if (text.trim() !== '') return text.replaceAll('\r\n', '\n');
    const fix = 'Name the file that holds the input.';
    throw new UserError({ code: 'file-empty', what: `${input} is empty.`, fix });
  }
  if (aocd?.input) return aocd.input;
  throw new UserError({
    code: 'no-input',
    what: 'The aocd folder has no input of this day.',
    fix: 'Name a file with the input.',
  });
}

async function required(files: AocFiles, path: string): Promise<string> {
  const text = await files.read(path);
  if (text !== null) return text;
  throw new UserError({
    code: 'no-such-file',
    what: `There is no file ${path}.`,
    fix: 'Look for a typing error in its name.',
  });
}

export function createLocalClient(files: AocFiles, reference: AocReference): AocClient {
  return {
    maxWrongAnswers: reference.maxWrongAnswers ?? null,
    page: async () => (await readLocalDay(files, reference)).page,
    input: async () => (await readLocalDay(files, reference)).input,
    submit: async () => ({ kind: 'unjudged', told: '', raw: '' }),
    guesses: async () => [],
    remember: async () => {},
  };
}

/** With paths that a resume from another folder finds too. */
export function withAbsolutePaths(files: AocFiles, reference: AocReference): AocReference {
  const { statement, statement2, input, aocd } = reference;
  const absolute = (path: string | undefined) => path && files.absolute(path);
  return {
    ...reference,
    statement: absolute(statement),
    statement2: absolute(statement2),
    input: absolute(input),
    aocd: absolute(aocd),
  };
}
