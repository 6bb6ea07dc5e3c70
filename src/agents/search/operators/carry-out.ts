/** Carries out a plan: what each operator asks for, and what it works with. Only `tune` runs programs here. */
import type { Run } from '../../../core/agent.ts';
import type { CandidateNote } from '../../../notes/evolution.ts';
import { user } from '../../kit/asking.ts';
import { line, Meter, opening } from '../asking.ts';
import { chosenWording, drawnFrom } from '../experience.ts';
import { firstProgram } from '../first-programs.ts';
import { fenced, framed, hintsText } from '../frame.ts';
import type { Program } from '../population.ts';
import { type Hint, lookAtClock, type Search, type Wording } from '../search.ts';
import { tune } from '../tuning.ts';
import type { Plan } from './plan.ts';
import { type Proposal, propose, type Work } from './proposing.ts';

export type CarriedOut = Proposal & { readonly parameters: CandidateNote['parameters'] };

export async function carryOut(work: Work, plan: Plan): Promise<CarriedOut> {
  switch (plan.operator) {
    case 'initial':
      return begun(work);
    case 'repair':
      return asked(work, repairRequest(work, plan.parent), plan.parent.source, {
        otherwise: `repair ${plan.parent.id}`,
        prompt: 'repair',
      });
    case 'tune':
      return tuned(work, plan.parent, plan.hint);
    case 'change':
      return plan.hint ? directed(work, plan.parent, plan.hint) : changed(work, plan.parent);
    case 'crossover':
    case 'rewrite':
    case 'simplify':
      return rewritten(work, plan);
  }
}

async function begun({ search, island, run, doing }: Work): Promise<CarriedOut> {
  doing(`asks for a first program: ${island.strategy.name}`);
  const draft = await firstProgram(run, search, island.strategy);
  return { ...draft, isUnanswered: false, parameters: parametersOf(search) };
}

function changed(work: Work, parent: Program): Promise<CarriedOut> {
  const { search, island, run, doing } = work;
  doing(`asks for a change of ${parent.id}`);
  const wording = chosenWording(search, run, 'change');
  const filled = wording && filledChange(search, run, wording.words, parent);
  const request = filled ? run.prompt('userChange', { wording: filled }) : run.prompt('change');
  const showsParent = !wording?.words.includes('{code_snippet}');
  const messages = framed({ search, run, island, parent, request, showsParent });
  return asked(work, messages, parent.source, {
    otherwise: `change ${parent.id}`,
    prompt: 'change',
    wording,
  });
}

/** What its user asked for, done now and by itself, so that it is seen what it is worth. */
async function directed(work: Work, parent: Program, hint: Hint): Promise<CarriedOut> {
  const { search, island, run, doing } = work;
  doing(`asks for a change of ${parent.id}, for hint ${hint.number}`);
  const { name = '', low = 0, high = 0 } = hint.range ?? {};
  const sources = hint.sources.map(({ text }) => text).join('\n\n');
  const more = [
    hint.range ? run.prompt('directedRange', { name, low: String(low), high: String(high) }) : '',
    sources === '' ? '' : run.prompt('directedSources', { sources }),
  ].join('');
  const wording = run.prompt('directed', { hint: hint.text, more });
  const request = run.prompt('directedChange', { wording });
  const messages = framed({ search, run, island, parent, request });
  const otherwise = `hint ${hint.number}: ${line(hint.text)}`;
  const made = await asked(work, messages, parent.source, { otherwise, prompt: 'directed' });
  return { ...made, parameters: { ...made.parameters, hint: hint.number } };
}

function filledChange(search: Search, run: Run, wording: string, parent: Program): string {
  const whole = fenced(search, parent.source);
  const part = wording.includes('{function_code}') ? drawnFrom(functionsIn(parent.source), run) : null;
  return wording
    .replaceAll('{code_snippet}', () => `\n${whole}\n`)
    .replaceAll('{function_code}', () => (part === null ? 'the program' : `\n${fenced(search, part)}\n`));
}

function rewritten(work: Work, plan: Extract<Plan, { readonly other: Program | null }>): Promise<CarriedOut> {
  const { search, island, run, doing } = work;
  const { operator, parent, other } = plan;
  const isCrossing = operator === 'crossover' && other !== null;
  doing(`asks for a ${operator} of ${parent.id}${isCrossing ? ` and ${other.id}` : ''}`);
  const wording = isCrossing ? chosenWording(search, run, 'crossover') : null;
  const filled = wording?.words
    .replaceAll('{code_A}', () => `\n${fenced(search, parent.source)}\n`)
    .replaceAll('{code_B}', () => `\n${fenced(search, other?.source ?? '')}\n`);
  const request = filled ? run.prompt('userCrossover', { wording: filled }) : run.prompt(operator);
  const isShown = filled?.includes(parent.source.trimEnd()) ?? false;
  const shown = isShown ? null : other;
  const messages = framed({ search, run, island, parent, other: shown, request, showsParent: !isShown });
  return asked(work, messages, null, { otherwise: `${operator} ${parent.id}`, prompt: operator, wording });
}

