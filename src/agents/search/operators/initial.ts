/** An island's first program, by its strategy. */
import { firstProgram } from '../first-programs.ts';
import { givenThatFailed } from '../population.ts';
import type { Operator } from './operator.ts';
import { modelParameters } from './propose.ts';

export const initial: Operator = {
  name: 'initial',
  prompts: {},
  asks: 'first',

  async propose({ search, island, run, doing }) {
    doing(`asks for a first program: ${island.strategy.name}`);
    const failed = givenThatFailed(island);
    const draft = await firstProgram(run, search, { ...island, own: failed?.source });
    return { ...draft, parameters: modelParameters(search, 'solver') };
  },
};
