/** How agents report a reply that was cut off: what it would have answered is displayed, and never handed in. */
import { excerpt } from '../../core/cut-off.ts';
import { ReplyCutOff } from '../../core/errors.ts';
import { type ModelSuccess, textOf } from '../../core/model.ts';
import type { Problem } from '../../core/problem.ts';
import { answerText } from '../../notes/ensemble.ts';

/** Sentences for people: how it was cut, the answer that stands in it, and its text. */
export function describeCutReply({ parse }: Pick<Problem, 'parse'>, reply: ModelSuccess): string {
  const answer = parse?.(textOf(reply.message));
  const isAnswer = answer !== undefined && answer.type !== 'misfit';
  return new ReplyCutOff(reply, isAnswer ? excerpt(answerText(answer)) : undefined).message;
}
