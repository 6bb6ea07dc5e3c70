/** Answers from elsewhere, graded against a data set: what is not answered is wrong. */

import type { Shell } from '../../cli/contract.ts';
import { UserError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Family } from '../../core/problem.ts';
import type { Prediction } from '../../families/qa/predictions.ts';
import type { Journals } from '../../open/options.ts';
import { type DataOptions, dataSetFrom, type Question, referenceTo } from './data-options.ts';
import { type QuestionSet, readPredictions } from './questions.ts';
import { nothingSpent } from './study/compare.ts';
import type { Measured } from './study/measure.ts';

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
  const predictions = await readPredictions(shell.folder, { path, id, answer });
  refuseStrangers(path, predictions, set);
  const answers = new Map(predictions.map((each) => [each.id, each.answer]));
  const family = await world.family('qa');
  const measured: Measured[] = [];
  for (const [index, question] of set.questions.entries()) {
    const reference = referenceTo(set, question, options);
    const said = answers.get(question.id) ?? null;
    measured.push(await measuredAnswer({ world, family }, reference, { index, question, said }));
  }
  return { measured, missing: set.questions.filter((question) => !answers.has(question.id)).length };
}

async function measuredAnswer(
  { world: { io }, family }: { readonly world: Journals['world']; readonly family: Family },
  reference: JsonObject,
  {
    index,
    question,
    said,
  }: { readonly index: number; readonly question: Question; readonly said: string | null },
): Promise<Measured> {
  const { signal } = new AbortController();
  const spec = await family.load(reference, io, signal);
  const answer = said === null ? null : ({ type: 'text', text: said } as const);
  const context = { io, runId: '', stage: '', past: [], signal };
  const grade = await family.open(spec).grade?.({ answer, stagesDone: [] }, context);
  const isRight = grade?.correct ?? null;
  return {
    ...{ runId: question.id, index, agent: 'predictions', settings: {}, models: {} },
    ...{ question: spec.contentHash, problem: spec.id, title: spec.title, types: question.types },
    ...{ gold: question.gold, answer: said, isRight, spent: nothingSpent, possiblyBilled: 0 },
    outcome: isRight === null ? 'answered' : isRight ? 'solved' : 'wrong',
    ...{ plan: null, members: [], vote: null, decision: null, decisive: [] },
  };
}

function refuseStrangers(path: string, predictions: readonly Prediction[], set: QuestionSet): void {
  const { path: data, questions } = set;
  const known = new Set(questions.map(({ id }) => id));
  const stranger = predictions.find(({ id }) => !known.has(id));
  if (!stranger) return;
  throw new UserError({
    code: 'prediction-without-question',
    what: `Line ${stranger.line} of ${path} answers ${JSON.stringify(stranger.id)}, which is no question of ${data}.`,
    why: `The first question there is ${JSON.stringify(questions[0]?.id)}; without an id column a question is named by its line.`,
    fix: 'Name the columns with --id-column and --prediction-id-column.',
  });
}
