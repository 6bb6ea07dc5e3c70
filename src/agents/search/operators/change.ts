/** One targeted change of a program, as SEARCH/REPLACE blocks: the model's own choice, or what a hint asks for. */
import type { Run } from '../../../core/agent.ts';
import { line } from '../asking.ts';
import { fenced, frameRequest } from '../frame.ts';
import type { Program } from '../population.ts';
import type { Hint, Search } from '../search.ts';
import { blockForm, type Proposal, parentOf, type RandomOperator, type Work } from './operator.ts';
import { propose, randomItem, randomWording } from './propose.ts';

const form = `Begin with one line, what you do and why it should help: IDEA: …

Then the change as blocks. ${blockForm}`;

export const change: RandomOperator = {
  name: 'change',
  weight: 0.6,
  partner: 'none',
  asks: 'next',
  prompts: {
    change: `Make the base program better with one targeted change that promises most, carried out well. See where it loses most.

${form}`,
    /** The user's own words for a change. */
    userChange: `{{wording}}

${form}`,
    directed: `The person who watches this search asks for this:

{{hint}}

{{more}}Make one change to the base program that does it, carried out well. Where it cannot be done literally, do what comes closest to what is meant.`,
    directedRange: `Make {{name}} a named constant where it is none, with this mark behind it, so that its value is searched: // tune: {{low}}..{{high}}

`,
    directedSources: `What is referred to:

{{sources}}

`,
    directedChange: `{{wording}}

${form}`,
  },

  propose(work, plan) {
    const parent = parentOf(plan);
    return plan.hint ? changeForHint(work, parent, plan.hint) : changeByModel(work, parent);
  },
};

function changeByModel(work: Work, parent: Program): Promise<Proposal> {
  const { search, island, run, doing, id } = work;
  doing(`asks for a change of ${parent.id}`);
  const wording = randomWording(run, 'mutation_prompts', search.settings.mutationPrompts);
  const filled = wording && fillWording(search, run, wording.words, parent);
  const request = filled ? run.prompt('userChange', { wording: filled }) : run.prompt('change');
  const showsParent = !wording?.words.includes('{code_snippet}');
  return propose(work, {
    messages: frameRequest({ search, run, island, parent, id, request, showsParent }),
    base: parent.source,
    summary: `change ${parent.id}`,
    prompt: 'change',
    wording,
  });
}

/** A user sees what the hint is worth: the change is made at once, and nothing else with it. */
async function changeForHint(work: Work, parent: Program, hint: Hint): Promise<Proposal> {
  const { search, island, run, doing, id } = work;
  doing(`asks for a change of ${parent.id}, for hint ${hint.number}`);
  const { name = '', low = 0, high = 0 } = hint.range ?? {};
  const sources = hint.sources.map(({ text }) => text).join('\n\n');
  const more = [
    hint.range ? run.prompt('directedRange', { name, low: String(low), high: String(high) }) : '',
    sources === '' ? '' : run.prompt('directedSources', { sources }),
  ].join('');
  const wording = run.prompt('directed', { hint: hint.text, more });
  const request = run.prompt('directedChange', { wording });
  const proposal = await propose(work, {
    messages: frameRequest({ search, run, island, parent, id, hint, request }),
    base: parent.source,
    summary: `hint ${hint.number}: ${line(hint.text)}`,
    prompt: 'directed',
  });
  return { ...proposal, parameters: { ...proposal.parameters, hint: hint.number } };
}

function fillWording(search: Search, run: Run, wording: string, parent: Program): string {
  const program = fenced(search, parent.source);
  const part = wording.includes('{function_code}') ? randomItem(functionsIn(parent.source), run) : null;
  return wording
    .replaceAll('{code_snippet}', () => `\n${program}\n`)
    .replaceAll('{function_code}', () => (part === null ? 'the program' : `\n${fenced(search, part)}\n`));
}

/** The bounds keep the search linear: no head of a function is as long. */
const functionHead = /^[A-Za-z_][^;{}()#]{0,300}\([^;{}]{0,2000}\)[^;{}()]{0,300}\{[ \t]*$/gm;

/** Functions at the outermost level, for words that ask about a function. Only braces are read. */
export function functionsIn(source: string): readonly string[] {
  const closing = matchBraces(source);
  return [...source.matchAll(functionHead)].flatMap(({ index, 0: head }) => {
    const end = closing.get(index + head.lastIndexOf('{'));
    return end === undefined ? [] : [source.slice(index, end + 1)];
  });
}

/** The place where each brace closes, by the place where it opens. */
function matchBraces(source: string): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: brace, index } of source.matchAll(/[{}]/g)) {
    if (brace === '{') open.push(index);
    else {
      const last = open.pop();
      if (last !== undefined) closing.set(last, index);
    }
  }
  return closing;
}
