/**
 * A data set as it lies in a file: questions with their gold answers, and all that is wrong with it, by line. Gold answers
 * stand bare, after `####` below a solution, or in the last `\boxed{}` of one; what cannot be read is said, for a grader
 * that misreads them calls right what is wrong. Pure.
 */
import { extract, type ProfileName } from '../../answers/index.ts';
import { UserError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import {
  columnIn,
  type DataRecord,
  decode,
  type Flaw,
  flawedFileError,
  noColumn,
  recordsOf,
  wordsOf,
} from './records.ts';

export type Question = {
  readonly line: number;
  /** The line's number where no column names it. */
  readonly id: string;
  readonly text: string;
  /** Null where the data set has none. */
  readonly gold: string | null;
  /** By column: `{subject: 'Algebra', level: '5'}`. */
  readonly types: Readonly<Record<string, string>>;
};

export type DataSet = {
  /** The file's name without its ending. */
  readonly name: string;
  readonly path: string;
  readonly columns: Columns;
  readonly goldForm: GoldForm;
  readonly profile: ProfileName;
  /** The questions without a fault, in the file's order. */
  readonly questions: readonly Question[];
  readonly flaws: readonly Flaw[];
};

/** What makes it this question and no other, for its hash. */
export function contentOf({ text, gold }: Pick<Question, 'text' | 'gold'>): string {
  return JSON.stringify([text, gold]);
}

export type DataSetOptions = ColumnChoice & { readonly path: string; readonly profile?: ProfileName };

/** Throws `UserError` where nothing of it can be used: no text, no column, no line. */
export function readDataSet(bytes: Uint8Array, options: DataSetOptions): DataSet {
  const { path } = options;
  const decoded = decode(bytes);
  if ('flaw' in decoded) throw flawedFileError(path, [decoded.flaw], 'A data set is a UTF-8 text file.');
  const { columns: names, records, flaws, form } = recordsOf(decoded.text, path);
  if (records.length === 0) {
    if (flaws.length > 0) throw flawedFileError(path, flaws, formHelp);
    const read = form === 'csv' ? 'CSV, whose first line is its head' : 'JSON objects, one a line';
    throw new UserError({
      code: 'no-questions',
      what: `There are no questions in ${path}.`,
      why: decoded.text.trim() === '' ? 'It is empty.' : `It was read as ${read}.`,
      fix: formHelp,
    });
  }
  const found = columnsOf(names, options, path);
  const answers = records.flatMap(({ fields }) =>
    found.answer === null ? [] : (wordsOf(fields[found.answer]) ?? []),
  );
  // A column that its user names is not taken to be empty on purpose.
  const hasGold = options.answer !== undefined || answers.some((answer) => answer.trim() !== '');
  const columns = hasGold ? found : { ...found, answer: null };
  const goldForm = goldFormOf(answers);
  const read = questionsOf(records, columns, goldForm);
  const golds = read.questions.flatMap(({ gold }) => gold ?? []);
  const profile = options.profile ?? profileFor(goldForm, golds);
  const fitting = fittingProfiles(read.questions, profile);
  return {
    name: nameOf(path),
    path,
    columns,
    goldForm,
    profile,
    questions: fitting.questions,
    flaws: [...flaws, ...read.flaws, ...fitting.flaws].toSorted((a, b) => a.line - b.line),
  };
}

const formHelp =
  'A data set is a file of JSON objects, one a line, or a CSV file with a head; docs/qa.md describes it.';

type Read = { readonly questions: readonly Question[]; readonly flaws: readonly Flaw[] };

function questionsOf(records: readonly DataRecord[], columns: Columns, goldForm: GoldForm): Read {
  const questions: Question[] = [];
  const issues: Flaw[] = [];
  const lineOf = new Map<string, number>();
  for (const record of records) {
    const read = questionIn(record, columns, goldForm);
    if ('flaw' in read) issues.push({ line: record.line, what: read.flaw });
    const { id } = read;
    const before = id === null ? undefined : lineOf.get(id);
    if (id !== null) lineOf.set(id, before ?? record.line);
    if (before !== undefined) {
      const what = `its ${columns.id} ${JSON.stringify(id)} stands on line ${before} already`;
      issues.push({ line: record.line, what });
    } else if (!('flaw' in read)) questions.push(read);
  }
  return { questions, flaws: issues };
}

/** The id is told of what is flawed too: a second line of that id is a flaw of its own. */
function questionIn(
  { line, fields }: DataRecord,
  columns: Columns,
  goldForm: GoldForm,
): Question | { readonly id: string | null; readonly flaw: string } {
  const id = columns.id === null ? String(line) : (wordsOf(fields[columns.id])?.trim() ?? '');
  if (id === '') return { id: null, flaw: `its ${columns.id} is empty` };
  const text = wordsOf(fields[columns.question]);
  if (text === null) {
    const isMissing = fields[columns.question] === undefined;
    return { id, flaw: `its ${columns.question} ${isMissing ? 'is missing' : 'is no text'}` };
  }
  if (text.trim() === '') return { id, flaw: 'its question is empty' };
  const answer = columns.answer === null ? { gold: null } : goldIn(fields[columns.answer], goldForm);
  if ('flaw' in answer) return { id, flaw: answer.flaw };
  const typed = columns.types.map((column) => [column, wordsOf(fields[column])?.trim() || 'none']);
  return { line, id, text, gold: answer.gold, types: Object.fromEntries(typed) };
}

function goldIn(value: Json | undefined, form: GoldForm): Gold {
  if (value === undefined || value === null) return { flaw: 'its answer is missing' };
  const words = wordsOf(value);
  return words === null ? { flaw: 'its answer is no text and no number' } : goldOf(words, form);
}

function fittingProfiles(questions: readonly Question[], profile: ProfileName): Read {
  const issues: Flaw[] = [];
  const matching = questions.filter(({ line, gold }) => {
    const what = gold === null ? null : goldIssue(gold, profile);
    if (what !== null) issues.push({ line, what });
    return what === null;
  });
  return { questions: matching, flaws: issues };
}

function nameOf(path: string): string {
  return (path.split(/[\\/]/).at(-1) ?? path).replace(/\.\w+$/, '');
}

type ColumnChoice = {
  readonly question?: string;
  readonly answer?: string;
  readonly id?: string;
  /** The values that results are grouped by: subject, level. */
  readonly types?: readonly string[];
};

type Columns = {
  readonly question: string;
  /** Null: the right answer is unknown. */
  readonly answer: string | null;
  /** Null: a question is named by its line. */
  readonly id: string | null;
  readonly types: readonly string[];
};

const known = {
  question: ['question', 'problem', 'prompt', 'input', 'query'],
  answer: ['answer', 'gold', 'final_answer', 'target', 'expected', 'solution'],
  id: ['id', 'unique_id', 'question_id', 'problem_id', 'task_id', 'uuid'],
  types: ['type', 'subject', 'category', 'topic', 'level', 'difficulty'],
};

function columnsOf(names: readonly string[], columnChoice: ColumnChoice, path: string): Columns {
  const head = { path, names };
  const question = columnIn(head, columnChoice.question, known.question, '--question-column');
  if (question === null)
    throw noColumn(head, 'has no column that is known to hold questions', '--question-column');
  return {
    question,
    answer: columnIn(head, columnChoice.answer, known.answer, '--answer-column'),
    id: columnIn(head, columnChoice.id, known.id, '--id-column'),
    types: columnChoice.types
      ? columnChoice.types.flatMap((type) => columnIn(head, type, [], '--type-column') ?? [])
      : known.types.filter((name) => names.includes(name)),
  };
}

/** How the gold answers of a data set are written. */
export type GoldForm = 'bare' | 'hashes' | 'boxed';

type Gold = { readonly gold: string } | { readonly flaw: string };

/** By what most of them are: the few that are not are flaws, and no reason to take the others for something else. */
export function goldFormOf(answers: readonly string[]): GoldForm {
  const outputs = answers.filter((answer) => answer.trim() !== '');
  const most = (is: (answer: string) => boolean) => outputs.filter(is).length * 2 > outputs.length;
  if (most((answer) => answer.includes('####'))) return 'hashes';
  // A bare answer that is set in a box is no solution: the comparison looks into it by itself.
  if (most(isSolution)) return 'boxed';
  return 'bare';
}

/** Words before a box, or lines behind it. */
function isSolution(answer: string): boolean {
  const box = answer.lastIndexOf('\\boxed');
  if (box < 0) return false;
  const lineEnd = answer.indexOf('\n', answer.indexOf('\\boxed'));
  return answer.slice(0, box).trim() !== '' || (lineEnd >= 0 && answer.slice(lineEnd).trim() !== '');
}

const nearlyAll = 0.9;

/**
 * A number for school problems, a letter where they are letters, else whatever mathematics can say. The few that are none
 * among many are flaws, and no reason to read the others in another way.
 */
export function profileFor(form: GoldForm, golds: readonly string[]): ProfileName {
  const are = (pattern: RegExp) =>
    golds.length > 0 && golds.filter((gold) => pattern.test(gold)).length >= nearlyAll * golds.length;
  if (form === 'hashes' && are(/\d/)) return 'number';
  return are(/^\(?[A-J]\)?$/) ? 'choice' : 'math';
}

const longest = 8_000;

export function goldOf(answer: string, form: GoldForm): Gold {
  if (answer.trim() === '') return { flaw: 'its answer is empty' };
  const gold = textOf(answer, form);
  if (gold === null) {
    return {
      flaw: form === 'hashes' ? 'its answer has no "####"' : 'its answer has no \\boxed{} that is closed',
    };
  }
  if (gold === '') return { flaw: 'there is nothing behind "####" in its answer' };
  if (form === 'bare' && gold.includes('####'))
    return { flaw: 'its answer has a "####", which most have not' };
  if (gold.length > longest) return { flaw: `its answer has more than ${longest} characters` };
  if (!isBalanced(gold))
    return { flaw: `its answer cannot be read: braces are not balanced in ${quoteForMessage(gold)}` };
  return { gold };
}

const asMath = ' (others are read with --profile math)';

/** A text if a letter or a number is expected and the gold answer is none; otherwise null. */
export function goldIssue(gold: string, profile: ProfileName): string | null {
  if (profile === 'choice' && !/^\W*[A-Ja-j]\W*$/.test(gold)) {
    return `its answer cannot be read: ${quoteForMessage(gold)} is no letter from A to J${asMath}`;
  }
  if (profile === 'number' && extract(gold, { profile: 'number' }).answer === null) {
    return `its answer cannot be read: ${quoteForMessage(gold)} is no number${asMath}`;
  }
  return null;
}

function textOf(answer: string, form: GoldForm): string | null {
  if (form === 'bare') return answer.trim();
  if (form === 'boxed') return extract(answer, { profile: 'boxed' }).answer?.text.trim() ?? null;
  const at = answer.lastIndexOf('####');
  return at < 0 ? null : answer.slice(at + '####'.length).trim();
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [each] of text.matchAll(/\\[\\{}]|[{}]/g)) {
    if (each === '{') depth += 1;
    if (each === '}') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

function quoteForMessage(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text);
}
