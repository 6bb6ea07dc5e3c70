/**
 * Carries out a plan: asks a model for a program and reads the reply. A change whose blocks do not match is sent back
 * once; then the whole program is asked for. Only `tune` runs programs here.
 */

import type { Run } from '../../../core/agent.ts';
import { cutFeedback } from '../../../core/cut-off.ts';
import { isJsonObject, type JsonObject } from '../../../core/json.ts';
import type { Message } from '../../../core/model.ts';
import type { CandidateNote } from '../../../notes/evolution.ts';
import { codeBlocks, isEscaped } from '../../../text/code-blocks.ts';
import { jsonInReply, withoutEntities, withoutThoughts } from '../../../text/model-json.ts';
import { modelSettings, user } from '../../kit/asking.ts';
import { ask, type Draft, ideaIn, line, Meter, opening, type ProposerRole, type Reply } from '../asking.ts';
import { asOneFile, firstProgram } from '../first-programs.ts';
import { fenced, framed, hintsText, shownSource } from '../frame.ts';
import { givenThatFailed, type Island, type Program } from '../population.ts';
import { type Hint, lookAtClock, ofUseIn, type Search, type Wording } from '../search.ts';
import { tune } from '../tuning.ts';
import { chosenWording, drawnFrom } from '../wordings.ts';
import { applyBlocks, type Made, unlessLeftOut } from './blocks.ts';
import { type Block, blocksIn, linesOf } from './blocks-in-reply.ts';
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
      return rewritten(work, plan);
  }
}

async function begun({ search, island, run, doing }: Work): Promise<CarriedOut> {
  doing(`asks for a first program: ${island.strategy.name}`);
  const failed = givenThatFailed(island);
  const draft = await firstProgram(run, search, { ...island, own: failed?.source });
  return { ...draft, isUnanswered: false, parameters: parametersOf(search) };
}

function changed(work: Work, parent: Program): Promise<CarriedOut> {
  const { search, island, run, doing, id } = work;
  doing(`asks for a change of ${parent.id}`);
  const wording = chosenWording(search, run, 'change');
  const filled = wording && filledChange(search, run, wording.words, parent);
  const request = filled ? run.prompt('userChange', { wording: filled }) : run.prompt('change');
  const showsParent = !wording?.words.includes('{code_snippet}');
  const messages = framed({ search, run, island, parent, id, request, showsParent });
  const otherwise = `change ${parent.id}`;
  return asked(work, { messages, base: parent.source, otherwise, prompt: 'change', wording });
}

/** What its user asked for, done now and by itself, so that it is seen what it is worth. */
async function directed(work: Work, parent: Program, hint: Hint): Promise<CarriedOut> {
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
  const messages = framed({ search, run, island, parent, id, hint, request });
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
  const { search, island, run, doing, id } = work;
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
  const messages = framed({
    search,
    run,
    island,
    parent,
    id,
    other: shown,
    request,
    showsParent: !isShown,
  });
  const otherwise = `${operator} ${parent.id}`;
  return asked(work, { messages, base: null, otherwise, prompt: operator, wording });
}

const casesShown = 3;
const inputCharacters = 600;

async function repaired(work: Work, parent: Program): Promise<CarriedOut> {
  const { search, run, doing } = work;
  doing(`asks for a repair of ${parent.id}`);
  const { problem } = search;
  const { summary, detail } = parent;
  const doesCompile = parent.status !== 'compile-error';
  // The compiler numbers the lines as they are.
  const program = fenced(search, doesCompile ? shownSource(search, parent) : parent.source);
  const content = doesCompile
    ? run.prompt('repairCases', { program, cases: failingText(search, parent) || detail, summary })
    : run.prompt('repairCompile', { program, message: detail, summary });
  const hints = hintsText(search);
  const messages = [...opening(run, problem), user(hints === '' ? content : `${content}\n\n${hints}`)];
  const request = { messages, base: parent.source, otherwise: `repair ${parent.id}`, prompt: 'repair' };
  const made = await asked(work, request);
  // What was wrong is no idea: the program keeps the one that it carries out, and the hint that it is for.
  const { hint } = parent.parameters;
  const parameters = { ...made.parameters, repair: made.summary, ...(hint === undefined ? {} : { hint }) };
  return { ...made, summary, parameters };
}

