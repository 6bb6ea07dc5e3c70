/**
 * Asks a model for a program and reads its reply. What cannot be used is sent back once with the reason; then the whole
 * program is asked for.
 */
import type { Run } from '../../../core/agent.ts';
import { cutFeedback, describeCut } from '../../../core/cut-off.ts';
import type { Message } from '../../../core/model.ts';
import type { CandidateNote } from '../../../notes/evolution.ts';
import { modelSettings, user } from '../../kit/asking.ts';
import { ask, type Draft, ideaIn, Meter } from '../asking.ts';
import { asOneFile } from '../first-programs.ts';
import { lookAtClock, ofUseIn, type Search, type Wording } from '../search.ts';
import type { Proposal, Work } from './operator.ts';
import { readProposal } from './proposal-in-reply.ts';

export const proposePrompts = {
  mismatch: `Your change could not be applied, and nothing was changed.

{{trouble}}

Send all blocks of the change again. They refer to the base program as shown, without any of them: the lines under SEARCH stand in it exactly so, and once.`,
  wholeInstead: `That could not be used either.

{{trouble}}

Give the whole program with your change in it instead, in one fenced block of code.`,
};

type Request = {
  readonly messages: readonly Message[];
  /** The program that blocks are applied to; null: a whole program is asked for. */
  readonly base: string | null;
  /** The program that is shown to the model: quoted in its reply, it is not the answer. Default: `base`. */
  readonly known?: string;
  /** The summary if the model does not say what it did. */
  readonly summary: string;
  /** For credit: the prompt of the search, unless the user's words took its place. */
  readonly prompt: string;
  readonly wording?: Wording | null;
};

export async function propose(work: Work, request: Request): Promise<Proposal> {
  const { prompt, wording } = request;
  const draft = await draftOf(work, request);
  // The words stand beside their name: the configuration may change during the search.
  const asked: CandidateNote['parameters'] = wording
    ? { prompt: wording.name, wording: wording.words }
    : { prompt };
  return { ...draft, parameters: { ...modelParameters(work.search, work.role), ...asked } };
}

export function modelParameters({ settings }: Search, role: string): CandidateNote['parameters'] {
  const { temperature } = settings;
  return temperature === null ? { role } : { role, temperature };
}

const repliesRead = 3;

async function draftOf(
  { search, run, role, doing, id }: Work,
  request: Request,
): Promise<Draft & Pick<Proposal, 'isUnanswered'>> {
  const { base, known } = request;
  const meter = new Meter();
  const messages = [...request.messages];
  let [trouble, summary] = ['', request.summary];
  for (let reply = 0; reply < repliesRead; reply += 1) {
    const settings = modelSettings(search.settings);
    const answer = await ask(run, { role, messages, settings, use: ofUseIn(search) }, meter);
    const common = { ...meter.spent, summary };
    if (!answer.ok) return { ...common, source: null, detail: answer.why, isUnanswered: true };
    if (reply === 0) summary = ideaIn(answer.text, request.summary);
    const own = search.underway.get(id);
    if (own) own.idea ??= summary;
    const read = readProposal(answer, base, known);
    if (read.source !== null) {
      const source = await asOneFile(run, search.problem, read.source);
      return { ...common, summary, source, detail: '', isUnanswered: false };
    }
    trouble = describeCut(answer) ?? read.trouble;
    search.unusable = trouble;
    if (reply + 1 < repliesRead && !(await lookAtClock(search, run))) break;
    const isLastChange = base !== null && reply + 2 === repliesRead;
    doing(isLastChange ? 'asks for the whole program' : 'sends back a reply that cannot be used');
    const again =
      base === null
        ? run.prompt('noProgram', { feedback: trouble })
        : run.prompt(isLastChange ? 'wholeInstead' : 'mismatch', { trouble });
    messages.push(answer.message, user(cutFeedback(answer) ?? again));
  }
  return { ...meter.spent, summary, source: null, detail: trouble, isUnanswered: false };
}

/** One of the user's wordings, drawn for each call; null: the user gave none. `key` is their key in the configuration. */
export function drawnWording(run: Run, key: string, texts: readonly string[]): Wording | null {
  return drawnFrom(
    texts.map((words, at) => ({ name: `${key}[${at}]`, words })),
    run,
  );
}

export function drawnFrom<T>(items: readonly T[], run: Run): T | null {
  return items.length === 0 ? null : (items[Math.floor(run.random() * items.length)] ?? null);
}
