/** Joins two programs of an island. Off by default: no bench has shown a gain. */
import { fenced, framed } from '../frame.ts';
import { type DrawnOperator, parentOf } from './operator.ts';
import { drawnWording, propose } from './propose.ts';

const form = `Begin with one line, what you took from which: IDEA: …

Then the whole program in one fenced block of code.`;

export const crossover: DrawnOperator = {
  name: 'crossover',
  weight: 0,
  boldness: 1,
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
    const wording = other && drawnWording(run, 'crossover_prompts', search.settings.crossoverPrompts);
    const filled = wording?.words
      .replaceAll('{code_A}', () => `\n${fenced(search, parent.source)}\n`)
      .replaceAll('{code_B}', () => `\n${fenced(search, other?.source ?? '')}\n`);
    const request = filled ? run.prompt('userCrossover', { wording: filled }) : run.prompt('crossover');
    const isShown = filled?.includes(parent.source.trimEnd()) ?? false;
    const shown = { other: isShown ? null : other, showsParent: !isShown };
    return propose(work, {
      messages: framed({ search, run, island, parent, id, request, ...shown }),
      base: null,
      known: parent.source,
      summary: `crossover ${parent.id}`,
      prompt: 'crossover',
      wording,
    });
  },
};
