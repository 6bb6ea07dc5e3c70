/** Repairs a program that does not compile, or fails on cases. Never drawn: it follows a failure. */

import { user } from '../../kit/asking.ts';
import { firstMessages } from '../asking.ts';
import { fenced, hintsText, visibleSource } from '../frame.ts';
import type { Program } from '../population.ts';
import type { Search } from '../search.ts';
import { blockForm, type Operator, type Plan, parentOf } from './operator.ts';
import { propose } from './propose.ts';

const form = `Begin with one line, what was wrong: IDEA: …

Then the whole program in one fenced block of code or, where little is wrong, the repair as blocks. ${blockForm}`;

export const repair: Operator = {
  name: 'repair',
  asks: 'maker',
  prompts: {
    repairCompile: `The base program does not compile:

{{program}}

What the compiler says:

{{message}}

It was to be: {{summary}}

Repair it, and keep its idea. ${form}`,
    repairCases: `The base program compiles, and fails:

{{program}}

Where it failed:

{{cases}}

It was to be: {{summary}}

Find the cause and repair it, and keep its idea. ${form}`,
  },

  async propose(work, plan) {
    const { search, run, doing } = work;
    const parent = parentOf(plan);
    doing(`asks for a repair of ${parent.id}`);
    const { summary, detail } = parent;
    const doesCompile = parent.status !== 'compile-error';
    // The compiler numbers the lines of the source as it is.
    const program = fenced(search, doesCompile ? visibleSource(search, parent) : parent.source);
    const content = doesCompile
      ? run.prompt('repairCases', { program, cases: formatFailingCases(search, parent) || detail, summary })
      : run.prompt('repairCompile', { program, message: detail, summary });
    const hints = hintsText(search);
    const proposal = await propose(work, {
      messages: [
        ...firstMessages(run, search.problem),
        user(hints === '' ? content : `${content}\n\n${hints}`),
      ],
      base: parent.source,
      summary: `repair ${parent.id}`,
      prompt: 'repair',
    });
    // The error is no idea: the program keeps the idea that it carries out, and the hint that it was made for.
    const { hint } = parent.parameters;
    const parameters = {
      ...proposal.parameters,
      repair: proposal.summary,
      ...(hint === undefined ? {} : { hint }),
    };
    return { ...proposal, summary, parameters };
  },
};

/** How often in a row a program that does not compile, or fails, goes back to be repaired. */
export const repairsInRow = 2;

/** A reply without a program, and a duplicate, cannot be repaired. */
export function repairOf(program: Program): Plan | null {
  const isAiling = program.status === 'failed' || program.status === 'compile-error';
  return isAiling ? { operator: repair, parent: program } : null;
}

const casesShown = 3;
const inputCharacters = 600;

function formatFailingCases({ points }: Search, { outcomes }: Program): string {
  const failing = outcomes.filter((outcome) => points.outcomeIssue(outcome) !== null);
  const cases = failing.slice(0, casesShown).map((outcome) => {
    const { name, verdict, said = '' } = outcome;
    const input = outcome.input?.slice(0, inputCharacters).toWellFormed().trimEnd();
    // Of a program that is only too slow, the input shows no more than its size.
    const isVisible = verdict !== 'TLE';
    const head = input && isVisible ? `\nIts input begins:\n${input}` : '';
    return `${name}: ${points.outcomeIssue(outcome)}${head}${said && `\nIts standard error ends:\n${said}`}`;
  });
  const sound = outcomes.length - failing.length;
  if (sound > 0) cases.push(`On ${sound} of ${outcomes.length} cases it was sound.`);
  return cases.join('\n\n');
}