function failingText({ points, settings }: Search, { outcomes }: Program): string {
  const failing = outcomes.filter((outcome) => points.trouble(outcome, settings) !== null);
  const cases = failing.slice(0, casesShown).map((outcome) => {
    const { name, verdict, said = '' } = outcome;
    const input = outcome.input?.slice(0, inputCharacters).toWellFormed().trimEnd();
    // Where a program is only too slow, its input says no more than the size of it.
    const isShown = verdict !== 'TLE';
    const head = input && isShown ? `\nIts input begins:\n${input}` : '';
    return `${name}: ${points.trouble(outcome, settings)}${head}${said && `\nIts standard error ends:\n${said}`}`;
  });
  const sound = outcomes.length - failing.length;
  if (sound > 0) cases.push(`On ${sound} of ${outcomes.length} cases it was sound.`);
  return cases.join('\n\n');
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
  let nothing = 'There is no constant in it whose change made it better.';
  const found = await tune(run, task, {
    source: parent.source,
    cases: cases.search,
    evaluations: settings.tuneEvaluations,
    best: points.best,
    timeMargin: settings.timeMargin,
    only: hint?.range,
    mayGoOn: () => lookAtClock(search, run),
    onNothing: (told) => (nothing = told),
  });
  const common = { ...new Meter().spent, isUnanswered: false };
  if (!found) {
    const detail =
      search.over === null
        ? nothing
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
  /** The candidate that is made. */
  readonly id: string;
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

async function propose({ search, run, role, doing, id }: Work, asked: Asked): Promise<Proposal> {
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
    const own = search.underway.get(id);
    if (own) own.idea ??= summary;
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
export function readProposal(reply: Pick<Reply, 'text' | 'finish' | 'rawFinish'>, base: string | null): Made {
  const { text, finish } = reply;
  const cut = cutFeedback(reply);
  if (cut !== null) return { source: null, trouble: cut };
  const said = plainSigns(text, base ?? '');
  const isObject = /^[^{]{0,400}\{\s*["'\w]+\s*:/.test(said);
  const value = isObject ? jsonInReply(said) : null;
  const object = isJsonObject(value) ? value : {};
  const program = object.program ?? object.code ?? object.source;
  if (typeof program === 'string') return readProposal({ text: asFenced(program), finish }, base);
  if (base === null) return unlessLeftOut(wholeProgramIn(said), '');
  const edits = editsIn(object);
  const blocks = edits.length > 0 ? edits : blocksIn(said);
  if (blocks === null)
    return { source: null, trouble: 'A SEARCH/REPLACE block is begun and not ended: its end is missing.' };
  const [first] = blocks;
  const inserted = first?.search.join('').trim() === '' ? first.replace.join('\n') : '';
  if (blocks.length === 1 && isProgram(inserted)) return { source: withEnd(inserted) };
  if (blocks.length > 0) return unlessLeftOut(applyBlocks(base, blocks), base);
  const whole = wholeProgramIn(said);
  const source = whole.source ?? '';
  const isLong = source.length > base.length * leastOfWhole;
  if (isProgram(source) || (isLong && !isProgram(base))) return unlessLeftOut(whole, base);
  return applyBlocks(base, []);
}

/** Without entities of HTML, spaces of other widths and marks without any, unless the program has them. */
function plainSigns(text: string, base: string): string {
  const said = isEscaped(text) && !isEscaped(base) ? withoutEntities(text) : text;
  if (/[\u00a0\u200b\u202f\u3000\ufeff]/.test(base)) return said;
  return said.replaceAll(/[\u200b\ufeff]/g, '').replaceAll(/[\u00a0\u202f\u3000]/g, ' ');
}

const asFenced = (code: string): string => (/^\s*[`~]{3}/m.test(code) ? code : `\`\`\`\n${code}\n\`\`\``);

/** Of an object, one change or a list of them; all of them or none. */
function editsIn(object: JsonObject): readonly Block[] {
  const list = [object.edits, object.changes, object.blocks].find(Array.isArray) ?? [object];
  const blocks = list.filter(isJsonObject).flatMap((each) => {
    const search = each.search ?? each.old_str ?? each.old_string ?? each.old;
    const replace = each.replace ?? each.new_str ?? each.new_string ?? each.new;
    const isEdit = typeof search === 'string' && typeof replace === 'string';
    return isEdit ? [{ search: linesOf(search), replace: linesOf(replace) }] : [];
  });
  return blocks.length === list.length ? blocks : [];
}

/** A shorter block of code is an example, and no program, unless it looks like one. */
const leastOfWhole = 0.4;

const isProgram = (code: string): boolean =>
  /^[ \t]*#[ \t]*include\b/m.test(code) && /\bmain\s*\(/.test(code);

/** The longest block that is closed, because models quote pieces; of programs that are more than half as long, the last. */
export function wholeProgramIn(text: string): Made {
  const said = withoutThoughts(text);
  const blocks = codeBlocks(said).filter(({ code }) => code.trim() !== '');
  const closed = blocks.filter(({ isClosed }) => isClosed);
  const longest = closed.toSorted((a, b) => b.code.length - a.code.length)[0];
  const open = blocks.find(({ isClosed }) => !isClosed);
  if (open && open.code.length > (longest?.code.length ?? 0)) {
    // A fence that was forgotten at the very end is no loss.
    if (hasEnd(open.code)) return { source: withEnd(open.code) };
    return { source: null, trouble: 'The reply ends before its program does. Write a shorter one.' };
  }
  if (longest) {
    const last = closed.findLast(({ code }) => isProgram(code) && code.length > longest.code.length / 2);
    return { source: withEnd((last ?? longest).code) };
  }
  const bare = blocks.length > 0 ? '' : bareProgram(said);
  if (isProgram(bare)) return { source: withEnd(bare) };
  const trouble = 'There is no program in the reply: write it whole, in one fenced block of code.';
  return { source: null, trouble };
}

/** Without a fence: from the first `#include` to the last line that closes a brace at the margin. */
function bareProgram(text: string): string {
  const lines = linesOf(text);
  const start = lines.findIndex((line) => /^#[ \t]*include\b/.test(line));
  return start < 0
    ? ''
    : lines.slice(start, lines.findLastIndex((line) => line.startsWith('}')) + 1).join('\n');
}

/** It ends with a brace at the margin, or all of its braces are closed. */
const hasEnd = (code: string): boolean =>
  linesOf(code.trimEnd()).at(-1)?.startsWith('}') || code.split('{').length === code.split('}').length;

const withEnd = (code: string): string => `${code.trimEnd()}\n`;
