/** The answer in a line of prose: what follows "is" or "=", what is set as mathematics, or the last number. */
import type { Form } from './profiles.ts';
import words from './words.json' with { type: 'json' };

export type Found = { readonly text: string; readonly isMath: boolean | null };

const verbs =
  /(?:\b(?:is|are|was|were|equals?|be|becomes|gives|yields|contains?)\b|\b(?:it|that)'s\b|(?<![<>!=\\])(?!(?<=\d\s?):\s?\d)[=:](?!=)|(?<=\p{L}\s?)(?:[はが为為是은는이가]|等[于於])(?=\s?[$\\\d]))\s*:?\s*/giu;
const reason =
  /(?:(?:,\s*|(?<!\s)\s+)(?:because|since|which|where|so that|as (?:we|it|the|required|desired|claimed|expected|wanted|needed|asked|before|above|stated|shown)|when|if|given|after|in total|assuming|per the|for the|of (?:the|them|these|those)|altogether|at the end)\b|,\s+(?:(?:and|which)\s+is\s+)?[a-z]+ed\s+(?:at|by|when|for|if|only|from|on)\b|\s+with\s+(?=\$?\|?\w\|?\s*=)|,\s+(?:obtained|found|computed|calculated|derived|using|by\s+[a-z]+ing)\b|,\s+as\s+(?!well\b)[a-z]+\b)/gi;
export const reasons = new RegExp(`${reason.source}.*$`, 'is');
/** A time or ratio, groups of three behind blanks, a mixed number, a root; with a power of ten, a denominator or π behind it. */
const numeral =
  /(?<![\^_]\{?[-+]?\d{0,9}|\b(?:[cdkm]?m|ft|yd|CO|H))[-+]?(?:[$€£¥]\s*)?(?:\d+(?:(?::\d+)+|\s:\s\d+)(?:\s*[AaPp]\.?[Mm]\b)?|(?<!\d)\d{1,3}(?:(?:[ \u00a0\u2009\u202f]\d{3})+(?![\d/])(?:[.,]\d+)?|(?:\.\d{3})+,\d+)|\d+\s+\d+\s*\/\s*\d+|\d[\d,]*(?:\.\d+)?|\.\d+|\\sqrt\{\d+\}|√\d+)(?:\s*\/\s*\d+)?(?:[eE][-+]?\d+)?(?:\s*(?:\\times|\\cdot|[×·*])\s*10(?=\s*\^))?(?:\s*\^\s*\{?[-+]?\d+\}?)?(?:\s*(?:\\pi\b|π|\\sqrt\{\d+\}|√\d+))?\s*(?:%|€|£)?/g;

/** A line that was said to be the answer: nothing of it may be left out. */
export function answerInLine(line: string, form: Form): Found | null {
  const set = setOffIn(line, form, true);
  if (set) return answerInLine(set, form);
  const sentence = lastSentence(line.replace(contrast, ''));
  const segments = form === 'plain' ? [] : segmentsOf(sentence);
  if (form === 'mathematics') return joinedSegments(sentence, segments);
  const cut = sentence.replace(reasons, '');
  if (form === 'number') return lastNumber((lastNumber(cut) ? cut : sentence).replace(denied, ''));
  const claim = /^[\p{L}\s]+$/u.test(cut) && isBegun(sentence.slice(cut.length)) ? sentence : cut;
  const core = claim.replace(remark, '');
  const isMath = form === 'plain' ? false : null;
  if (isAbroad(core) && valuesIn(core).values.size === 1 && !/[\\^=<>≤≥∪∩()[\]]/.test(core))
    return lastNumber(core);
  if (!isProse(core)) return { text: withoutStop(core), isMath };
  const found = afterVerb(claim, segments);
  if (found || isTelling(claim)) return found ?? joinedSegments(sentence, segments) ?? lastNumber(sentence);
  const [, instead] = /^not\b.{0,200}?\bbut\s+(.*)$/is.exec(claim) ?? [];
  const text = withoutStop((instead ?? claim).replace(remark, ''));
  return text.split(/\s+/).length > 12 && /\d/.test(text) ? null : { text, isMath };
}

/** A line that nothing marks: all of it where it is no prose, what follows its last verb, or the only value in it. */
export function onlyValueIn(line: string, form: Form): Found | null {
  const bare = withoutBeside(line).replace(opening, '');
  const set = setOffIn(bare, form, false);
  if (set) return onlyValueIn(set, form);
  const sentence = lastSentence(bare.replace(contrast, '')).replace(circumstance, '').replace(premise, '');
  if (unfinished.test(sentence)) return null;
  const segments = form === 'plain' ? [] : segmentsOf(sentence);
  if (form === 'mathematics') return joinedSegments(sentence, segments);
  if (form !== 'number' && !isProse(sentence) && !isAbroad(sentence))
    return { text: withoutStop(sentence.replace(reasons, '')), isMath: form === 'plain' ? false : null };
  const stated = afterVerb(sentence, segments, isOneValue);
  if (stated) return form === 'number' ? lastNumber(stated.text) : stated;
  if (valuesIn(sentence).values.size !== 1 || doubtful.test(sentence)) return null;
  return (form === 'number' ? null : joinedSegments(sentence, segments)) ?? lastNumber(sentence);
}

const opening = /^\s*[*_]*\p{L}[\p{L}\p{M} ]{0,30}(?::|,(?=\s))[*_]*\s+(?=[-+]?[\d$\\([{√π∅ℝ]|[a-z]\s*=)/u;
const circumstance = /,\s+[a-z]+ed\s+(?:at|by|when|for|if|only|from|on)\b.*$/i;
const premise = /^.*,\s+(?:so|thus|hence|therefore)\s+(?=.*[\d\\])/i;
/** A reply that was cut off: more was to come. */
const unfinished =
  /(?:[-+*/=<>,;:(]|\b(?:so|and|or|the|is|are|of|to|which|then|because|thus|hence|therefore))$/i;
/** A value that is denied, compared or supposed is not said to be the answer. */
const doubtful = /\b(?:not|never|than|if|would|could|might|may|whether|either|between)\b|n['’]t\b/i;

const hedge =
  /(?<![,;\s–—-])[,;\s–—-]+(?:but|though|although|however),?\s+(?:I|we)(?:['’]m|['’]re| am| are)\s+(?:not\s+|un)(?:\w+\s+){0,2}?(?:sure|certain|confident|positive)\b.*$/i;

/** `5, but I'm not certain` is one value; `3 or 5, but I'm not certain` are two. */
export function withoutHedge(sentence: string): string {
  const plain = sentence.replace(hedge, '');
  return valuesIn(plain).values.size === 1 ? plain : sentence;
}

/** The distinct values of a text, and the text with a sign in the place of each. */
function valuesIn(text: string): { readonly values: ReadonlySet<string>; readonly shape: string } {
  const values = new Set<string>();
  const sign = (value: string) => {
    values.add(value.replaceAll(/[\s$*]+/g, ''));
    return '§';
  };
  const shape = plainNumbers(text.replaceAll(patterns, sign)).replaceAll(numeral, sign);
  return { values, shape };
}

const shapeOfOne = new RegExp(
  String.raw`^[^\p{L}§]{0,3}(?:(?:about|exactly|only|just|a total of|approximately)\s)?VALUE(?:\s?(?:[,;:+*/<>≤≥≈^()·×-]|and|or){0,3}\s?VALUE)*(?:[\s.]*(?!(?:is|was|has|and|or)\b)[\p{L}\p{M}°²³/]+){0,4}\W*$`.replaceAll(
    'VALUE',
    String.raw`(?:\p{L}\s?=\s?)?§`,
  ),
  'u',
);

/** A value or a list of them, then hardly more than a unit. */
function isOneValue(text: string): boolean {
  return shapeOfOne.test(valuesIn(text).shape) || assignments.test(text);
}

/** `Kylar pays **$64** for 16 glasses`, `on **July 20, 1969**`: of a claim with several values the only one that is set off. */
function setOffIn(line: string, form: Form, isExplicit: boolean): string | null {
  const [found, more] = [...line.matchAll(/(?<![*\p{L}\d])\*\*(?![\s*])([^*\n]{1,80})\*\*(?!\*)/gu)];
  if (!found || more) return null;
  const [before, after] = [line.slice(0, found.index), line.slice(found.index + found[0].length)];
  const text = (found[1] ?? '').trim().replace(/[.,;]$/, '');
  const isLabel = /[:?]$/.test(text) || /^\s*:/.test(after) || (/^\W*$/.test(before) && /^\p{L}/u.test(text));
  const isPart =
    /[-+×*/^,([]\s*(?:or|and)?\s*$|\d\s*(?:or|and)\s*$/.test(before) ||
    /^\s*(?:[-+×*/=^:)\]]|(?:,|or\b|and\b)\s*\S*\d)/.test(after);
  if (isLabel || isPart || !/\p{L}/u.test(before + after) || /^(?:not|no|never)\b/i.test(text)) return null;
  const isName = /(?:\b(?:is|was|are|were|be|an?|the)|[:：])\s*$/.test(before) && /^\p{Lu}/u.test(text);
  const isMore = form !== 'number' && !isExplicit && (isName || /\d.*[\s,(]+\S*\d/.test(text));
  if (!isMore && !(/[\d\\]/.test(text) && /\d/.test(before + after))) return null;
  return form !== 'number' && /^[-+\d.,]+$/.test(text) ? null : text;
}

/** `The sum of the first ten` is no claim before its verb comes. */
const isBegun = (rest: string): boolean =>
  /^,?\s*(?:of|for the|after|in total|given|at the end)\b(?:\$[^$]*\$|[^,$])*?(?:\b(?:is|are|was|were|equals?|be)\b|=)/.test(
    rest,
  );

const beside =
  /(?<=[\p{L}\p{N})\]}$%*°²³])(?:\s+(?:#|\/\/)\s+\p{L}{3}.*|\s*(?:[|;]|\s[-–—]\s)\s*(?!(?:so|total|sum|answer|final|result|thus)\b)\p{L}[\p{L}\p{M} ]{2,30}:.*|\s*\(\s*\p{L}[\p{L}\p{M} ]{1,30}:[^()]*\)|\s+\[\p{L}{3,}[^\]]*[\s:][^\]]*\]|(?<=\d)\s+\((?!(?:or|mod|if|when|where|for)\b)\p{L}[\p{L}\p{M} ]{2,60}\))[.\s]*$/iu;

/** `160 minutes (that's 2 hours and 40 minutes)`, `0.3 (or 30%)`, `10 (9 fails)`: said again, or why; a factor has no words. */
const restated =
  /(?<=\d[^()]{0,200}(?<!(?:sin|cos|tan|log|ln|exp))(?:\s|(?=\((?=[^()]{0,200}\p{sc=Han}))))\((?!\s*(?:mod|base|if|when|where|for|in|to|from|and|remainder|rest|plus|minus|times|per)\b)(?!or\s(?![^()]*%))(?=[^()]*\d)(?=[^()]*(?:\p{L}{3}|\p{L}{2}\s+\d|%|\d:\d|\d\s+\p{L}{1,3}\s*\)|\p{Lo})|\s*[≈=~])[^()\\]{2,120}\)(?:である|です|だ|입니다)?[.\s]*$/u;

/** `9 | Confidence: 80%`, `9 (置信度: 80%)`, `72  # the final answer`; not `red: 3; blue: 4`, where each has its label. */
export function withoutBeside(line: string): string {
  const found = beside.exec(line);
  const bare = found && !/^[\p{L}\s]+:/u.test(line) ? line.slice(0, found.index) : line;
  return bare.replace(restated, '');
}

/** `40, not 30`; `40 (forty), i.e. 4 tens`; `undefined (division by zero)`. */
const contrast =
  /(?<=[\d)}$*%]|(?<!\p{L})[A-J])\s*(?:\(\p{L}[^()\d]*\))?(?:,\s+(?:and )?not(?=\s+(?:[-+$\d]|[A-J]\b))|,?\s+(?:i\.\s?e\.|(?:that is|in words|rather than|instead of)\b))[^=]*$|(?<=^\p{L}{4,40})\s+\([a-z][^()]*\)[.\s]*$/u;

const restricting =
  /\b(?:not|no|none|never|all|every|each|any|some|both|less|fewer|greater|more|larger|smaller|most|least|than|divisible|multiples?|except|or|and|between|from|to|if|for|when|where|per|times|above|below|up|such|with|without|mod|modulo|plus|minus|squared?|cubed?|root|over|half|pi|positive|negative)\b/i;

/** `Jane started 3 hours ago` tells one number in a whole sentence; `all n not divisible by 3` is more than its number. */
function isTelling(claim: string): boolean {
  const outside = claim.replaceAll(patterns, ' 0 ');
  const numbers = outside.match(/(?<![\w\\^_.,/])[-+$€£]?\d[\d,.]*(?![\w^/π°²³√])/g) ?? [];
  const words = outside.match(/(?<![\w\\])[A-Za-z][a-z']+/g) ?? [];
  const isPlain = !/[\\^_=<>≤≥≠∪∩∈{}()[\]|]/.test(outside) && !restricting.test(outside);
  return (
    isPlain &&
    numbers.length === 1 &&
    outside.match(/\d[\d,.]*/g)?.length === 1 &&
    words.length >= (/^[A-Za-z]/.test(claim) ? 3 : 4)
  );
}

/** Up to what is only politeness; of several sentences the first that holds anything. */
function lastSentence(line: string): string {
  return line
    .replace(/(?<!\s)\s*I hope (?:it|this) is correct\.?.*$/is, '')
    .replace(/<\|[^|]*\|>.*$/s, '')
    .replace(/<\/?(?:think|answer)>.*$/s, '')
    .replaceAll(/\*{2,3}/g, '')
    .trim()
    .replace(/^(?:=|∴|(?:it|that)['’]s\b(?=\s*[-+\d$\\]))\s*/i, '')
    .replace(/^(?:so|thus|therefore|hence|then|simply|just|exactly)\b,?\s+(?=[-+\d$\\(]|[a-z]\s*=)/i, '')
    .replace(/(?<![.;])[.;]+$/, '')
    .replace(/^(?:final\s+)?answer(?:\s*[:=])?\s+(?=[-+\d$\\(])/i, '')
    .replace(/^.{1,200}\bif and only if\s+(?=[$\\]|[a-z-]?\s*[\d<>=≤≥∈-])/i, '')
    .replace(spelled, '$1')
    .replace(/^(\S+(?:\s+\S+){0,4}?)\s+(?:is|are)\s+(?:the|our|my)\s+(?:\w+\s+){0,2}answers?$/i, '$1');
}

/** `seventeen (17)`. */
const spelled =
  /^(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thir|fif|twen|for)[a-z -]{0,40}\s\((\d[\d.,/]*)\)$/i;

/** Words in other letters around a value: they may have no blanks between them. */
function isAbroad(text: string): boolean {
  const plain = text.replaceAll(patterns, '0');
  return /\d/.test(plain) && /[^\P{L}\p{ASCII}\p{sc=Greek}]/u.test(plain);
}

/** Two words of some length, outside of mathematics. */
function isProse(text: string): boolean {
  const plain = text.replaceAll(/\$[^$]*\$|\\\(.*?\\\)|\\[a-zA-Z]+(?:\{[^{}]*\})?/g, ' ');
  const words = plain.match(/\b[a-zA-Z][a-z']{1,}\b/g) ?? [];
  const isAnswer = /^[-+$€£\d.,\s/%()]+[a-zA-Z²³^. ]{0,40}$/.test(plain.trim());
  return words.length >= 2 && !isAnswer && (/\d|\$|\\/.test(text) || words.length > 5);
}

function afterVerb(sentence: string, segments: readonly Segment[], accepts = isStated): Found | null {
  const inside = (at: number) => segments.some(({ start, end }) => at > start && at < end);
  const ends = [...sentence.matchAll(verbs)]
    .filter(({ index }) => !inside(index))
    .map((match) => match.index + match[0].length);
  const multiple = assignments.exec(sentence);
  if (multiple && !/\$|\\[([]/.test(sentence)) return { text: withoutStop(multiple[0]), isMath: null };
  const cuts = [...sentence.matchAll(reason)].map(({ index }) => index);
  let cut = sentence.length;
  for (const end of ends.toReversed()) {
    while ((cuts.at(-1) ?? -1) >= end) cut = cuts.pop() ?? cut;
    const text = sentence.slice(end, cut).trim();
    const rest = text.replace(adverbs, '').replace(trailing, '').replace(remark, '').replace(dimension, '');
    if (rest === '' || rest.length > 120 || !accepts(rest)) continue;
    return { text: withoutStop(rest), isMath: null };
  }
  return null;
}

/** `x = 3 and x = -4`: none of them is the answer alone. */
const assignments =
  /(?<![\p{L}\d])(?:[a-zA-Z]\w?\s*=\s*(?:[^=,;()]|\([^()=]{0,40}\)){1,40}?(?:\s*[,;]\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)){1,8}[a-zA-Z]\w?\s*=\s*(?:[^=,;()]|\([^()=]{0,40}\)){1,40}$/u;

const adverbs =
  /^(?:(?:therefore|thus|then|hence|simply|just|exactly|precisely|now|clearly|indeed|finally|consequently|(?:also\s+)?equal\s+to|(?:\w+ed\s+)?(?:at|by|for)(?=\s+(?:\$|\\\(\s*)?(?:\\left)?[([])|(?:satisfied|valid|true|defined)\s+(?:only\s+)?(?:for|when|on)(?=\s*[$\\]))\b,?\s*)+/i;
/** `f(x) = 2x + 3 for all real x`, `n = 10 is the smallest such integer`, `$x > 2$ only`. */
const trailing = new RegExp(words.trailing, 'isu');
/** `(about 4.47)`, `(a right angle)`: what is said of an answer beside it. */
const remark =
  /(?<=\S)\s+\((?!(?:or|mod|if|when|where|for)\b)(?:a|[a-z]{2,}|i\.e\.)(?:[\s,:.][^()]{0,100})?\)$/;

/** `10 metres long`: what is measured is no part of the unit. */
const dimension = /(?<=\d[^\d\n]{0,30}\p{L}\s)(?:long|wide|high|tall|deep|thick|old|away|apart)$/u;

/** Not `the solution`, `our answer`, `not 10`: nothing of these could be compared. */
function isStated(rest: string): boolean {
  if (/^(?:not|the|our|an?|my|this|that|in|on|at|to|between|correct|also|only)\b/i.test(rest)) return false;
  return /\d|\\|\$|^[A-Za-z]+$|^\(?[A-Z]\)?$/.test(rest);
}

/** The last stretch of mathematics, with those before it that only a comma or "and" parts from it. */
function joinedSegments(sentence: string, segments: readonly Segment[]): Found | null {
  const parts: string[] = [];
  for (const [at, segment] of segments.toReversed().entries()) {
    const later = segments.at(-at);
    const between = at === 0 || !later ? ',' : sentence.slice(segment.end, later.start);
    if (!/^\s*(?:[,;]\s*)?(?:(?:and|or)\s*)?(?:[,;]\s*)?$/i.test(between) || between.trim() === '') break;
    const joint = /or/i.test(between) ? ' \\text{ or } ' : ' , ';
    parts.unshift(at === 0 ? segment.content : `${segment.content}${joint}`);
  }
  return parts.length === 0 ? null : { text: parts.join(''), isMath: true };
}

function lastNumber(sentence: string): Found | null {
  const found = plainNumbers(sentence).match(numeral)?.at(-1)?.trim();
  return found ? { text: found.replace(/(?<!,),+$/, ''), isMath: false } : null;
}

/** Thousands that TeX sets apart, fractions and raised digits as the pattern of a number knows them. */
function plainNumbers(text: string): string {
  return text
    .replaceAll(/\\!|\{,\}|(?<=\d)\\[,;: ](?=\d{3}(?!\d))/g, (each) => (each === '{,}' ? ',' : ''))
    .replaceAll(/(\d?)\s{0,9}\\[dt]?frac\s*(?:\{(\d+)\}\s*\{(\d+)\}|(\d)(\d))/g, fraction)
    .replaceAll(/(?<=\d)[⁰¹²³⁴-⁹⁻]+/g, (power) => `^${power.normalize('NFKC').replace('−', '-')}`);
}

function fraction(_: string, text: string, numerator = '', denominator = '', one = '', second = ''): string {
  return `${text && `${text} `}${numerator || one}/${denominator || second}`;
}

/** `18, 不是16`, `20, no 25`, `100 Gramm (statt 120 Gramm)`. */
const denied = new RegExp(
  words.denied.replace('NOT', () => words.not),
  'iu',
);

function withoutStop(text: string): string {
  return text
    .trim()
    .replace(/(?<![.;,])[.;,]+$/, '')
    .replace(copula, '')
    .trim();
}

export const copula = /\s*(?:です|でした|である|となります|입니다|이다|이에요|olmalı)$/;

type Segment = { readonly start: number; readonly end: number; readonly content: string };

const patterns =
  /\$\$([\s\S]{1,4000}?)\$\$|\\\[([\s\S]{1,4000}?)\\\]|\\\(([\s\S]{1,4000}?)\\\)|(?<!\\)\$((?:[^$\n\\]|\\[^\n]){1,4000}?)\$(?!\d)/g;

function segmentsOf(text: string): readonly Segment[] {
  return [...text.matchAll(patterns)].flatMap((match) => {
    const content = match[1] ?? match[2] ?? match[3] ?? match[4] ?? '';
    // `$5 and paid $7`: two amounts of money, and no mathematics between them.
    const isMoney =
      match[4] !== undefined && /^\d[\d,.]*\s+[a-zA-Z]{2,}/.test(content) && !/[\\^_=]/.test(content);
    if (isMoney || content.trim() === '') return [];
    return [{ start: match.index, end: match.index + match[0].length, content: content.trim() }];
  });
}
