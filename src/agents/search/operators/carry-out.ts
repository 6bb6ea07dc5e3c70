/**
 * Carries out a plan: asks a model for a program and reads the reply. A change whose blocks do not match is sent back
 * once; then the whole program is asked for. Only `tune` runs programs here.
 */
import type { Run } from '../../../core/agent.ts';
import type { Message } from '../../../core/model.ts';
import type { CandidateNote } from '../../../notes/evolution.ts';
import { codeBlocks } from '../../../text/code-blocks.ts';
import { modelSettings, user } from '../../kit/asking.ts';
import { ask, type Draft, line, Meter, opening, type ProposerRole, type Reply } from '../asking.ts';
import { chosenWording, drawnFrom } from '../experience.ts';
import { asOneFile, firstProgram } from '../first-programs.ts';
import { fenced, framed, hintsText } from '../frame.ts';
import type { Island, Program } from '../population.ts';
import { type Hint, lookAtClock, ofUseIn, type Search, type Wording } from '../search.ts';
import { tune } from '../tuning.ts';
import { applyBlocks, blocksIn, type Made } from './blocks.ts';
import type { Plan } from './plan.ts';

export type CarriedOut = Proposal & { readonly parameters: CandidateNote['parameters'] };

export async function carryOut(work: Work, plan: Plan): Promise<CarriedOut> {
  switch (plan.operator) {
    case 'initial':
      return begun(work);
    case 'repair':
      return repaired(work, plan.parent);
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
  const otherwise = `change ${parent.id}`;
  return asked(work, { messages, base: parent.source, otherwise, prompt: 'change', wording });
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
  const made = await asked(work, { messages, base: parent.source, otherwise, prompt: 'directed' });
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
  const otherwise = `${operator} ${parent.id}`;
  return asked(work, { messages, base: null, otherwise, prompt: operator, wording });
}

const casesShown = 3;
const inputCharacters = 600;

function repaired(work: Work, parent: Program): Promise<CarriedOut> {
  const { search, run, doing } = work;
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
  const messages = [...opening(run, problem), user(hints === '' ? content : `${content}\n\n${hints}`)];
  return asked(work, { messages, base: parent.source, otherwise: `repair ${parent.id}`, prompt: 'repair' });
}

async function asked(work: Work, request: Asked): Promise<CarriedOut> {
  const { prompt, wording } = request;
  const proposal = await propose(work, request);
  // The words beside their name: the configuration may change during the search.
  const worded: CarriedOut['parameters'] = wording
    ? { prompt: wording.name, wording: wording.words }
    : { prompt };
  return { ...proposal, parameters: { ...parametersOf(work.search), role: work.role, ...worded } };
}

async function tuned({ search, run, doing }: Work, parent: Program, hint: Hint | undefined) {
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

export type Work = {
  readonly search: Search;
  readonly island: Island;
  readonly run: Run;
  /** Notes what the line waits for. */
  readonly doing: (what: string) => void;
  readonly role: ProposerRole;
};

type Asked = {
  readonly messages: readonly Message[];
  /** What blocks are applied to; null: a whole program is asked for. */
  readonly base: string | null;
  /** The summary, where the model does not say what it did. */
  readonly otherwise: string;
  /** For credit: the prompt of the search, unless other words took its place. */
  readonly prompt: string;
  readonly wording?: Wording | null;
};

/** `isUnanswered`: the model failed or refused. */
type Proposal = Draft & { readonly isUnanswered: boolean };

const repliesRead = 3;

async function propose({ search, run, role, doing }: Work, asked: Asked): Promise<Proposal> {
  const { base, otherwise } = asked;
  const meter = new Meter();
  const messages = [...asked.messages];
  let [trouble, summary] = ['', otherwise];
  for (let reply = 0; reply < repliesRead; reply += 1) {
    const settings = modelSettings(search.settings);
    const answer = await ask(run, { role, messages, settings, use: ofUseIn(search) }, meter);
    const common = { ...meter.spent, summary };
    if (!answer.ok) return { ...common, source: null, detail: answer.why, isUnanswered: true };
    if (reply === 0) summary = ideaIn(answer.text, otherwise);
    const read = readProposal(answer, base);
    if (read.source !== null) {
      const source = await asOneFile(run, search.problem, read.source);
      return { ...common, summary, source, detail: '', isUnanswered: false };
    }
    trouble = read.trouble;
    if (reply + 1 < repliesRead && !(await lookAtClock(search, run))) break;
    const isLastChange = base !== null && reply + 2 === repliesRead;
    doing(isLastChange ? 'asks for the whole program' : 'sends back a reply that cannot be used');
    const again = run.prompt(isLastChange || base === null ? 'wholeInstead' : 'mismatch', { trouble });
    messages.push(answer.message, user(again));
  }
  return { ...meter.spent, summary, source: null, detail: trouble, isUnanswered: false };
}

/** Blocks where there are any; a model that wrote the whole program instead of blocks has answered as well. */
function readProposal({ text, finish }: Reply, base: string | null): Made {
  const isCutOff = finish === 'length';
  if (base === null) return wholeProgramIn(text, isCutOff);
  const blocks = blocksIn(text);
  if (blocks === null) {
    const why = isCutOff ? 'the reply was cut off' : 'its end is missing';
    return { source: null, trouble: `A SEARCH/REPLACE block is begun and not ended: ${why}.` };
  }
  if (blocks.length > 0) return applyBlocks(base, blocks);
  const whole = wholeProgramIn(text, isCutOff);
  if (whole.source !== null && whole.source.length > base.length * leastOfWhole) return whole;
  return applyBlocks(base, []);
}

/** A shorter block of code is an example, and no program. */
const leastOfWhole = 0.4;

/** The longest block that is closed: models quote pieces before and after it. */
export function wholeProgramIn(text: string, isCutOff: boolean): Made {
  const blocks = codeBlocks(text).filter(({ code }) => code.trim() !== '');
  const longest = blocks
    .filter(({ isClosed }) => isClosed)
    .toSorted((a, b) => b.code.length - a.code.length)[0];
  const open = blocks.find(({ isClosed }) => !isClosed);
  if (open && open.code.length > (longest?.code.length ?? 0)) {
    // A fence that was forgotten at the very end is no loss; a reply that was cut off is.
    if (!isCutOff) return { source: withEnd(open.code) };
    return { source: null, trouble: 'The reply was cut off before the program ended. Write a shorter one.' };
  }
  if (longest) return { source: withEnd(longest.code) };
  const trouble = 'There is no program in the reply: write it whole, in one fenced block of code.';
  return { source: null, trouble };
}
const withEnd = (code: string): string => `${code.trimEnd()}\n`;

/** `IDEA: …`, else the first words that are no code. */
export function ideaIn(text: string, otherwise: string): string {
  const said = /^(?:[*#>]|[^\S\r\n\u2028\u2029])*idea[\s*]*[::][\s*]*(.+)$/im.exec(text)?.[1];
  const first = text
    .replaceAll(/^```[\s\S]*?(?:^```|$(?![\s\S]))/gm, '')
    .replaceAll(/<{5,9}\s*SEARCH[\s\S]*?(?:>{5,9}\s*REPLACE|$(?![\s\S]))/g, '')
    .split('\n')
    .find((each) => /\w/.test(each));
  return line(said ?? first ?? otherwise);
}
