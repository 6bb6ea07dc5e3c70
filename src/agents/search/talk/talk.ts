/**
 * Messages of the user to a running session. Valid settings change it; words become hints or are answered, in branches
 * of their own, so that no line of search waits. Mail is an effect: after a crash it arrives at the same place.
 */

import { z } from 'zod';
import type { Run } from '../../../core/agent.ts';
import { describeCut } from '../../../core/cut-off.ts';
import { EffectFailed, LimitReached } from '../../../core/errors.ts';
import {
  type EvolutionMessage,
  type EvolutionNotes,
  parseEvolutionMessage,
  write,
} from '../../../notes/evolution.ts';
import { modelSettings, outputForm, user } from '../../kit/asking.ts';
import { firstMessages, objectIn, requestReply } from '../asking.ts';
import { constantsNamed, liftConstants } from '../constants.ts';
import { changedSettings } from '../evolution-settings.ts';
import { formatRanking } from '../frame.ts';
import type { Hint, Search } from '../search.ts';
import { type MessageMeaning, referencesOf } from '../sources.ts';

export const talkPrompts = {
  listen: `Programs for an optimisation problem are being improved by a search. The person who watches it says, in any language:

{{words}}

Parameters of the best program: {{parameters}}.

What is it?
- "question": something is to be answered, and nothing done: weaknesses, reasons, what was tried.
- "range": a parameter is to be tried between two numbers. "parameter": its name, the one of the program where it is meant; "low", "high": the numbers.
- "reference": an algorithm or a past contest is to be learned from. "contests": ids such as ahc015; "algorithms": in English, as somebody would look them up: beam search. A request that is put as a question ("could the beam search of ahc015 help?") is this.
- "hint": anything else that the next programs should do or leave.

Reply with one JSON object {"kind", "parameter", "low", "high", "contests", "algorithms"}, with "", null or [] where nothing is said, and nothing else.`,
  question: `Programs for this problem are being evolved. The person who watches this asks you a question. Answer it from what is shown, in the language in which it is asked; say where you do not know. Do not write a whole program.

{{standing}}

The question: {{question}}`,
};

/** Returns when all talks are finished. */
export async function readInbox(search: Search, run: Run): Promise<void> {
  for (const dialogue of await receiveMessages(search, run)) await dialogue;
}

/** Talks that are not finished when this returns: await them before the branch ends. */
export async function receiveMessages(search: Search, run: Run): Promise<readonly Promise<void>[]> {
  const talks: Promise<void>[] = [];
  for (const message of await run.inbox()) {
    const mail = parseEvolutionMessage(message);
    if (mail.type === 'settings') takeSettings(search, run, mail.settings);
    else if (mail.type === 'hint' && mail.key === undefined) takeHint(search, run, { text: mail.text });
    else {
      search.talks += 1;
      talks.push(run.branch(`talk-${search.talks}`, (here) => converse(search, here, mail)));
    }
  }
  return talks;
}

/** Noted as `changed`, or as `rejected`. */
export function takeSettings(
  search: Search,
  run: Run,
  settings: EvolutionNotes['changed']['settings'],
): void {
  const read = changedSettings.safeParse(settings);
  if (!read.success) {
    return write(run, 'rejected', { settings, because: z.prettifyError(read.error) });
  }
  const input = Object.keys(settings);
  // Settings that were not sent keep their values; their defaults are dropped.
  const changes = Object.fromEntries(Object.entries(read.data).filter(([name]) => input.includes(name)));
  search.settings = { ...search.settings, ...changes };
  write(run, 'changed', { settings });
}

type Done = Pick<EvolutionNotes['heard'], 'hint' | 'reply'>;

/** Numbered, in every prompt from then on; each island's next candidate is made for the newest. */
export function takeHint(
  search: Search,
  run: Run,
  { text, range, sources = [] }: Pick<Hint, 'text'> & Partial<Hint>,
): Hint {
  const hint: Hint = { number: search.hints.length + 1, text, sources, range };
  search.hints.push(hint);
  const islands = new Set(search.islands.map((island) => island.number));
  // Said before there are islands, it is in their first prompts.
  if (islands.size > 0) search.directed.push({ hint, islands });
  write(run, 'hint', {
    number: hint.number,
    text,
    range,
    sources: sources.length > 0 ? sources.map(({ name }) => name) : undefined,
  });
  return hint;
}

/** One message in words: what it means is done, and told in one note, by which its sender knows it again. */
async function converse(search: Search, run: Run, message: Exclude<EvolutionMessage, { type: 'settings' }>) {
  const { text } = message;
  const { meaning, by } =
    message.type === 'said'
      ? await listen(search, run, text)
      : ({ meaning: { kind: message.type, text }, by: 'sender' } as const);
  const done = await executeMeaning(search, run, meaning);
  if (message.key === undefined) return;
  write(run, 'heard', { key: message.key, text, became: meaning.kind, by, ...done });
}

