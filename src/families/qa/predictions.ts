/** Answers from elsewhere: a file of ids and answers, or of whole replies. What is wrong is named by line. Pure. */
import { UserError } from '../../core/errors.ts';
import { columnIn, decode, type Flaw, flawedFileError, noColumn, recordsOf, wordsOf } from './records.ts';

/** `answer` is null where it is empty: nothing was answered. */
export type Prediction = { readonly line: number; readonly id: string; readonly answer: string | null };

export type PredictionOptions = { readonly path: string; readonly id?: string; readonly answer?: string };

const idNames = 'id unique_id question_id problem_id task_id uuid line'.split(' ');
const answerNames = 'prediction answer predicted response reply output completion text'.split(' ');

/** Throws `UserError` where anything is wrong with it: a score of a part of the answers would be another one. */
export function parsePredictions(bytes: Uint8Array, { path, id, answer }: PredictionOptions) {
  const decoded = decode(bytes);
  if ('flaw' in decoded) throw flawedFileError(path, [decoded.flaw], 'Predictions are a UTF-8 text file.');
  const { columns, records, flaws } = recordsOf(decoded.text, path);
  const incorrect: Flaw[] = [...flaws];
  if (records.length === 0 && flaws.length === 0) {
    throw new UserError({
      code: 'no-predictions',
      what: `There are no predictions in ${path}.`,
      fix: 'Write one JSON object a line, with id and answer.',
    });
  }
  const columnFor = (named: string | undefined, known: readonly string[], option: string) => {
    const head = { path, names: columns };
    const found = columnIn(head, named, known, option);
    if (found === null) throw noColumn(head, `has none of the columns ${known.join(', ')}`, option);
    return found;
  };
  const idColumn = columnFor(id, idNames, '--prediction-id-column');
  const answerColumn = columnFor(answer, answerNames, '--prediction-column');
  const predictions: Prediction[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, fields } of records) {
    const name = wordsOf(fields[idColumn])?.trim();
    const words = fields[answerColumn] === null ? '' : wordsOf(fields[answerColumn]);
    const before = name === undefined ? undefined : lineOf.get(name);
    if (!name) incorrect.push({ line, what: `its ${idColumn} is empty` });
    else if (before !== undefined)
      incorrect.push({
        line,
        what: `its ${idColumn} ${JSON.stringify(name)} stands on line ${before} already`,
      });
    else if (words === null) incorrect.push({ line, what: `its ${answerColumn} is no text and no number` });
    else predictions.push({ line, id: name, answer: words.trim() === '' ? null : words });
    if (name && before === undefined) lineOf.set(name, line);
  }
  incorrect.sort((a, b) => a.line - b.line);
  if (incorrect.length > 0) throw flawedFileError(path, incorrect, 'Correct them.');
  return predictions;
}
