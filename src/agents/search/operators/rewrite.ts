/** A whole program written anew; another program of the island is shown beside the parent. */
import { frameRequest } from '../frame.ts';
import { parentOf, type RandomOperator } from './operator.ts';
import { propose } from './propose.ts';

export const rewrite: RandomOperator = {
  name: 'rewrite',
  weight: 0.25,
  partner: 'shown',
  asks: 'next',
  prompts: {
    rewrite: `Write a better program on this line of search, from scratch. Keep what made the base program good, and change what holds it back: the representation, the moves, the evaluation, how time is used.

Begin with one line, what is new and why it should help: IDEA: …

Then the whole program in one fenced block of code.`,
  },

  propose(work, plan) {
    const { search, island, run, doing, id } = work;
    const parent = parentOf(plan);
    doing(`asks for a rewrite of ${parent.id}`);
    const request = run.prompt('rewrite');
    return propose(work, {
      messages: frameRequest({ search, run, island, parent, id, other: plan.partner, request }),
      base: null,
      known: parent.source,
      summary: `rewrite ${parent.id}`,
      prompt: 'rewrite',
    });
  },
};
