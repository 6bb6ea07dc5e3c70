/** How agents report a reply that was cut off: what it would have answered is displayed, and never handed in. */
import { excerpt } from '../../core/cut-off.ts';
import { ReplyCutOff } from '../../core/errors.ts';
import { type ModelSuccess, textOf } from '../../core/model.ts';
import type { Answer, Problem } from '../../core/problem.ts';
import { answerText } from '../../notes/ensemble.ts';

/** Sentences for people: how it was cut, the answer that stands in it to its end, and its text. */
export function describeCutReply(problem: Pick<Problem, 'parse'>, reply: ModelSuccess): string {
  const answer = completeAnswerIn(problem, textOf(reply.message));
  return new ReplyCutOff(reply, answer ? excerpt(answerText(answer)) : undefined).message;
}

/** How a text may have gone on: a number by a digit, a word by a letter, a sum by an operand, a box by its end. */
const continuations = ['7', 'x', ' + 7', '^7', ' and 7', '7}'];

/** Null where the answer would be another one if the text went on: `\boxed{3` may have become `\boxed{36}`. */
function completeAnswerIn({ parse }: Pick<Problem, 'parse'>, text: string): Answer | null {
  const answer = parse?.(text);
  if (!answer || answer.type === 'misfit') return null;
  const written = JSON.stringify(answer);
  const isEnded = continuations.every((more) => JSON.stringify(parse?.(`${text}${more}`)) === written);
  return isEnded ? answer : null;
}
