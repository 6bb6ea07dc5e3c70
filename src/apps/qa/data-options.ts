/** The options that say what a data set is like and which of its questions are meant; and what they choose. */
import type { Command } from 'commander';
import type { PercentProfile, ProfileName } from '../../answers/index.ts';
import type { Shell } from '../../cli/contract.ts';
import { addOptions } from '../../cli/options.ts';
import { UserError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { seededChance } from '../../core/seeded-chance.ts';
import type { DataSet, DataSetOptions } from '../../families/qa/data-set.ts';
import { localFiles } from '../../io/local-files.ts';
import { hashText } from '../../run/hash.ts';
import { count } from '../../text/format.ts';
import listed from './options.json' with { type: 'json' };

export type DataOptions = {
  readonly questionColumn?: string;
  readonly answerColumn?: string;
  readonly idColumn?: string;
  readonly typeColumn?: readonly string[];
  readonly profile?: ProfileName;
  readonly percent?: PercentProfile;
  readonly precision?: number;
  readonly sets?: boolean;
};

export type SelectionOptions = {
  readonly limit?: number;
  readonly offset?: number;
  readonly ids?: readonly string[];
  readonly sample?: number;
  readonly seed?: string;
  readonly skipFlawed?: boolean;
};

export function dataOptions(command: Command): Command {
  return comparisonOptions(addOptions(command, listed.data));
}

export function comparisonOptions(command: Command): Command {
  return addOptions(command, listed.comparison);
}

export function selectionOptions(command: Command): Command {
  return addOptions(command, listed.selection);
}

/** What the references of its questions have in common. */
export function comparisonOf({ profile, percent, precision, sets }: DataOptions) {
  return { profile, percent, precision, allowSetRelation: sets };
}

/** Refused with all that is wrong in it, unless that is to be left out. */
export async function dataSetFrom(
  shell: Shell,
  path: string,
  options: DataOptions & Pick<SelectionOptions, 'skipFlawed'>,
): Promise<QuestionSet> {
  const {
    questionColumn: question,
    answerColumn: answer,
    idColumn: id,
    typeColumn: types,
    profile,
  } = options;
  const set = await readQuestions(shell.folder, { path, question, answer, id, types, profile });
  const [first] = set.flaws;
  if (!first) return set;
  if (!options.skipFlawed || set.questions.length === 0) throw flawedDataError(path, set);
  const lines = count(set.flaws.length, 'line');
  shell.err.write(`${lines} left out; the first is line ${first.line}: ${first.what}.\n`);
  return set;
}

const mostTold = 20;

function flawedDataError(path: string, { flaws }: QuestionSet): UserError {
  const lines = flaws.slice(0, mostTold).map(({ line, what }) => `\n  line ${line}: ${what}`);
  const more = flaws.length > mostTold ? `\n  and ${flaws.length - mostTold} more` : '';
  return new UserError({
    code: 'data-set-flawed',
    what: `${count(flaws.length, 'line')} of ${path} cannot be used:${lines.join('')}${more}`,
    fix: 'Correct them, or leave them out with --skip-flawed. Nothing was asked.',
  });
}

/** All that was found out about the file is said: a set must not depend on what is guessed when it is resumed. */
export function referenceTo(
  { path, columns, profile }: QuestionSet,
  { id, line, contentHash }: Question,
  options: DataOptions,
): JsonObject {
  return {
    file: path,
    ...(columns.id === null ? { line } : { id, idColumn: columns.id }),
    questionColumn: columns.question,
    answerColumn: columns.answer ?? undefined,
    typeColumns: columns.types,
    contentHash,
    ...comparisonOf(options),
    profile,
  };
}

/** In the order of the file. */
export function selected(
  { path, questions }: QuestionSet,
  { ids, offset = 0, limit, sample, seed = 'polya' }: SelectionOptions,
): readonly Question[] {
  const named = ids ? idsIn(path, questions, ids) : questions;
  const part = named.slice(offset, limit === undefined ? undefined : offset + limit);
  const chosen = sample === undefined ? part : sampleQuestions(part, sample, seed);
  if (chosen.length > 0) return chosen;
  throw new UserError({
    code: 'no-questions',
    what: 'No question is left.',
    why: `${path} has ${count(questions.length, 'question')}, and the options leave out all of them.`,
    fix: 'Give a smaller --offset, or other ids.',
  });
}

function idsIn(path: string, questions: readonly Question[], ids: readonly string[]): readonly Question[] {
  const known = new Set(questions.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return questions.filter(({ id }) => ids.includes(id));
  throw new UserError({
    code: 'no-such-question',
    what: `${path} has no question ${unknown.map((id) => JSON.stringify(id)).join(', ')}.`,
    why: `Its first one is ${JSON.stringify(questions[0]?.id)}.`,
    fix: 'Give ids that are there; a question without one is named by its line.',
  });
}

/** Without repetition. */
function sampleQuestions(questions: readonly Question[], size: number, seed: string): readonly Question[] {
  const { next } = seededChance(seed);
  const order = questions.map((_, at) => at);
  for (let at = 0; at < Math.min(size, order.length); at += 1) {
    const other = at + Math.floor(next() * (order.length - at));
    [order[at], order[other]] = [order[other] ?? at, order[at] ?? at];
  }
  const positions = new Set(order.slice(0, size));
  return questions.filter((_, at) => positions.has(at));
}

/** A question with the hash by which its runs recognise it. */
export type Question = DataSet['questions'][number] & { readonly contentHash: string };
export type QuestionSet = Omit<DataSet, 'questions'> & { readonly questions: readonly Question[] };

/** `path` is relative to the folder. Throws `UserError` where nothing of the file can be used; its flaws are in the result. */
export async function readQuestions(folder: string, options: DataSetOptions): Promise<QuestionSet> {
  // Loaded here because hardly any command reads a data set, and a CSV parser comes with it.
  const { contentOf, readDataSet } = await import('../../families/qa/data-set.ts');
  const files = localFiles(folder);
  const path = files.absolute(options.path);
  const set = readDataSet(await files.readBytes(path), { ...options, path });
  const questions = set.questions.map((each) => ({ ...each, contentHash: hashText(contentOf(each)) }));
  return { ...set, questions };
}
