/**
 * The answer in a reply. Boxes and tags are signs that its writer set: the last of them counts. Without them a marker
 * (`The answer is …`) does, and what is only said of an answer does not. Without any, a concluding sentence or the last
 * line of a short reply does. A long reply without a sign holds no answer, and neither does one that declines.
 */
import { withoutThoughts } from '../../text/model-json.ts';
import { limits } from '../limits.ts';
import { digitOf } from '../text/unicode.ts';
import { affirmedOption, choiceLetter } from './choice.ts';
import { correctionOf } from './correction.ts';
import { jsonCandidates } from './fields.ts';
import { boxedCandidates, markerCandidates, tagCandidates, unclosedBox } from './markers.ts';
import { withoutNotes } from './notes.ts';
import { type Candidate, isShort, type Profile, type ProfileName, profileNamed } from './profiles.ts';
import { isRefusal, isTalk, term } from './refusal.ts';
import { unmarkedCandidates } from './unmarked.ts';
import words from './words.json' with { type: 'json' };

export type ExtractOptions = {
  readonly profile?: ProfileName;
  /** Of several signs: the last counts, the first, or none where they are not all alike. */
  readonly several?: 'last' | 'first' | 'refuse';
};

export type Extraction = {
  /** Null where there is none. */
  readonly answer: { readonly text: string; readonly isMath: boolean | null } | null;
  /** How it was found, or why it was not. */
  readonly how: string;
  /** All that could have been meant, in the order of the reply. */
  readonly candidates: readonly Candidate[];
};

export function extract(
  reply: string,
  { profile = 'math', several = 'last' }: ExtractOptions = {},
): Extraction {
  const chosen = profileNamed(profile);
  const text = searched(reply);
  // The words first: a search that begins at each line would read to the end from each.
  if (/no answer(?<=(?:^|\n)\W*no answer)\W*$/i.test(text))
    return { answer: null, how: 'the reply declines to answer', candidates: [] };
  const candidates = candidatesIn(text, chosen).flatMap((each) => shaped(each, chosen));
  const letter =
    candidates.length > 0 || chosen.form !== 'choice' ? null : affirmedOption(withoutNotes(text));
  const found = letter
    ? [{ place: 'conclusion' as const, text: letter, isMath: false, start: 0, end: text.length }]
    : candidates;
  const candidate = several === 'first' ? found[0] : found.at(-1);
  if (!candidate) return { answer: null, how: reasonFor(text, chosen), candidates: [] };
  const isValue = candidate.place === 'marker' && /^[-+]?[\d\\$]/.test(candidate.text);
  // One word that was marked is a term, unless it is one that declines.
  const isTerm = candidate.place === 'marker' && term.test(candidate.text);
  const isUnmarked = candidate.place !== 'box' && candidate.place !== 'tag' && !isValue && !isTerm;
  if (isRefusal(candidate.text, { isUnmarked }) || isTalk(candidate.text))
    return { answer: null, how: 'the reply declines to answer', candidates: found };
  const texts = new Set(found.map((each) => each.text.replaceAll(/\s+/g, '')));
  if (several === 'refuse' && texts.size > 1) {
    return { answer: null, how: `${texts.size} answers that differ`, candidates: found };
  }
  return {
    answer: { text: ungrouped(calm(candidate), text), isMath: candidate.isMath },
    how: found.length > 1 ? `${candidate.place}, the ${several} of ${found.length}` : candidate.place,
    candidates: found,
  };
}

/** `It's 72!` ends a sentence; what a writer set as mathematics is a factorial. */
function calm({ place, text, isMath }: Candidate): string {
  const isProse = place !== 'box' && place !== 'tag' && isMath !== true;
  const value = /^([-+]?\p{Sc}?\s*\d[\d.,/]*(?:\s*%|(?:\s+\p{L}+){0,3}))!+$/u.exec(text)?.[1];
  return (isProse && value) || text;
}

/** `70.000 Dollar`: in some languages a dot parts thousands, where the reply has none before other digits. */
function ungrouped(text: string, reply: string): string {
  if (!/^\D{0,3}\d{1,3}(?:(?:\.\d{3})+\.\d{3}|\.\d00)(?![.,]?\d)/.test(text)) return text;
  const isContinental =
    (reply.match(new RegExp(words.dotted, 'giu'))?.length ?? 0) > 1 && !/\b(?:the|and|is|of)\b/i.test(reply);
  return isContinental && !/\d\.\d{1,2}(?!\d)/.test(reply) ? text.replaceAll(/\.(?=\d{3})/g, '') : text;
}

