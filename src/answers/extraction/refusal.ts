/**
 * Replies that decline to answer: their words are no answer, and no vote. What says that there is none, as "no solution"
 * does, is one.
 */
import words from './words.json' with { type: 'json' };

/** Explicit refusals, anywhere in the reply. */
const declines = words.refusing.map((each) => new RegExp(each, 'isu'));

/** Vague refusals: they count only if the reply marks no answer. */
const vague = new RegExp(Object.values(words.declining).flat().join('|'), 'iu');

/**
 * A whole sentence of words alone by somebody about himself, or about the task and what it lacks: nobody asks for either. A
 * name of such words is written as one: in capitals, or in quotation marks with more beside them.
 */
export function isTalk(text: string): boolean {
  const plain = plainOf(text);
  if (/[\d\\$=]/.test(plain) || isName(plain) || named.test(plain)) return false;
  return talk.test(plain) || (about.test(plain) && lacking.test(plain));
}

/** `I Am Legend`: where words begin with capitals. */
const title = /^[^\p{L}]*\p{Lu}[\p{L}'’]*\s+\p{Lu}(?!.*(?<![\p{L}'’])\p{Ll}{5})/u;
/** `"I don't know" by Lost Frequencies`. */
const quoted = /^.{0,40}["“][^"”]+["”][^\p{L}]+\p{L}/u;
export const isName = (text: string): boolean => title.test(text) || quoted.test(text);
const { self, lack, need, task, verbs } = words.talk;
const talk = new RegExp(`^\\W*(?:${self}).{2}|${need}|^\\p{L}.{3,}(?:${verbs})\\W*$`, 'u');
const about = new RegExp(task, 'iu');
const lacking = new RegExp(lack, 'iu');

/** An option, or a name, of such words. */
const named =
  /^\W*(?:\([A-J]\)|[A-J][).:])\s|\((?:option|choice)\s+[A-J]\)\W*$|^\W*[Uu]nknown (?:\p{L}+ )*\p{Lu}\p{L}*\W*$/u;

/** `With r = 2 it would be 4`: nothing says that r is 2. */
export function isConditional(sentence: string): boolean {
  const isMood = /(?:\b(?:would|could|might)|['’]d)\s+(?:\w+\s+)?(?:be|equal|give|have|get|make)\b/i.test(
    sentence,
  );
  return isMood && /\b(?:if|with|for|at|suppos\w+|assum\w+|say|had|were)\b/i.test(sentence);
}

/** `D. It cannot be determined`. */
export function isOption(text: string): boolean {
  return named.test(text.replaceAll('**', ''));
}

/** A single word that is marked as the answer is a term, however vague. */
export const term = /^[\W_]*[A-Za-z-]+[\W_]*$/;

/** A sentence that says what would be so, or gives an example: beside one that declines it asserts nothing. */
export function isSupposed(sentence: string): boolean {
  return supposed.test(sentence) || !asserting.test(sentence);
}

const supposed =
  /\b(?:if|would|could|might|may|suppos\w+|assum\w+|imagine|say|such as|for (?:instance|example)|e\.g)\b|['’]d\b|\bwith \w+ ?=/i;
const asserting =
  /^\W*\(?[A-J][).:]|^\W*(?:so|thus|therefore|hence|but|still|yet|in total|altogether)\b|=\s*\S+\W*$|\b(?:is|are|was|were|be|equals?|gets?|gives?|has|have|becomes?)\b[^,;]*\d\S*(?:\s+\p{L}+){0,2}\W*$|^[\s*$\\-]*\d[\d.,/]*[\s*$]*$/iu;

/** `We cannot find x directly, so it is 5` goes on to an answer; `whether h = 3 or h = 5` does not. */
export const goesOn =
  /(?:\b(?:so(?! far)|thus|therefore|hence|but|also|donc|luego|portanto|quindi|dus|więc|alltså|daher|deshalb|mais|pero|mas|ma|aber)\b|因此|所以|故|따라서|よって|したがって|поэтому|значит|vậy).{0,80}\d/isu;

/** With `isUnmarked`, what nothing marks as an answer is taken for one less easily. */
export function isRefusal(text: string, { isUnmarked = false } = {}): boolean {
  const plain = plainOf(text);
  if (quoted.test(plain) || (named.test(plain) && !/\b(?:I|we)\b/.test(plain))) return false;
  const found = declines.map((pattern) => pattern.exec(plain)).find((match) => match !== null);
  const match = found ?? (isUnmarked && !title.test(plain) ? vague.exec(plain) : null);
  if (!match) return false;
  const rest = plain.slice(match.index + match[0].length);
  return !goesOn.test(rest) || isRefusal(rest, { isUnmarked });
}

function plainOf(text: string): string {
  return text
    .slice(0, 600)
    .replaceAll(/\\(?:text\w*|mathrm|mbox)\s*\{([^{}]*)\}/g, '$1')
    .replaceAll(/\*\*|__|~/g, ' ')
    .replaceAll('’', "'")
    .trim();
}
