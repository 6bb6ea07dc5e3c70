/**
 * What the words around a grid make of it. A grid is taken where its label is plain: the name of an answer with nothing
 * beside it that tells what else is to be done. What is not known to be plain is a doubt, in whatever words it is said.
 */
import type { Grid } from '../core/problem.ts';

const nouns =
  'answers?|outputs?|results?|solution|prediction|出力|答え|答案|输出|结果|r[eé]sultat|réponse|sortie|salida|resultado|respuesta|ausgabe|antwort|ergebnis|lösung|ответ|вывод';
const verbs =
  'final(?:ly)?|predicted|correct(?:ed|ion)?|fixed|revised|redo|gives|yields|produces|becomes|get|obtain|therefore|thus|hence|wait|actually|instead|recheck|so(?=\\W*$)';
const whole = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'giu');
export const answerWords = new RegExp(`\\b(?:${verbs})\\b|(?<![a-z])(?:${nouns})(?![a-z])`, 'gi');
const asideWords =
  /(?<!\b(?:for|of|to|from|on|with|in)\s(?:the\s|this\s|each\s)?(?:test\s)?)\binputs?\b|(?<!\b(?:from|in|by) (?:the |all )?)\b(?:train(?:ing)?|examples?)(?:[\W_]+(?:pair|sample|output|input|grid|\d+))*[\W_]*$|\b(?:legend|palette|key|codes?|maps?|mapping|try|trial|attempt(?:ed)?|draft|guess was|wrong|incorrect|mistaken|original|so far|sizes?|confidence|check(?:ing)?|verify|pattern|tile|template|shape)\b|入力|输入|entrada|entrée|eingabe/gi;

/** By the last of the words before it that tells. */
export function kindOfLabel(label: string): 'answer' | 'aside' | 'unknown' {
  const last = (words: RegExp) => {
    const match = [...label.matchAll(words)].at(-1);
    return match ? match.index + match[0].length : -1;
  };
  const [answer, aside] = [last(answerWords), last(asideWords)];
  if (/^\W*(?:check|verif|sanity|for reference)/i.test(label)) return 'aside';
  if (answer < 0 && aside < 0) return 'unknown';
  return answer > aside ? 'answer' : 'aside';
}

/** An input or a training pair: its grid is no answer. */
export function namesOtherGrid(label: string): boolean {
  return (
    kindOfLabel(label) === 'aside' &&
    /\binput|(?<!from (?:the |all )?)\bexample|\btrain|\bmap|legend of|入力|输入|entrada|entrée|eingabe/i.test(
      label,
    )
  );
}

const attempts = whole(
  'guess|attempt|try|option|alternative(?:ly)?|candidate|possibility|version|variant|or|else|second choice',
);

/** It says that its grid is one of several for the same test. */
export function isAttempt(label: string): boolean {
  return label.search(attempts) >= 0;
}

const ordinals = ['first', 'second', 'third', 'fourth'];
const numbered =
  /(?<!\p{L})(?:test|output|answer|result|solution|case|query|puzzle)[\W_]*(?:(?:output|input|case|pair|grid|sample|answer|result)[\W_]*)*(\d{1,2})(?!\s?[\dx×*])/giu;
const inOrder = new RegExp(
  `(?<!\\p{L})(?:${ordinals.join('|')})(?=\\W*(?:test|output|input|case|grid|answer|$))`,
  'gi',
);

/** The number of the test in the label; null if there is none. */
export function testNumberOf(label: string): number | null {
  const number = [...label.matchAll(numbered)].at(-1)?.[1];
  if (number !== undefined) return Number(number);
  const word = [...label.matchAll(inOrder)].at(-1)?.[0];
  return word === undefined || isAttempt(label) ? null : ordinals.indexOf(word.toLowerCase()) + 1;
}

const sizes =
  /(\d{1,2})\s*(?:[x×*]|by)\s*(\d{1,2})(?:\s*\(?(?:rows?|height)\W{0,3}(?:x|×|by)?\W{0,3}(?:col(?:umn)?s|width)\)?)?(?!\d)/gi;

const attemptNumbers: readonly RegExp[] = [
  /\b(?:1st|first|erster?|primary)\s(?:\w+\s)?(?:guess|attempt|try|choice|answer|versuch)|\b(?:guess|attempt|try|versuch)[\W_]*1\b|\bmost likely\b/i,
  /\b(?:2nd|second|zweiter?|alternative|backup)\s(?:\w+\s)?(?:guess|attempt|try|choice|answer|versuch)|\b(?:guess|attempt|try|versuch)[\W_]*2\b|\b(?:less likely|backup|alternatively?)\b/i,
  /\b(?:3rd|third|dritter?)\s(?:\w+\s)?(?:guess|attempt|try|choice|answer)|\b(?:guess|attempt|try|versuch)[\W_]*[3-9]\b/i,
];

