/**
 * A first program where no tool judges: the plain answer that is likeliest by the statement and its samples. Of a talk
 * nothing can be said without its judge. Null where the input or the output was not understood. Pure.
 */
import { bankOf, type Tried } from './bank.ts';
import { answeringProgram } from './program.ts';
import type { Question, Understood } from './understanding.ts';

export type Guess = { readonly source: string; readonly told: string; readonly isSure: boolean };

export function guessAnswer(question: Question, understood: Understood): Guess | null {
  if (question.isInteractive || understood.reading === null) return null;
  const [likeliest = []] = bankOf(question, understood);
  const [answer]: readonly Tried[] = likeliest;
  return answer
    ? { source: answeringProgram(understood, answer), told: answer.told, isSure: answer.isSure }
    : null;
}
