/** The prompts of the search and of `best-of-n`. Those of an operator stand in its file. */
import { joinedLines } from '../kit/asking.ts';
import { drawnOperators } from './operators/drawn.ts';
import { proposePrompts } from './operators/propose.ts';
import { repair } from './operators/repair.ts';
import prompts from './prompts.json' with { type: 'json' };

export const evolutionPrompts: Readonly<Record<string, string>> = Object.assign(
  {},
  joinedLines(prompts),
  ...[...drawnOperators, repair].map((operator) => operator.prompts),
  proposePrompts,
);

const { opening, startingProgram, noProgram } = prompts;

/** Of `best-of-n`. */
export const drawnPrompts: Readonly<Record<string, string>> = {
  ...joinedLines({ opening, startingProgram, noProgram }),
  drawn: `Write the best program for this that you can, whole. {{draft}}{{start}}

Begin with one line that says what its approach is:

IDEA: …

Then give the whole program in one fenced block of code.`,
  ...repair.prompts,
  ...proposePrompts,
};