/** The number of the attempt in the label; null if there is none. */
export function attemptNumberOf(label: string): number | null {
  const at = attemptNumbers.findLastIndex((words) => words.test(label));
  return at < 0 ? null : at + 1;
}

export const isOfTraining = (label: string): boolean =>
  /^\W*(?:check\w*\s|the\s)?(?:train(?:ing)?|examples?|demonstrations?)\b(?!.*\b(?:test|final)\b)[^.]{0,30}$/i.test(
    label,
  );

export const isCorrection = (label: string): boolean =>
  /\b(?:correct(?:ed|ion)|fix(?:ed)?|revised|wait|actually)\b/i.test(label);

/** A part of the output, or another thing than it. */
const partial =
  'half|halves|parts?|portion|pieces?|chunks?|sections?|blocks?|corner|quarter|crop\\w*|tiles?|columns?|cols?|only|solo|remaining|rest|everything|continued|below that|followed|(?:top|bottom|upper|lower|first|last|middle|left|right|next)\\s(?:\\w+\\s){0,2}(?:rows?|lines?)|page|compress\\w*|run-length|abridged|abbreviated|coordinates?|positions?|diff\\w*|changed|number of|counts?|bounding|mask|non-zero|before|vorher|nachher|mistake|wrong|incorrect|old|not|unable|filas|zeilen|either|quadrant|omitted|added|upper|lower|top|bottom|fence|rot90|zip|flipud|fliplr|(?:one|two|three|four) (?:of|to)';
/** The output in another form, or with more to be done. */
const turned =
  'transpos\\p{L}*|transponiert|rotated?|flip\\w*|mirror\\w*|gespiegelt|upside|revers\\w*|swap\\w*|repeat\\w*|twice|copies|border|added|without|except|across|scaled?|stands?';
const altered = new RegExp(`(?<!\\p{L})(?:${partial}|${turned})(?!\\p{L})`, 'iu');
const isPart = new RegExp(`^(?:ist|soll)\\W*$|(?<!\\p{L})(?:${partial})(?!\\p{L})`, 'iu');
const alteredBefore = new RegExp(
  `(?<!\\p{L})(?:${partial}|${turned})\\s(?:(?:image\\s)?(?:of|from|de|von)\\s)?(?:(?:the|this|a|test|final)\\s)*$`,
  'iu',
);

/** Sizes, and the words that say that nothing is left out. */
const withoutSizes = (words: string): string =>
  words
    .replaceAll(sizes, ' ')
    .replaceAll(
      /\d{1,2} (?:rows?|col(?:umn)?s?|lines?)\b|\b(?:rows?|col(?:umn)?s?)(?=\W+(?:x|×|by)\W)/gi,
      ' ',
    )
    .replaceAll(/\b(?:row by row|top to bottom|left to right|as required)\b/gi, ' ');

export function isPlain(words: string): boolean {
  return !altered.test(withoutSizes(words));
}

/** What was done already is not to be done any more. */
const done = /\bafter (?:the )?\w+ing\b.*/i;

/** Why a label does not name all of the output; null where it may. `grid`: what stands below it. */
export function checkLabelSize(label: string, grid: Grid): string | null {
  const words = clauseOf(label);
  const noun = words.startsWith('|') ? undefined : lastOf(words, [answerWords, attempts]);
  const [before, suffix] = noun
    ? [words.slice(0, noun.index), words.slice(noun.index + noun[0].length)]
    : ['', words];
  const isName = noun && noun[0].search(new RegExp(`^(?:${nouns})$`, 'i')) >= 0;
  const said = withoutSizes(
    noun && isAttempt(noun[0]) ? suffix.replaceAll(/\([^()]*\)/g, '') : suffix.replace(done, ''),
  );
  const isSentence = !isName && /[.!?。]\W*$/.test(words);
  const isOther = isName
    ? altered.test(said) || alteredBefore.test(before)
    : !isSentence && isPart.test(said);
  const isAll = new RegExp(`\\brows? [01] (?:to|-|–) (?:${grid.length}|${grid.length - 1})\\b`, 'i').test(
    words,
  );
  if (isOther && !isAll) {
    return 'the words above it call it a part of the output or another form of it. Write every row and every cell of the output row by row, from top to bottom';
  }
  return checkStatedSize(`${before.slice(-12)} ${suffix}`, grid);
}

/** The last clause of a label; in a line of JSON or code the last name. */
function clauseOf(label: string): string {
  const [last = ''] = label
    .split(/[.!?。]\s+|(?<=\{.*|\].*)[{,\]]/)
    .filter((part) => /\p{L}/u.test(part))
    .slice(-1);
  return last.trim();
}

function lastOf(text: string, patterns: readonly RegExp[]) {
  const found = patterns.flatMap((words) => [...text.matchAll(words)]);
  return found.toSorted((a, b) => a.index - b.index).at(-1);
}

