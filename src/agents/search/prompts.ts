/** The prompts of the search and of its plain engines. Those of an operator stand in its file. */
import { joinedLines } from '../kit/asking.ts';
import engines from './engine-prompts.json' with { type: 'json' };
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

export const enginePrompts = joinedLines({
  opening: prompts.opening,
  startingProgram: prompts.startingProgram,
  ...engines,
});
