/** Answers that somebody else has made: a file of ids and answers, or whole replies. What is wrong is named by line. Pure. */
import { UserError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import { decode, type Flaw, flawedFile, recordsOf } from './records.ts';

/** `answer` is null where it is empty: nothing was answered. */
export type Prediction = { readonly line: number; readonly id: string; readonly answer: string | null };

export type PredictionOptions = { readonly path: string; readonly id?: string; readonly answer?: string };

const idNames = ['id', 'unique_id', 'question_id', 'problem_id', 'task_id', 'uuid', 'line'];
const answerNames = [
  'prediction',
  'answer',
  'predicted',
  'response',
  'reply',
  'output',
  'completion',
  'text',
];

/** Throws `UserError` where anything is wrong with it: a score of a part of the answers would be another one. */
export function predictionsIn(
  bytes: Uint8Array,
  { path, id, answer }: PredictionOptions,
): readonly Prediction[] {
  const decoded = decode(bytes);
  if ('flaw' in decoded) throw flawedFile(path, [decoded.flaw], 'Predictions are a UTF-8 text file.');
  const { columns, records, flaws } = recordsOf(decoded.text, path);
  const wrong: Flaw[] = [...flaws];
  if (records.length === 0 && flaws.length === 0) {
    throw new UserError({
      code: 'no-predictions',
      what: `There are no predictions in ${path}.`,
      fix: 'Write one JSON object a line, with id and answer.',
    });
  }
  const idColumn = columnOf(columns, { named: id, known: idNames, path, option: '--prediction-id-column' });
  const answerColumn = columnOf(columns, {
    named: answer,
    known: answerNames,
    path,
    option: '--prediction-column',
  });
  const predictions: Prediction[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, fields } of records) {
    const name = wordsOf(fields[idColumn])?.trim();
    const words = fields[answerColumn] === null ? '' : wordsOf(fields[answerColumn]);
    const before = name === undefined ? undefined : lineOf.get(name);
    if (!name) wrong.push({ line, what: `its ${idColumn} is empty` });
    else if (before !== undefined)
      wrong.push({ line, what: `its ${idColumn} ${JSON.stringify(name)} stands on line ${before} already` });
    else if (words === null) wrong.push({ line, what: `its ${answerColumn} is no text and no number` });
    else predictions.push({ line, id: name, answer: words.trim() === '' ? null : words });
    if (name && before === undefined) lineOf.set(name, line);
  }
  if (wrong.length > 0)
    throw flawedFile(
      path,
      wrong.toSorted((a, b) => a.line - b.line),
      'Correct them.',
    );
  return predictions;
}

type Wanted = {
  readonly named: string | undefined;
  readonly known: readonly string[];
  readonly path: string;
  readonly option: string;
};

function columnOf(columns: readonly string[], { named, known, path, option }: Wanted): string {
  const found = named === undefined ? known.find((name) => columns.includes(name)) : named;
  if (found !== undefined && columns.includes(found)) return found;
  throw new UserError({
    code: 'no-column',
    what:
      named === undefined
        ? `${path} has none of the columns ${known.join(', ')}.`
        : `${path} has no column ${JSON.stringify(named)}.`,
    why: `Its columns are ${columns
      .slice(0, 20)
      .map((name) => JSON.stringify(name))
      .join(', ')}.`,
    fix: `Name one of them with ${option}.`,
  });
}

function wordsOf(value: Json | undefined): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
}