const casesShown = 3;
const inputCharacters = 600;

function repairRequest({ search, run, doing }: Work, parent: Program) {
  doing(`asks for a repair of ${parent.id}`);
  const { points, settings, problem } = search;
  const program = fenced(search, parent.source);
  const { summary, detail } = parent;
  const failing = parent.outcomes.filter((outcome) => points.trouble(outcome, settings) !== null);
  const cases = failing.slice(0, casesShown).map((outcome) => {
    const input = outcome.input?.slice(0, inputCharacters).toWellFormed().trimEnd();
    const head = input ? `\nIts input begins:\n${input}` : '';
    return `${outcome.name}: ${points.trouble(outcome, settings)}${head}`;
  });
  const content =
    parent.status === 'compile-error'
      ? run.prompt('repairCompile', { program, message: detail, summary })
      : run.prompt('repairCases', { program, cases: cases.join('\n\n') || detail, summary });
  const hints = hintsText(search);
  return [...opening(run, problem), user(hints === '' ? content : `${content}\n\n${hints}`)];
}

/** `base`: what a change is applied to; null: a whole program is asked for. */
async function asked(
  work: Work,
  messages: ReturnType<typeof framed>,
  base: string | null,
  {
    otherwise,
    prompt,
    wording = null,
  }: {
    /** What is told of it where its reply says nothing. */
    otherwise: string;
    /** For credit: the prompt of the search, where no other words took its place. */
    prompt: string;
    wording?: Wording | null;
  },
): Promise<CarriedOut> {
  const proposal = await propose(work, { messages, base, otherwise });
  // Its words beside its name: what stands at a place of the configuration may be rewritten while the search goes on.
  const worded: CarriedOut['parameters'] = wording
    ? { prompt: wording.name, wording: wording.words }
    : { prompt };
  return { ...proposal, parameters: { ...parametersOf(work.search), role: work.role, ...worded } };
}

async function tuned(
  { search, run, doing }: Work,
  parent: Program,
  hint: Hint | undefined,
): Promise<CarriedOut> {
  const { settings, task, cases, points } = search;
  doing(`tunes ${hint?.range ? hint.range.name : 'the constants'} of ${parent.id}`);
  // One that was asked for leaves the other constants as they were.
  if (!hint) search.tuned.add(parent.id);
  const directed: CandidateNote['parameters'] = hint ? { hint: hint.number } : {};
  const found = await tune(run, task, {
    source: parent.source,
    cases: cases.search,
    evaluations: settings.tuneEvaluations,
    best: points.best,
    timeMargin: settings.timeMargin,
    only: hint?.range,
    mayGoOn: () => lookAtClock(search, run),
  });
  const common = { ...new Meter().spent, isUnanswered: false };
  if (!found) {
    const detail =
      search.over === null
        ? 'There is no constant in it whose change made it better.'
        : 'The search was over before a change of its constants had proved better.';
    return { ...common, source: null, summary: `tune ${parent.id}`, detail, parameters: directed };
  }
  const { source, summary, constants, evaluations } = found;
  return { ...common, source, summary, detail: '', parameters: { ...constants, evaluations, ...directed } };
}

function parametersOf({ settings }: Search): CandidateNote['parameters'] {
  return { role: 'solver', ...(settings.temperature === null ? {} : { temperature: settings.temperature }) };
}

/** The bounds keep the search linear: no head is as long. */
const functionHead = /^[A-Za-z_][^;{}()#]{0,300}\([^;{}]{0,2000}\)[^;{}()]{0,300}\{[ \t]*$/gm;

/** Functions at the outermost level, each whole, for words that ask about a function. It reads braces alone. */
export function functionsIn(source: string): readonly string[] {
  const closing = closingBraces(source);
  return [...source.matchAll(functionHead)].flatMap(({ index, 0: head }) => {
    const end = closing.get(index + head.lastIndexOf('{'));
    return end === undefined ? [] : [source.slice(index, end + 1)];
  });
}

/** Where each brace closes, by where it opens. */
function closingBraces(source: string): ReadonlyMap<number, number> {
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
