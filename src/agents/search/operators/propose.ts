/**
 * Asks a model for a program and reads its reply. What cannot be used is sent back once with the reason; then the whole
 * program is asked for.
 */
import type { Run } from '../../../core/agent.ts';
import { cutFeedback, describeCut } from '../../../core/cut-off.ts';
import type { Message } from '../../../core/model.ts';
import type { CandidateNote } from '../../../notes/evolution.ts';
import { modelSettings, user } from '../../kit/asking.ts';
import { extractIdea, Meter, type Reply, requestReply } from '../asking.ts';
import { answeredBy, checkClock, ofUseIn, type Search, type Wording } from '../search.ts';
import { asOneFile } from '../sources.ts';
import type { EditResult } from './blocks.ts';
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
  const { messages, summary, base, known, prompt, wording } = request;
  const draft = await draftOf(work, {
    messages,
    summary,
    attempts: maxReplies,
    read: (reply) => readProposal(reply, base, known),
    retry: (error, attempt) => correction(work, base, error, attempt),
  });
  // The words stand beside their name: the configuration may change during the search.
  const asked: CandidateNote['parameters'] = wording
    ? { prompt: wording.name, wording: wording.words }
    : { prompt };
  return { ...draft, parameters: { ...modelParameters(work.search, work.role), ...asked } };
}

const maxReplies = 3;

/** Null where the time is over. */
async function correction(
  { search, run, doing }: Work,
  base: string | null,
  error: string,
  attempt: number,
): Promise<string | null> {
  if (!(await checkClock(search, run))) return null;
  const isLastChange = base !== null && attempt + 1 === maxReplies;
  doing(isLastChange ? 'asks for the whole program' : 'sends back a reply that cannot be used');
  if (base === null) return run.prompt('noProgram', { feedback: error });
  return run.prompt(isLastChange ? 'wholeInstead' : 'mismatch', { trouble: error });
}

export function modelParameters({ settings }: Search, role: string): CandidateNote['parameters'] {
  const { temperature } = settings;
  return temperature === null ? { role } : { role, temperature };
}

type Dialogue = Pick<Request, 'messages' | 'summary'> & {
  /** Replies that are read at most. */
  readonly attempts: number;
  read(reply: Reply): EditResult;
  /** What is sent back after a reply that could not be used, the first being 1; null: nothing more is asked. */
  retry(error: string, attempt: number): Promise<string | null>;
};

/** Asks until a reply holds a program. */
export async function draftOf(
  { search, run, role, id }: Work,
  { messages: request, summary: otherwise, attempts, read, retry }: Dialogue,
): Promise<Omit<Proposal, 'parameters'>> {
  const meter = new Meter();
  const messages = [...request];
  let summary = otherwise;
  for (let attempt = 1; ; attempt += 1) {
    const settings = modelSettings(search.settings);
    const answer = await answeredBy(search, run, role, () =>
      requestReply(run, { role, messages, settings, use: ofUseIn(search) }, meter),
    );
    const common = { ...meter.spent, source: null, isUnanswered: false };
    if (!answer.ok) return { ...common, summary, detail: answer.why, isUnanswered: true };
    if (attempt === 1) summary = extractIdea(answer.text, otherwise);
    const own = search.underway.get(id);
    if (own) own.idea ??= summary;
    const editResult = read(answer);
    if (editResult.source !== null) {
      const source = await asOneFile(run, search.problem, editResult.source);
      return { ...common, summary, source, detail: '' };
    }
    const error = describeCut(answer) ?? editResult.trouble;
    search.unusable = error;
    const next = attempt < attempts ? await retry(error, attempt) : null;
    if (next === null) return { ...common, summary, detail: error };
    messages.push(answer.message, user(cutFeedback(answer) ?? next));
  }
}

/** One of the user's wordings, drawn for each call; null: the user gave none. `key` is their key in the configuration. */
export function randomWording(run: Run, key: string, texts: readonly string[]): Wording | null {
  return randomItem(
    texts.map((words, at) => ({ name: `${key}[${at}]`, words })),
    run,
  );
}

export function randomItem<T>(items: readonly T[], run: Run): T | null {
  return items.length === 0 ? null : (items[Math.floor(run.random() * items.length)] ?? null);
}