async function executeMeaning(search: Search, run: Run, meaning: MessageMeaning): Promise<Done> {
  switch (meaning.kind) {
    case 'question':
      return { hint: null, reply: await answerTo(search, run, meaning.text) };
    case 'hint':
      return recordHint(search, takeHint(search, run, { text: meaning.text }).number, '');
    case 'range': {
      const { number } = takeHint(search, run, meaning);
      return recordHint(search, number, rangeText(search, meaning.range));
    }
    case 'reference': {
      const { sources, missing } = await referencesOf(run, search.problem, meaning);
      const { number } = takeHint(search, run, { text: meaning.text, sources });
      const names = sources.map(({ name }) => name).join(', ');
      const text = names ? `Its prompt shows ${names}.` : '';
      const none = missing.length > 0 && `Neither library nor past contests have ${missing.join(', ')}.`;
      return recordHint(search, number, [text, none].filter(Boolean).join(' '));
    }
  }
}

function recordHint({ over }: Search, number: number, more: string): Done {
  const effect =
    over === null
      ? 'The next candidate of each line of search is made for it, and later prompts hold it.'
      : 'The search is over already: it holds only if the session goes on.';
  return { hint: number, reply: [`Taken as hint ${number}.`, more, effect].filter(Boolean).join(' ') };
}

function rangeText({ champion }: Search, { name, low, high }: NonNullable<EvolutionNotes['hint']['range']>) {
  const named = champion ? constantsNamed(champion.source, name).map((each) => each.name) : [];
  const where = `from ${low} to ${high}`;
  return named.length > 0
    ? `${named.join(', ')} of the best program ${named.length > 1 ? 'are' : 'is'} searched ${where}, without a model.`
    : `The best program has no constant of the name ${name}: the model is asked to make it one, to be searched ${where}.`;
}

/** Answers from the state of the search and changes nothing else. Where the call fails, the session goes on. */
async function answerTo(search: Search, run: Run, question: string): Promise<string> {
  const { problem, settings } = search;
  const content = run.prompt('question', { question, standing: formatRanking(search) });
  const reply = await orError(() =>
    requestReply(run, {
      role: 'adviser',
      messages: [...firstMessages(run, problem), user(content)],
      settings: modelSettings({ ...settings, temperature: null }),
    }),
  );
  const text =
    'trouble' in reply
      ? `Nobody can be asked any more: ${reply.trouble}`
      : reply.value.ok
        ? [reply.value.text, describeCut(reply.value)].filter(Boolean).join('\n\n')
        : reply.value.why;
  write(run, 'answer', { question, text });
  return text;
}
const heard = z.object({
  kind: z.enum(['hint', 'question', 'range', 'reference']),
  parameter: z.string().default(''),
  low: z.number().nullable().default(null),
  high: z.number().nullable().default(null),
  contests: z.array(z.string()).default([]),
  algorithms: z.array(z.string()).default([]),
});

const output = outputForm('meaning', heard, { io: 'input', repair: false });

/** What a person means: asked of a model in one cheap call; a hint where it does not say. */
async function listen(search: Search, run: Run, text: string) {
  const meaning = await orError(() => interpretByModel(search, run, text));
  if ('value' in meaning && meaning.value) return { meaning: meaning.value, by: 'model' } as const;
  return { meaning: { kind: 'hint', text }, by: 'default' } as const;
}

async function interpretByModel(search: Search, run: Run, text: string): Promise<MessageMeaning | null> {
  const content = run.prompt('listen', { words: text, parameters: parametersIn(search) });
  const reply = await requestReply(run, {
    role: 'listener',
    messages: [user(content)],
    settings: {},
    output,
  });
  const read = reply.ok ? heard.safeParse(objectIn(reply)) : null;
  return read?.success ? interpretMessage(text, read.data) : null;
}

/** What its user said stays in its user's words; null where the reply contradicts itself. */
function interpretMessage(text: string, said: z.infer<typeof heard>): MessageMeaning | null {
  switch (said.kind) {
    case 'range': {
      const { parameter: name, low, high } = said;
      if (name.trim() === '' || low === null || high === null || low === high) return null;
      return {
        kind: 'range',
        text,
        range: { name: name.trim(), low: Math.min(low, high), high: Math.max(low, high) },
      };
    }
    case 'reference': {
      const contests = said.contests.map((id) => id.trim().toLowerCase()).filter((id) => id !== '');
      const algorithms = said.algorithms.filter((each) => each.trim() !== '');
      const isEmpty = contests.length + algorithms.length === 0;
      return isEmpty ? null : { kind: 'reference', text, contests, algorithms };
    }
    default:
      return { kind: said.kind, text };
  }
}

const mostParameters = 40;

function parametersIn({ champion }: Search): string {
  const names = champion ? liftConstants(champion.source).constants : [];
  const visible = names.slice(0, mostParameters);
  return visible.map(({ name, text }) => `${name} = ${text}`).join(', ') || 'none is known';
}

/** A limit or an outage is a value here: talk must not end a search. */
async function orError<T>(call: () => Promise<T>) {
  try {
    return { value: await call() };
  } catch (error) {
    if (error instanceof LimitReached || error instanceof EffectFailed) return { trouble: error.message };
    throw error;
  }
}
