/**
 * What stands beside an answer and is none: remarks in brackets and in small type, lines with a label of something else,
 * postscripts, offers, questions and signatures. It is told by its form and place, as far as that goes.
 */
import { sentencesOf } from './markers.ts';
import words from './words.json' with { type: 'json' };

const start = String.raw`^[ \t>]*(?:[-*•#+]+[ \t]+|\d+[.)][ \t]+)?[*_(\[]*`;
const label = new RegExp(
  `${start}(?:${words.notes})(?!\\p{L})[^\\n:.—–]{0,40}?[*_]*\\s?(?::|\\.(?=\\s)|[—–])`,
  'iu',
);
const offer = new RegExp(`${start}(?:${words.offers})(?!\\p{L})`, 'iu');
const correction = new RegExp(`(?<!\\p{L})(?:${words.corrections})(?!\\p{L})`, 'iu');
const item = /^[ \t]*(?:[-*•+]|\d+[.)])[ \t]+\S/;

/** Replaces notes by spaces, so that positions stay. If nothing would be left, only offers and questions are replaced. */
export function withoutNotes(text: string): string {
  let isList = false;
  const lines = text.split('\n').map((line, at) => {
    const isLabel = label.test(line) && !correction.test(line);
    isList = isLabel ? /[:*_\s]$/.test(line) : isList && (item.test(line) || line.trim() === '');
    return isLabel || isList || isSmall(line) ? blank(line) : withoutTalk(line, at > 0);
  });
  const rest = lines.join('\n');
  return /[\p{L}\p{N}\\]/u.test(rest)
    ? rest
    : text
        .split('\n')
        .map((line) => withoutTalk(line))
        .join('\n');
}

/** A line of its own in brackets or italics that has words, a rule, a footnote, a signature. */
function isSmall(line: string): boolean {
  const bare = line.trim();
  if (correction.test(bare)) return false;
  const inside = /^(?:[*_]*\((?!\()(.*)\)[*_.]*|\*(?![*\s])([^*]+)\*|_(?![_\s])([^_]+)_)$/.exec(bare);
  const text = inside?.slice(1).find((each) => each !== undefined);
  if (text !== undefined && !/[()]/.test(text)) return isTalk(text);
  return /^(?:[-*_=~]\s*){3,}$|^\[\d+\]\s|https?:\/\/|^[—–]\s*\p{L}/u.test(bare);
}

/** Prose, and no answer: letters of options, formulas and units have fewer words. */
function isTalk(text: string): boolean {
  const plain = text.replaceAll(/\$[^$]*\$|\\[a-zA-Z]+/g, ' ');
  const isPlain = !/\b(?:final\s+answer|answer\s+is)\b/i.test(plain);
  return isPlain && /\p{L}{2,}\W+(?:\S+\W+){0,3}?\p{L}{2,}|\p{L}{2,}\s*:|\p{Lo}{4,}/u.test(plain);
}

/** Sentences that offer or ask something, and brackets behind a sentence. */
function withoutTalk(line: string, hasAnswer = false): string {
  const rest = line.replace(/(?<=[.!?*][*_]*\s+)\(([^()]*)\)[.*_\s]*$/, (found, text: string) =>
    isTalk(text) && !correction.test(text) ? blank(found) : found,
  );
  const parts: string[] = [];
  let [from, wasAsked] = [0, false];
  for (const [at, sentence] of sentencesOf(line).entries()) {
    const isNote = at > 0 && label.test(sentence) && !correction.test(sentence);
    // `Is 45 reasonable? Yes, because …`
    const isReply = wasAsked && /^\W*(?:yes|indeed|correct|right)\b(?!.*\banswer is\b)/i.test(sentence);
    wasAsked = (hasAnswer || at > 0) && isAsked(sentence);
    const start = Math.max(from, line.indexOf(sentence, from));
    const end = start + sentence.length;
    const isAdjacent = isNote || isReply || isAsked(sentence) || isOfItself(sentence);
    parts.push(rest.slice(from, start), isAdjacent ? blank(rest.slice(start, end)) : rest.slice(start, end));
    from = end;
  }
  return parts.join('') + rest.slice(from);
}

/** `This answer has 98% confidence`, `My solution used 4 steps`, `I'm 95% confident`. */
function isOfItself(sentence: string): boolean {
  const isDoubt = /\d\s*%/.test(sentence) && /\b(?:confiden|certain|sure\b|likel)/i.test(sentence);
  return itself.test(sentence) || (isDoubt && sentence.match(/\d[\d.]*/g)?.length === 1);
}

const itself =
  /^\W*(?:this|the|my|our)\s+(?:\w+\s+)?(?:answer|solution|response|reply|calculation|derivation|reasoning|estimate)\s+(?:has|had|took|takes|used?|uses|needed|needs|required?|requires|comes(?! (?:out|to|down|up)\b)|contains|consists|rests|relies)\b/i;

/** `I can then compute it for you.` */
const helping =
  /\b(?:I|we)(?: can|['’]ll| will| could| would|['’]d)\b.*\b(?:for you|help|gladly|then)\b|\bthen I\b/i;

function isAsked(sentence: string): boolean {
  return /[?？]["'”)*_\s]*$/.test(sentence)
    ? !/\\boxed|=/.test(sentence)
    : offer.test(sentence) || helping.test(sentence.slice(0, 1_000));
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
