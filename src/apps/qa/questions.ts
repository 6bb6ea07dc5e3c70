/** The questions of a data set of the user's, read and checked before anything is run. */
import type { DataSet, DataSetOptions, Question } from '../../families/qa/data-set.ts';
import type { Prediction, PredictionOptions } from '../../families/qa/predictions.ts';
import { localFiles } from '../../io/local-files.ts';
import { hashText } from '../../run/hash.ts';

/** Each with the hash by which its runs know it again. */
export type QuestionSet = Omit<DataSet, 'questions'> & {
  readonly questions: readonly (Question & { readonly contentHash: string })[];
};

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

/** Of a file with answers to them: what it calls `question` need not be there. */
export async function readPredictions(
  folder: string,
  options: PredictionOptions,
): Promise<readonly Prediction[]> {
  // Loaded here for the same reason.
  const { predictionsIn } = await import('../../families/qa/predictions.ts');
  const files = localFiles(folder);
  const path = files.absolute(options.path);
  return predictionsIn(await files.readBytes(path), { ...options, path });
}
