/**
 * The answer in a reply. Boxes and tags are signs that its writer set: the last of them counts. Without them a marker
 * (`The answer is …`) does, and what is only said of an answer does not. Without any, a concluding sentence or the last
 * line of a short reply does. A long reply without a sign holds no answer, and neither does one that declines.
 */
import { limits } from '../limits.ts';
import {
  boxedCandidates,
  conclusionCandidates,
  isAside,
  markerCandidates,
  sentencesOf,
  tagCandidates,
  unclosedBox,
} from './markers.ts';
import {
  type Candidate,
  type Form,
  isShort,
  type Profile,
  type ProfileName,
  profileNamed,
} from './profiles.ts';
import { isRefusal } from './refusal.ts';
import { answerInLine } from './sentence.ts';

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
  const found = candidatesIn(text, chosen).flatMap((each) => shaped(each, chosen));
  const picked = several === 'first' ? found[0] : found.at(-1);
  if (!picked) return { answer: null, how: reasonFor(text, chosen), candidates: [] };
  if (isRefusal(picked.text)) return { answer: null, how: 'the reply declines to answer', candidates: found };
  const texts = new Set(found.map((each) => each.text.replaceAll(/\s+/g, '')));
  if (several === 'refuse' && texts.size > 1) {
    return { answer: null, how: `${texts.size} answers that differ`, candidates: found };
  }
  return {
    answer: { text: picked.text, isMath: picked.isMath },
    how: found.length > 1 ? `${picked.place}, the ${several} of ${found.length}` : picked.place,
    candidates: found,
  };
}

/** Its end, with lines that end as all do, and long gaps closed: patterns that skip blanks must not do so a thousand times. */
function searched(reply: string): string {
  return (
    ownTurn(withoutThoughts(reply.slice(-limits.reply)))
      .replaceAll(/[\u2028\u2029]/g, '\n')
      .replaceAll(/[。．：]/g, (mark) => (mark === '：' ? ': ' : '. '))
      // Full-width signs are those of ASCII, moved.
      .replaceAll(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
      .replaceAll('−', '-')
      .replaceAll(/(\s)\s{15,}/g, (gap) => (gap.includes('\n') ? '\n\n' : '  '))
  );
}

/** What a model thought before it answered is none of its answer; a reply that is nothing else is left as it is. */
function withoutThoughts(reply: string): string {
  const end = reply.lastIndexOf('</think>');
  const said = end < 0 ? '' : reply.slice(end + '</think>'.length);
  return said.trim() === '' ? reply : said;
}

/** Beside tags and boxes, which are set on purpose, no prose counts but a final answer; what is less sure comes last. */
function candidatesIn(text: string, { places, form }: Profile): readonly Candidate[] {
  const shape = form === 'choice' ? 'any' : form;
  const boxes = places.includes('box') ? boxedCandidates(text) : [];
  const signs = [
    ...(places.includes('tag') ? tagCandidates(text) : []),
    // A gold answer in boxes alone must be written whole.
    ...(places.includes('line') && boxes.length === 0 ? unclosedBox(text) : boxes),
  ];
  const marked = places.includes('marker') ? markerCandidates(text, shape) : [];
  // `Final answer: 10` is set on purpose, as a box is; words of it say what it is like.
  const isFinal = (each: Candidate) =>
    /\bfinal\s+answer\s*\**\s*(?:is\b|[:=\n])(?!\s*(?:an?|also|not|in|of)\s)/i.test(
      text.slice(each.start, each.end),
    ) && /[\d\\]/.test(each.text);
  const counted = signs.length > 0 ? marked.filter(isFinal) : marked;
  const found = [...signs, ...counted].sort((a, b) => a.end - b.end || a.start - b.start);
  if (found.length > 0) return found;
  if (isShort(text) && places.includes('line')) return lineCandidates(text, shape);
  return places.includes('conclusion') ? conclusionCandidates(text, shape) : [];
}

/** A reply that goes on with a question of its own making, behind its answer, ends where that begins. */
function ownTurn(reply: string): string {
  const next =
    /\n[ \t]*(?:<\|im_start\|>user|(?:Human|User|Question|Q|### ?(?:Instruction|Question|User))\s*\d*\s*:)/;
  const at = reply.search(next);
  return at > 0 && /\\boxed|answer|####/i.test(reply.slice(0, at)) ? reply.slice(0, at) : reply;
}

/** All of it where it holds no prose, as answers do that were written down as such; else its last line. */
function lineCandidates(text: string, form: Form): readonly Candidate[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*```\w*\s*$/.test(line));
  const last = lines.findLast((line) => !isAside(line)) ?? '';
  // What stands in a box that was cut off may be half an answer.
  if (/\\boxed/.test(last)) return [];
  const isDisplay = /\$\$|\\\[|\\begin/.test(text) && form !== 'plain';
  const sentences = sentencesOf(last).filter((sentence) => !isAside(sentence));
  // A sentence that others follow says the answer with a verb, or it is none: `"All but 9" names those that stay.`
  const isClaim = (each: string, at: number) =>
    isRefusal(each) ||
    (/[\d\\$]/.test(each) &&
      (at === sentences.length - 1 || /=|\b(?:is|are|was|were|be|equals?|gives?|get|has|have)\b/.test(each)));
  const claim = sentences.findLast(isClaim) ?? sentences.at(-1) ?? last;
  if (!isDisplay && isRefusal(claim))
    return [{ place: 'line', text: claim, isMath: false, start: 0, end: text.length }];
  const found = answerInLine(isDisplay ? text : claim, form);
  if (!found || found.text === '' || announcement.test(found.text)) return [];
  return [{ place: 'line', ...found, start: 0, end: text.length }];
}

/** The reply was cut off before what it announces. */
const announcement = /^(?:so\s+|thus\s+)?(?:(?:the|my|our)\s+)?(?:final\s+)?answer(?:\s+is)?\s*[:=]?$/i;

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

const patterns: readonly RegExp[] = [
  /^\s*(?:[({[]\s*)?([A-J])\s*(?:[)}\]]\s*)?(?:[.:,)]|$|(?<=\s)-|(?<=\s)(?=[A-Z\d$\\(]))/,
  /\\text(?:bf|rm)?\{\s*(?:\(\s*)?([A-J])\s*(?:\)\s*)?\}/,
  /\((?:\\text\w*\{)?\s*([A-J])\s*\}?\)/,
  /\b(?:option|choice|answer)\s*(?::\s*)?\(?([A-J])\b\)?/i,
  /^\s*\(([a-j])\)/,
  /^\s*([a-j])\s*[.)]?\s*$/,
  /\b(?:choose|chose|pick|select)\s+\(?([A-J])\b\)?/,
  /\b([A-J])\s+is\s+(?:the\s+)?(?:correct|right)\b/,
  /^\s*([A-J])\s+is\b/,
  /\bis\s+\(?([A-J])\)?\s*(?:[.!]\s*)?$/,
];

export function choiceLetter(text: string): string | null {
  const plain = text.replaceAll(/\*\*|\$/g, '');
  for (const pattern of patterns) {
    const letter = pattern.exec(plain)?.[1];
    if (letter) return letter.toUpperCase();
  }
  return null;
}
