/**
 * What takes an answer back behind it and puts another one in its place: a turn (`Wait, …`, `I forgot …`, `not 30`), and a
 * last clause that holds hardly more than another value of the same form. One without the other is chatter.
 */
import { withoutNotes } from './notes.ts';
import { isShort } from './profiles.ts';
import { copula } from './sentence.ts';
import words from './words.json' with { type: 'json' };

/** `text`: the value that is put in the place of the one in `said`; null where none is told in so few words. */
export function correctionOf(text: string, suffix: string): { start: number; text: string | null } | null {
  const form = forms.find((each) => each.said.test(text));
  const value = form?.value.exec(undollared(text))?.[0];
  const denied = value === undefined ? null : denialOf(value);
  const turns = [turn, denied].map((each) => each?.exec(suffix) ?? null).filter((each) => each !== null);
  const [first] = turns.toSorted((a, b) => a.index - b.index);
  if (!first) return null;
  const start = first.index;
  const tail = undollared(withoutNotes(suffix.slice(start + first[0].length)));
  if (!form || value === undefined || !denied || !isShort(tail)) return { start, text: null };
  const afterwards = lastValue(tail.replace(denied, ''), form.value);
  return {
    start,
    text: afterwards?.startsWith(value) && !/^\w/.test(afterwards.slice(value.length)) ? null : afterwards,
  };
}

/** What corrects has the form of what it corrects. */
const forms = [
  { said: /^\W*[A-J]\W*$/, value: /\b[A-J]\b/ },
  { said: /\d/, value: /[-+]?[$€£¥]?(?:\\frac\{\d+\}\{\d+\}|\d(?:[\d.,/:]*\d)?)%?/ },
  { said: /^\W*\p{Lu}\p{L}+\W*$/u, value: /\p{Lu}\p{L}+/u },
];

const turn = new RegExp(
  String.raw`(?<=^|[.!?…,;(\n—–-]\s{0,9})[*_(]{0,4}(?:(?:${words.turns})(?!\p{L})|(?:(?:${words.interjections})(?!\p{L})[*_]*\s*(?:[,、.!:…—–-]+\s*)?){0,2}(?:${words.interjections})[*_]*\s*[,、.!:…—–-])`,
  'iu',
);

/** `not 30`, `≠ 30`. */
function denialOf(value: string): RegExp {
  const exact = value.replaceAll(/[$\\.+(){}/]/g, '\\$&');
  return new RegExp(`,?\\s*(?:${words.not})\\s*${exact}(?![.,]?\\d)`, 'iu');
}

/** Of the last clause, with its unit, where it holds little else and supposes and denies nothing. */
function lastValue(tail: string, form: RegExp): string | null {
  const sentence = sentenceAtEnd(tail).replace(/,?\s(?:because|since|as)\b\D*$/, '');
  const clause = sentence.split(clauses).at(-1) ?? '';
  const found = [...clause.matchAll(new RegExp(form.source, 'gu'))].at(-1);
  if (!found || /\b(?:if|would|could|might|may)\b/i.test(sentence)) return null;
  const [ahead, suffix] = [clause.slice(0, found.index), clause.slice(found.index + found[0].length)];
  const before = ahead.replaceAll(/[*_"“(\s]+/g, ' ').trim();
  const unit = suffix.replace(/[^\p{L}]+$/u, '').replace(copula, '');
  const isUnit = /\d/.test(found[0]) && /^(?:\s?(?!(?:is|are|was|were)\b)\p{L}+){1,2}$/u.test(unit);
  // `5 is too small`: what stands first is told of, unless it was concluded.
  const isConcluded = before !== '' || /[^;,]$/.test(sentence.slice(0, -clause.length).trimEnd());
  const isBare = unit === '' || (isConcluded && isUnit);
  return isBare && linking.test(before) && !denying.test(before) ? `${found[0]}${unit}` : null;
}

function sentenceAtEnd(text: string): string {
  const end = text.replace(/[^\p{L}\p{N}%)}]{1,20}$/u, '');
  return end.split(/[.!?\n]+(?!\d)/).at(-1) ?? '';
}

const clauses = new RegExp(String.raw`[,:;=…(—–，：](?!\d)|(?<!\p{L})(?:${words.concluding})(?!\p{L})`, 'iu');
/** What may stand before it: `it should be`, `the right count is`, `es sind`. */
const link = `(?:${words.links})`;
const linking = new RegExp(`^(?:(?:\\S+ ){0,3}${link} ${link}|(?:${link})?)$`, 'iu');
const denying = new RegExp(`(?:${words.not})$`, 'iu');

/** `$24$` is 24, `$24` is money. */
const undollared = (text: string): string => text.replaceAll(/\$([^$\n]{1,80})\$/g, '$1');
