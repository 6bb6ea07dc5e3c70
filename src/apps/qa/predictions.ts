/** Answers from elsewhere, graded against a data set: what is not answered is wrong. */
import type { Shell } from '../../cli/contract.ts';
import { UserError } from '../../core/errors.ts';
import type { Problem } from '../../core/problem.ts';
import type { Prediction } from '../../families/qa/predictions.ts';
import { localFiles } from '../../io/local-files.ts';
import type { Journals } from '../../open/options.ts';
import { type DataOptions, dataSetFrom, type QuestionSet, referenceTo } from './data-options.ts';
import { isRight as isAnswerRight, type Measured } from './study/measure.ts';
import { nothingSpent } from './study/spent.ts';

export type PredictionFileOptions = {
  readonly data?: string;
  readonly predictionIdColumn?: string;
  readonly predictionColumn?: string;
};

export async function measurePredictions(
  shell: Shell,
  { world }: Journals,
  path: string,
  options: DataOptions & PredictionFileOptions,
): Promise<{ readonly measured: readonly Measured[]; readonly missing: number }> {
  const { data, predictionIdColumn: id, predictionColumn: answer } = options;
  if (data === undefined) {
    throw new UserError({
      code: 'no-data-set-named',
      what: `The data set that ${path} answers is not named.`,
      fix: 'Name it with --data FILE; its ids are those of the predictions.',
    });
  }
  const set = await dataSetFrom(shell, data, options);
  // Loaded here because hardly any command reads a data set, and a CSV parser comes with it.
  const { parsePredictions: predictionsIn } = await import('../../families/qa/predictions.ts');
  const files = localFiles(shell.folder);
  const absolute = files.absolute(path);
  const predictions = predictionsIn(await files.readBytes(absolute), { path: absolute, id, answer });
  rejectUnknownIds(path, predictions, set);
  const answers = new Map(predictions.map((each) => [each.id, each.answer]));
  const { io } = world;
  const family = await world.family('qa');
  const measured: Measured[] = [];
  const { signal } = new AbortController();
  for (const [index, question] of set.questions.entries()) {
    const spec = await family.load(referenceTo(set, question, options), io, signal);
    const text = answers.get(question.id) ?? null;
    const problem = family.open(spec);
    const { answer, isRight, unread } = await gradePrediction(world, problem, text);
    measured.push({
      runId: question.id,
      index,
      agent: 'predictions',
      settings: {},
      models: {},
      question: spec.contentHash,
      problem: spec.id,
      title: spec.title,
      types: question.types,
      gold: question.gold,
      answer,
      isRight,
      why: unread ?? '',
      spent: nothingSpent,
      possiblyBilled: 0,
      outcome: unread !== null ? 'malformed' : isRight === null ? 'answered' : isRight ? 'solved' : 'wrong',
      plan: null,
      members: [],
      vote: null,
      decision: null,
      decisive: [],
    });
  }
  return { measured, missing: set.questions.filter((question) => !answers.has(question.id)).length };
}

type GradedPrediction = {
  readonly answer: string | null;
  readonly isRight: boolean | null;
  /** Why no answer is read in a whole reply. */
  readonly unread: string | null;
};

/** A prediction is an answer, which is right as it stands, or a whole reply, of which only the answer that is read counts. */
async function gradePrediction(
  world: Journals['world'],
  problem: Problem,
  text: string | null,
): Promise<GradedPrediction> {
  const grade = async (answer: string | null) =>
    isAnswerRight(world, problem, '', answer === null ? null : { type: 'text', text: answer });
  const isRight = await grade(text);
  const read = text === null || isRight !== false ? null : problem.parse?.(text);
  if (read?.type === 'misfit') return { answer: null, isRight, unread: `unread: ${read.feedback}` };
  if (read?.type !== 'text') return { answer: text, isRight, unread: null };
  return { answer: read.text, isRight: await grade(read.text), unread: null };
}

function rejectUnknownIds(path: string, predictions: readonly Prediction[], set: QuestionSet): void {
  const { path: data, questions } = set;
  const known = new Set(questions.map(({ id }) => id));
  const prediction = predictions.find(({ id }) => !known.has(id));
  if (!prediction) return;
  throw new UserError({
    code: 'prediction-without-question',
    what: `Line ${prediction.line} of ${path} answers ${JSON.stringify(prediction.id)}, which is no question of ${data}.`,
    why: `The first question there is ${JSON.stringify(questions[0]?.id)}; without an id column a question is named by its line.`,
    fix: 'Name the columns with --id-column and --prediction-id-column.',
  });
}
