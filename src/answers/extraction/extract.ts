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
import {
  boxedCandidates,
  conclusionCandidates,
  isAside,
  markerCandidates,
  nothingIn,
  sentencesOf,
  tagCandidates,
  unclosedBox,
} from './markers.ts';
import { withoutNotes } from './notes.ts';
import {
  type Candidate,
  type Form,
  isShort,
  type Profile,
  type ProfileName,
  profileNamed,
} from './profiles.ts';
import { isConditional, isOption, isRefusal, isSupposed, isTalk, term } from './refusal.ts';
import { answerInLine, withoutBeside } from './sentence.ts';
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
  if (isShort(body) && places.includes('line')) return lineCandidates(body, shape);
  return places.includes('conclusion') ? conclusionCandidates(body, shape) : [];
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

/** All of it where it holds no prose, as answers do that were written down as such; else its last line. */
function lineCandidates(text: string, form: Form): readonly Candidate[] {
  const all = withoutHedges(text);
  const lines = all.split('\n').filter((line) => line.trim() !== '' && !/^\s*```\w*\s*$/.test(line));
  const ending = lines.findLast((line) => !isAside(line)) ?? '';
  // `We multiplied 3 and 5` says what was done, and `So it is 15` before it what came of it.
  const concluded = lines.findLast((line) => concludes.test(line) && !isSupposed(line));
  const last = concluded && isSupposed(ending) && telling.test(ending) ? concluded : ending;
  // The content of a box that was cut off may be half an answer.
  if (/\\boxed/.test(last)) return [];
  const full = { place: 'line' as const, start: 0, end: text.length };
  const isDisplay = /\$\$|\\\[|\\begin/.test(text) && form !== 'plain';
  const sentences = sentencesOf(last).filter((each) => !isAside(each) && !isConditional(each));
  // A sentence that others follow says the answer with a verb, or it is none: `"All but 9" names those that stay.`
  const isClaim = (each: string, at: number) =>
    nothingIn(each) !== null ||
    isRefusal(each, { isUnmarked: true }) ||
    (/[\d\\$]/.test(each) &&
      (at === sentences.length - 1 || /=|\b(?:is|are|was|were|be|equals?|gives?|get|has|have)\b/.test(each)));
  const claim = sentences.findLast(isClaim) ?? sentences.at(-1) ?? last;
  if (isConditional(last) && isSupposed(claim)) return [];
  if (!isDisplay && isRefusal(claim, { isUnmarked: true })) return [{ ...full, text: claim, isMath: false }];
  const previous = sentencesOf(all).filter((each) => each !== claim);
  const declined = previous.find((each) => isRefusal(each, { isUnmarked: true }));
  const isGivenUp =
    declined !== undefined && givenUp.test(declined) && isRefusal(declined) && !concludes.test(claim);
  if (declined !== undefined && !isDisplay && (isGivenUp || isSupposed(claim)))
    return [{ ...full, text: declined, isMath: false }];
  const [, answer] = affirmed.exec(all) ?? [];
  const isOwn = /^(?:yes|no)$/i.test(answer ?? '') || !/\d\S{0,6}\W*$/.test(claim);
  if (answer && isOwn && form !== 'number' && !restates.test(claim))
    return [{ ...full, text: answer, isMath: false }];
  if (!isDisplay && isOption(claim) && !/[\d\\]/.test(claim))
    return [{ ...full, text: claim, isMath: false }];
  const nothing = isDisplay ? null : nothingIn(claim);
  if (nothing !== null && form === 'number') return [];
  if (nothing !== null) return [{ ...full, text: nothing, isMath: false }];
  const [, name = null] = isDisplay || form === 'number' ? [] : (complement.exec(claim) ?? []);
  if (name !== null) return [{ ...full, text: name, isMath: null }];
  const found = answerInLine(isDisplay ? text : withoutBeside(claim).replace(opening, ''), form);
  if (!found || found.text === '' || announcement.test(found.text)) return [];
  return isChecked(found.text, claim) ? [{ ...full, ...found }] : [];
}

const affirmed = new RegExp(words.affirmed, 'iu');
/** Of the whole question, where `We do not know whether h > 4` is one step of an answer. */
const givenUp = new RegExp(words.givenUp, 'i');
const concludes = /^\W*(?:so|thus|therefore|hence)\b/i;
const telling = /^\W*(?:we|I)\s+[a-z]+ed\b/i;

/** Something to compare: a number, a formula, a name, a few words that are no sentence. */
function isChecked(text: string, claim: string): boolean {
  if (/[\d\\$=^√π∞∅ℝℤ<>≤≥]/.test(text)) return true;
  if (!/\p{L}/u.test(text)) return /[{[(]/.test(text);
  // It announces what follows.
  if (/[:：]\W*$/.test(text)) return false;
  const runs = text.match(/[\p{L}\p{M}'’-]+/gu) ?? [];
  const isName = runs.every((word) => /^(?:\p{Lu}.*|and|or|of|the|&)$/u.test(word));
  const isSentence = /[.!?。]\W*$/.test(claim.trim()) || runs.some((word) => /^\p{Lo}{6,}$/u.test(word));
  if (runs.length === 1 || isName) return !/[\p{Lo}\p{M}]{6,}/u.test(text);
  // Where letters have no capitals nothing tells names from a sentence.
  return runs.length <= 4 && !isSentence && !/\p{Lo}/u.test(text);
}

/** `The winner is Evelyn.` */
const complement =
  /^[^\d\\$=]*\b(?:is|was|are|were)\s+(?!(?:it|that|this|so|not|here|there|why|correct|right|done)\b)([A-Z][\w'-]*(?:(?:,| and|, and| or)? [A-Z][\w'-]*)*|[a-z]{2,})[\s.!*]*$/;

/** `5, but I'm not certain` is an answer in doubt; `3 or 5, but I'm not certain` is none. */
const hedge =
  /(?<![,;\s–—-])[,;\s–—-]+(?:but|though|although|however),?\s+(?:I|we)(?:['’]m|['’]re| am| are)\s+(?:not\s+|un)(?:\w+\s+){0,2}?(?:sure|certain|confident|positive)\b.*$/i;
const choosing = /\b(?:might|may|could|or|whether|either)\b/;

function withoutHedges(text: string): string {
  const plain = (line: string) => {
    const at = line.search(hedge);
    const isValue = at > 0 && /\d/.test(line.slice(0, at)) && !choosing.test(line);
    return isValue ? line.slice(0, at) : line;
  };
  return text.split('\n').map(plain).join('\n');
}

/** `No, it is 5`. */
const restates =
  /\b(?:it|that|this|total|result|answer|there)(?:['’]s| is| are| was)\s[^,]*\d\S*\W*$|^(?:so|thus|therefore|hence)\b.*\d/i;

const opening = /^\s*[*_]*\p{L}[\p{L}\p{M} ]{0,30}(?::|,(?=\s))[*_]*\s+(?=[-+]?[\d$\\(]|[a-z]\s*=)/u;

/** The reply was cut off before what it announces. */
const announcement =
  /^(?:so\s+|thus\s+)?(?:(?:the|my|our)\s+)?(?:final\s+)?answer(?:\s+is)?\s*[:=]?[\s*_.=~#|—–-]*$/i;

function shaped(candidate: Candidate, { form }: Profile): readonly Candidate[] {
  if (form === 'choice') {
    const letter = choiceLetter(candidate.text);
    return letter ? [{ ...candidate, text: letter, isMath: false }] : [];
  }
  return candidate.text.trim() === '' ? [] : [candidate];
}

function reasonFor(text: string, { places }: Profile): string {
  if (text.trim() === '') return 'the reply is blank';
  if (places.includes('line') && isShort(text)) return 'nothing in the last line has the form of an answer';
  return places.includes('line') ? 'the reply is long and marks no answer' : 'the reply marks no answer';
}
