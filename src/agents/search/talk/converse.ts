/** One thing that its user said: found out what it is, done, and told in one note, by which its sender knows it again. */
import type { Run } from '../../../core/agent.ts';
import type { EvolutionMail, EvolutionNotes } from '../../../notes/evolution.ts';
import { constantsNamed } from '../named-constants.ts';
import { type Search, write } from '../search.ts';
import { answerTo } from './answering.ts';
import { takeHint } from './hints.ts';
import { listen } from './listening.ts';
import { referencesOf } from './references.ts';
import type { Meaning } from './rules.ts';

type Words = Exclude<EvolutionMail, { readonly type: 'settings' }>;
type Done = Pick<EvolutionNotes['heard'], 'hint' | 'reply'>;

export async function converse(search: Search, run: Run, mail: Words): Promise<void> {
  const { text } = mail;
  const { meaning, by } =
    mail.type === 'said'
      ? await listen(search, run, text)
      : ({ meaning: { kind: mail.type, text }, by: 'sender' } as const);
  const done = await carriedOut(search, run, meaning);
  if (mail.key === undefined) return;
  write(run, 'heard', { key: mail.key, text, became: meaning.kind, by, ...done });
}

async function carriedOut(search: Search, run: Run, meaning: Meaning): Promise<Done> {
  switch (meaning.kind) {
    case 'question':
      return { hint: null, reply: await answerTo(search, run, meaning.text) };
    case 'hint':
      return hinted(search, takeHint(search, run, { text: meaning.text }).number, '');
    case 'range': {
      const { number } = takeHint(search, run, meaning);
      return hinted(search, number, rangeText(search, meaning.range));
    }
    case 'reference': {
      const { sources, missing } = await referencesOf(run, search.problem, meaning);
      const { number } = takeHint(search, run, { text: meaning.text, sources });
      return hinted(
        search,
        number,
        referenceText(
          sources.map(({ name }) => name),
          missing,
        ),
      );
    }
  }
}

function hinted({ over }: Search, number: number, more: string): Done {
  const effect =
    over === null
      ? 'The next candidate of each line of search is made for it, and later prompts hold it.'
      : 'The search is over already: it holds only if the session goes on.';
  return { hint: number, reply: [`Taken as hint ${number}.`, more, effect].filter(Boolean).join(' ') };
}

function rangeText(
  { champion }: Search,
  { name, low, high }: NonNullable<EvolutionNotes['hint']['range']>,
): string {
  const named = champion ? constantsNamed(champion.source, name).map((each) => each.name) : [];
  const where = `from ${low} to ${high}`;
  return named.length > 0
    ? `${named.join(', ')} of the best program ${named.length > 1 ? 'are' : 'is'} searched ${where}, without a model.`
    : `The best program has no constant of the name ${name}: the model is asked to make it one, to be searched ${where}.`;
}

function referenceText(found: readonly string[], missing: readonly string[]): string {
  const shown = found.length > 0 ? `Its prompt shows ${found.join(', ')}.` : '';
  const none = missing.length > 0 ? `Neither library nor past contests have ${missing.join(', ')}.` : '';
  return [shown, none].filter(Boolean).join(' ');
}
