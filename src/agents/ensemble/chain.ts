/**
 * Chain of thought: the model reasons step by step and states its answer. Where it is asked for, a strict reviewer looks
 * at the reasoning a second time, and what the reviewer answers counts.
 */
import { z } from 'zod';
import { describeCut } from '../../core/cut-off.ts';
import { defineAgent } from '../../core/define.ts';
import type { Message } from '../../core/model.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import { type ReplyReading, readAnswer, user } from '../kit/asking.ts';
import {
  answerOf,
  type Found,
  NoAnswerError,
  questionTurn,
  requestReply,
  runSingleStrategy,
  systemTurn,
  type Task,
} from './asking.ts';
import { chainPrompts } from './prompts.ts';
import { callSettings, typicalCalls } from './settings.ts';
import texts from './texts.json' with { type: 'json' };

const settingsSchema = z.object({
  ...callSettings,
  review: z.boolean().default(false).describe(texts.settings.review),
});

export const chainAgent = defineAgent({
  name: 'chain',
  settings: settingsSchema,
  needs: ['parse'],
  roles: ['solver', 'reviewer'],
  usual: ({ review }) => typicalCalls(['chain'], { reviews: review ? 1 : 0 }),
  prompts: chainPrompts,

  solve(problem, run, settings) {
    return runSingleStrategy('chain', { problem, run, settings }, (task) => chain(task, settings));
  },
});

export async function chain(task: Task, { review }: { readonly review: boolean }): Promise<Found> {
  const { answer, reply, repairs } = await answerOf(task, 'solver', [
    systemTurn(task, 'chain'),
    questionTurn(task),
  ]);
  return review ? { repairs, ...(await reviewAnswer(task, answer, reply.text)) } : { answer, repairs };
}

/** A second look at the question and the whole reasoning, by someone who did not write it. */
export async function reviewAnswer(task: Task, first: Answer, reasoning: string): Promise<Found> {
  const messages: Message[] = [
    systemTurn(task, 'reviewer'),
    questionTurn({ problem: task.problem, asides: [] }),
    user(task.run.prompt('review', { reasoning })),
  ];
  const read = await secondAnswer(task, messages);
  // A reviewer that states no answer has found none to put in the place of the first.
  if (!read.ok) return { answer: first, review: 'unclear', detail: read.problem };
  const isSame = areVotesForOne(task.problem, first, read.value);
  return { answer: read.value, review: isSame ? 'confirmed' : 'changed' };
}

/** A reviewer that refuses, or whose reply fails, has not taken back what was answered before it. */
async function secondAnswer(task: Task, messages: readonly Message[]): Promise<ReplyReading<Answer>> {
  try {
    const reply = await requestReply(task, 'reviewer', messages);
    const cut = describeCut(reply);
    return cut === null ? readAnswer(task.problem, reply.text) : { ok: false, problem: cut };
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return { ok: false, problem: error.message };
  }
}

/** A problem that does not compare answers has them compared by the letter. */
function areVotesForOne(problem: Problem, a: Answer, b: Answer): boolean {
  return problem.equal ? problem.equal(a, b) || problem.equal(b, a) : JSON.stringify(a) === JSON.stringify(b);
}
