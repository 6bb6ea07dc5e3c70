/** The prompts of the search and of `best-of-n`, by name. Each stands in the file that uses it. */
import { analysisPrompts } from './analysis.ts';
import { openingPrompt } from './asking.ts';
import { drawnOperators } from './operators/drawn.ts';
import { initial } from './operators/initial.ts';
import { proposePrompts } from './operators/propose.ts';
import { repair } from './operators/repair.ts';
import { strategyPrompts } from './strategies.ts';
import { talkPrompts } from './talk/talk.ts';

export const evolutionPrompts: Readonly<Record<string, string>> = Object.assign(
  {},
  analysisPrompts,
  strategyPrompts,
  initial.prompts,
  talkPrompts,
  openingPrompt,
  ...[...drawnOperators, repair].map((operator) => operator.prompts),
  proposePrompts,
);