/** Its end, with lines that end as all do, and long gaps closed: patterns that skip blanks must not do so a thousand times. */
function searched(reply: string): string {
  return (
    ownTurn(unthought(reply).slice(-limits.reply))
      .replaceAll(/[\u2028\u2029]/g, '\n')
      .replaceAll(/[。．：]/g, (mark) => (mark === '：' ? ': ' : '. '))
      // Full-width signs are those of ASCII, moved.
      .replaceAll(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
      .replaceAll('−', '-')
      .replaceAll(/(?!\d)\p{Nd}/gu, digitOf)
      .replaceAll(/(?<=\d)[٫٬](?=\d)/g, (mark) => (mark === '٫' ? '.' : ','))
      .replaceAll(/(?<=\d)['’](?=\d{3}(?:['’.]|(?!\d)))/g, '')
      .replaceAll(/(?<=\S)[ \t]*(?:(?:(?![♾❤↔©®™])\p{Extended_Pictographic}|✓)\uFE0F?)+$/gmu, '')
      .replaceAll(/^[ \t]*(?:(?:(?![♾❤↔©®™])\p{Extended_Pictographic}|✓)\uFE0F?)+[ \t]+(?=\S)/gmu, '')
      .replaceAll(/^[ \t]*>[ \t]+/gm, '')
      .replaceAll(/(\s)\s{15,}/g, (gap) => (gap.includes('\n') ? '\n\n' : '  '))
  );
}

/** What a model thought before it answered is none of its answer, unless it stopped thinking and said nothing else. */
function unthought(reply: string): string {
  const text = withoutThoughts(reply);
  return text.trim() === '' && reply.includes('</') ? reply : text;
}

/** Beside tags and boxes, which are set on purpose, no prose counts but a final answer; what is less sure comes last. */
function candidatesIn(text: string, { places, form }: Profile): readonly Candidate[] {
  const shape = form === 'choice' ? 'any' : form;
  const fields = places.includes('tag') ? jsonCandidates(text) : null;
  if (fields) return fields;
  const candidates = places.includes('box') ? boxedCandidates(text) : [];
  const signs = [
    ...(places.includes('tag') ? tagCandidates(text) : []),
    // A gold answer in boxes alone must be written whole.
    ...(places.includes('line') && candidates.length === 0 ? unclosedBox(text) : candidates),
  ];
  const body = withoutNotes(text);
  const marks = places.includes('marker') ? markerCandidates(body, shape, form === 'choice') : [];
  const marked = marks.length > 0 || !places.includes('marker') ? marks : markerCandidates(text, shape);
  // `Final answer: 10` is set on purpose, as a box is; words of it say what it is like.
  const isFinal = (each: Candidate) =>
    /\bfinal\s+answer\s*\**\s*(?:is\b|[:=\n])(?!\s*(?:an?|also|not|in|of)\s)/i.test(
      text.slice(each.start, each.end),
    ) && /[\d\\]/.test(each.text);
  const counts = signs.length > 0 ? marked.filter(isFinal) : marked;
  const found = [...signs, ...counts].sort((a, b) => a.end - b.end || a.start - b.start);
  if (found.length > 0) return [...found, ...corrections(text, found, marks)];
  return places.includes('line') ? unmarkedCandidates(body, shape) : [];
}

/** Behind the last sign: beside a box a correction must be marked as the answer. */
function corrections(
  text: string,
  found: readonly Candidate[],
  marks: readonly Candidate[],
): readonly Candidate[] {
  const last = found.at(-1);
  const later = last ? correctionOf(last.text, text.slice(endOfValue(text, last))) : null;
  if (!last || !later) return [];
  const start = endOfValue(text, last) + later.start;
  const marked = marks.filter((each) => each.start >= start);
  if (marked.length > 0 || last.place !== 'marker' || later.text === null) return marked;
  return [{ place: 'marker', text: later.text, isMath: null, start, end: text.length }];
}

/** `8 — no, 9` is corrected where it stands. */
function endOfValue(text: string, { text: said, start, end }: Candidate): number {
  const [value = said] = /^\S*[\p{L}\p{N})$}%]/u.exec(said) ?? [];
  const at = text.slice(start, end).lastIndexOf(value);
  return at < 0 ? end : start + at + value.length;
}

/** A reply that goes on with a question of its own making, behind its answer, ends where that begins. */
function ownTurn(reply: string): string {
  const next =
    /\n[ \t]*(?:<\|im_start\|>user|(?:Human|User|Question|Q|### ?(?:Instruction|Question|User))\s*\d*\s*:)/;
  const at = reply.search(next);
  return at > 0 && /\\boxed|answer|####|^A:/im.test(reply.slice(0, at)) ? reply.slice(0, at) : reply;
}

function shaped(candidate: Candidate, { form }: Profile): readonly Candidate[] {
  if (form === 'choice') {
    const letter = choiceLetter(candidate.text);
    return letter ? [{ ...candidate, text: letter, isMath: false }] : [];
  }
  return candidate.text.trim() === '' ? [] : [candidate];
}

function reasonFor(text: string, { places }: Profile): string {
  if (text.trim() === '') return 'the reply is blank';
  if (!places.includes('line')) return 'the reply marks no answer';
  return isShort(text)
    ? 'nothing marks an answer, and the last line leaves none or more than one'
    : 'the reply is long and marks no answer';
}