/** A size that is stated must be its own. */
function checkStatedSize(words: string, grid: Grid): string | null {
  const width = grid[0]?.length ?? 0;
  const [, a, b] = [...words.matchAll(sizes)].at(-1) ?? [];
  const rows = a ?? /(\d{1,2}) rows?\b/i.exec(words)?.[1];
  const columns = b ?? /(\d{1,2}) col(?:umn)?s?\b/i.exec(words)?.[1];
  const isTurned = /\bwide|\bwidth\W+(?:x|×|by)|\bcol\w*\W+(?:x|×|by)/i.test(words);
  const [first, second] = isTurned ? [width, grid.length] : [grid.length, width];
  if (Number(rows ?? first) === first && Number(columns ?? second) === second) return null;
  return `it has ${grid.length} rows and ${width} columns, and another size is stated above it: write every row and every cell`;
}

/** Only signs that mean "more of the same". */
const dots = /^[\s>[\](){},|"]*(?:\.{2,}|…|⋮|〃|:)[\s.…⋮〃:[\](){},|"]*$/;
const more =
  /^[^\p{L}\d]*(?:etc\b|and so (?:on|forth)|usw\b|ditto|idem|same\b|repeat|…|\.{3}|cont(?:inued|\.)|to be continued|以此类推|等等|以下同|[x×]\s?\d|\d+\s?(?:[x×]|times)|mirror)/iu;
const rest =
  /\b(?:remaining|rest|other|further|following|missing|forgot\w*|last|omit\w*|truncat\w*|more)\b[^.]*\b(?:rows?|lines?|columns?)\b|\b(?:each|every|one) \w+ (?:stands|represents|means)\b|\bpattern (?:continues|goes on)\b|\b(?:omit|truncat|snip|abbreviat|abridg|left out|more (?:rows|lines|columns|cells))|\brepeat (?:this|each|the|it|them)\b/i;
/** The beginning of a line that continues the work, or takes something back. */
const goesOn =
  /^\W*(?:then\b|now\b|next\b|finally\b|afterwards?\b|oops|sorry|correction|erratum|wait\b|actually|hmm|no,|edit\b|p\.?s\b|(?:append|add|replace|flip|mirror|rotate|repeat|tile|extend|fill|swap|transpose|scale|shift|reflect|insert|remove|delete|duplicate|copy|change|set)\b|dann\b|danach\b|korrektur|luego\b|puis\b|ensuite\b)/i;
const not = /\b(?:not|cannot|unable|unknown|nicht|kein\w*|pas|unbekannt)\b|n['’]t\b/i;
const towards = new RegExp(`\\b(?:to|for|before|zur?|pour|para)\\s(?:\\w+\\s){0,3}(?:${nouns})\\W*$`, 'i');
const setsCells = /^\s*\w+(?:\[[^\]]*\])+\s*[-+*]?=|^\s*\w+\s*=\s*(?:np\.)?\w+[.(]|\w\.T\b/;

/** Whether the line behind a grid says that it is not all of the output. `isBeside`: nothing lies between them. */
export function hasFurtherText(
  line: string,
  { isBeside, fenced }: { readonly isBeside: boolean; readonly fenced: boolean },
  grid: Grid,
) {
  const words = line.trim().slice(0, 400);
  const remark =
    /^[*_]*[([](.*)[)\]][*_.]*$/.exec(words)?.[1] ?? (fenced || /^\/\//.test(words) ? words : '');
  const isSentence = /^\p{Lu}.*[.!?]$/u.test(remark);
  const isCode = /^(?:(?:print|return|console\.log|assert)\b|[\]},\s]*"[^"]*"\s*:)/.test(words);
  return (
    dots.test(words) ||
    ((isBeside || /^\W*[([{]/.test(words) || !/(?:\S+\s+){3}\S/.test(words)) && more.test(words)) ||
    (!isSentence && !isCode && !/^\d+ rows/.test(remark) && !isPlain(remark)) ||
    goesOn.test(words) ||
    (/^\p{Ll}/u.test(words) && !isPlain(words)) ||
    setsCells.test(words) ||
    (words.search(new RegExp(nouns, 'i')) >= 0 && (not.test(words) || towards.test(words))) ||
    rest.test(words.slice(0, 120)) ||
    namesMore(words, grid)
  );
}

/** `Rows 5-8 are the same as rows 1-4.`, `Row 2 should be 3 5.` */
function namesMore(words: string, grid: Grid): boolean {
  const lines = [
    ...words.matchAll(/\b(?:rows?|lines?)\s(\d{1,2})(?:\s?(?:[-–—]|to|through|and)\s?(\d{1,2}))?/gi),
  ];
  const highest = Math.max(0, ...lines.flatMap(([, from, to]) => [Number(from), Number(to ?? 0)]));
  const holdsCells = /\b(?:rows?|lines?|columns?)\b.*(?<![\d(])\d(?:[ ,]+\d)+(?![\d)])/i.test(words);
  return (highest > grid.length && !/\binputs?\b/i.test(words)) || holdsCells;
}
