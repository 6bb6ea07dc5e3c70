/**
 * The program that a search begins with when it has no other, best first: one that a judge has called valid, or that is known
 * to be; the user's own; one whose answer was understood from the statement; one that reads the input; the one that `init`
 * puts there. Pure.
 */

import { type FirstProgram, tellFirstProgram } from '../plain/first-program.ts';
import { guessAnswer } from '../plain/guess.ts';
import { readingProgram } from '../plain/program.ts';
import { solutionTemplate } from '../plain/templates.ts';
import { type Question, understand } from '../plain/understanding.ts';

export type TemplateQuestion = Question & {
  /** The workspace's own `main.cpp`. */
  readonly main: string | null;
  /** What `init` found, if it came so far. */
  readonly first: FirstProgram | null;
};

/** `told`: what it prints, and how that is known; empty where nothing is to be said. */
export type Template = { readonly source: string; readonly told: string };

export function templateOf(question: TemplateQuestion): Template {
  const { main, isInteractive } = question;
  const first = question.first?.account.isInteractive === isInteractive ? question.first : null;
  const found = first && { source: first.source, told: tellFirstProgram(first.account) };
  if (found && first.account.how === 'judged') return found;
  const understood = understand(question);
  const guess = guessAnswer(question, understood);
  const guessed = guess && { source: guess.source, told: `${guess.told}: judged by no tool` };
  if (guessed && guess.isSure) return guessed;
  const isTheirs =
    main !== null && !['', solutionTemplate.trim(), first?.source.trim()].includes(main.trim());
  if (isTheirs) return { source: main, told: 'main.cpp, as its user wrote it' };
  return guessed ?? { source: readingProgram(understood), told: '' };
}
