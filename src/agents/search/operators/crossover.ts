/** Joins two programs of an island. Off by default: no bench has shown a gain. */
import { fenced, frameRequest } from '../frame.ts';
import { parentOf, type RandomOperator } from './operator.ts';
import { propose, randomWording } from './propose.ts';

const form = `Begin with one line, what you took from which: IDEA: …

Then the whole program in one fenced block of code.`;

export const crossover: RandomOperator = {
  name: 'crossover',
  weight: 0,
  partner: 'parent',
  asks: 'next',
  prompts: {
    crossover: `Both programs solve the same problem. Find what each does better, and write one program that has both: not two behind a switch.

${form}`,
    /** The user's own words for joining two programs. */
    userCrossover: `{{wording}}

${form}`,
  },

  suits: (_search, { members }) => members.length > 1,

  propose(work, plan) {
    const { search, island, run, doing, id } = work;
    const parent = parentOf(plan);
    const other = plan.partner ?? null;
    doing(`asks for a crossover of ${parent.id}${other ? ` and ${other.id}` : ''}`);
    const wording = other && randomWording(run, 'crossover_prompts', search.settings.crossoverPrompts);
    const filled = wording?.words
      .replaceAll('{code_A}', () => `\n${fenced(search, parent.source)}\n`)
      .replaceAll('{code_B}', () => `\n${fenced(search, other?.source ?? '')}\n`);
    const request = filled ? run.prompt('userCrossover', { wording: filled }) : run.prompt('crossover');
    const isVisible = filled?.includes(parent.source.trimEnd()) ?? false;
    const shown = { other: isVisible ? null : other, showsParent: !isVisible };
    return propose(work, {
      messages: frameRequest({ search, run, island, parent, id, request, ...shown }),
      base: null,
      known: parent.source,
      summary: `crossover ${parent.id}`,
      prompt: 'crossover',
      wording,
    });
  },
};
