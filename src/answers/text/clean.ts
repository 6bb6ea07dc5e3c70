/**
 * From what stood in a reply to LaTeX that the parser reads: wrappers, layout and doubled backslashes go, Unicode
 * becomes LaTeX. It decides nothing about what the text means.
 */
import { withoutUnicodeMathematics } from './unicode.ts';

export type Cleaned = {
  readonly text: string;
  /** It was set as mathematics: there a comma parts things, and a letter is a variable. */
  readonly isMath: boolean;
};

/** Commands whose backslash is doubled where a reply was escaped once too often. */
const doubled =
  /\\\\(?=(?:left|right|[dtc]?frac|sqrt|boxed|text|mathrm|mathbf|mathbb|le|leq|ge|geq|ne|neq|lt|gt|in|cup|cap|pi|cdot|times|infty|pm|mp|circ|theta|alpha|beta|begin|end|overline|sin|cos|tan|ln|log|binom|quad)(?![a-z]))/g;

/** A row ends here; made one character, so that its second backslash is not taken for that of a command. */
const rowBreak = /\\\\\s*(?:\[-?[\d.]+(?:pt|em|ex|cm|mm)\])?/g;

/** `6.02 x 10^23`: there x is no variable. */
const timesTen = /(?<=\d)\s+x\s+(?=10\s*\^)/g;

const pythonPower = /(?<=[\w)\]}])\s*\*\*\s*(?=[\w(-])(?!\w+\*\*(?:\W|$))/g;

/** `x^2_1` and `\\sum^{3}_{k=1}`; e and i are no names, so that they have no subscript. */
const lateSubscript =
  /(\\[a-zA-Z]{2,}|[a-df-hj-zA-Z])\s*\^\s*(\{(?:[^{}]|\{[^{}]*\})*\}|\d|[a-zA-Z]|\\[a-zA-Z]+)\s*_\s*(\{(?:[^{}]|\{[^{}]*\})*\}|\d|[a-zA-Z]|\\[a-zA-Z]+)/g;

/** What only moves or sizes things. `\right.` closes nothing that can be seen. */
const layout: readonly (readonly [RegExp, string])[] = [
  [/\\(?:left|right)\s*\./g, ''],
  [/\\vert(?![a-z])/g, '|'],
  [/(?<=\d)\.(?=\s*(?:[/*+)\]}-]|\\(?:cdot|times)))/g, ''],
  [
    /\\(?:left|right|middle|[Bb]ig{1,2}[lrm]?|displaystyle|textstyle|scriptstyle|limits|nolimits)(?![a-z])/g,
    '',
  ],
  [/\\(?:hspace|vspace|hphantom|vphantom|phantom|label|tag)\*?\{[^{}]*\}/g, ' '],
  [/\{,\}(?=\d{3}(?!\d))/g, '\ue001'],
  [/\{,\}/g, '\ue002'],
  [/\{:\}/g, ':'],
  [/(\d),\s*\\!\s*(?=\d{3}(?!\d))/g, '$1\ue001'],
  [/(\d)\\[,;:](?=\d{3}(?!\d))/g, '$1\ue001'],
  [/\.\.\.+/g, '\\ldots '],
  [/\\!/g, ''],
  [/\\(?:text(?:bf|rm|it)?|math(?:bf|rm|it|sf)|boldsymbol|bm)\{\s*(?!0\s*\})([-+]?[\d.,/]+)\s*\}/g, ' $1 '],
  [
    /(?<=\S\$)\s+(?!(?:and|or|if|for|mod|dozen|percent|wh\w+)\b)([a-z]{3,}(?: [a-z]{2,}){0,2})$/g,
    ' \\text{ $1}',
  ],
  [
    /\\(?:[,;:> ]|(?:quad|qquad|enspace|thinspace|medspace|thickspace|newline|noindent|nobreakspace)(?![a-z]))|~/g,
    ' ',
  ],
  [/\\q?quad(?=[a-z])/g, ' '],
  [/\\(?:dots|ldots|cdots|dotsc|dotsm|dotsb|hdots)(?![a-z])/g, '\\ldots '],
];

export function clean(raw: string): Cleaned {
  let text = normalizeCurrency(withoutScaleWords(withoutUnicodeMathematics(raw).replaceAll(/\s+/g, ' ')));
  const isMath = /\\|\$/.test(text.replaceAll(/\\[$%]/g, ''));
  text = text
    .replaceAll(doubled, '\\')
    .replaceAll(rowBreak, '\ue003')
    .replaceAll(pythonPower, '^')
    .replaceAll(timesTen, '\\times ');
  for (const [pattern, replacement] of layout) text = text.replaceAll(pattern, replacement);
  text = text.replaceAll(modulus, '\\pmod{$1}').replace(remainder, '$1 \\equiv $3 \\pmod{$2}');
  return { text: stripWrappers(text.replaceAll(lateSubscript, '$1_$3^$2 ')), isMath };
}

/** `(mod 7)`, `(\mathrm{mod}\;7)`, and `x mod 7 = 3`. */
const modulus = /(?<!\\)\(\s*(?:\\(?:mathrm|text|operatorname)\*?\s*\{\s*mod\s*\}|mod\b)\s*([^()]{1,60})\)/g;
const remainder = /^\s*([a-z])\s*\\?b?mod\s*(\d+)\s*(?:=|\\equiv)\s*(\d+)\s*$/;

/** A lone dollar beside a number is money, and is written like that in LaTeX. */
function normalizeCurrency(text: string): string {
  const dollars = [...text.matchAll(/(?<!\\)\$/g)];
  const isAdjacent = /(?<!\\)\$\s*[-+]?[\d.]|\d\s*(?<!\\)\$/.test(text);
  return dollars.length === 1 && isAdjacent && !text.includes('\\boxed') ? text.replace('$', '\\$') : text;
}

/** Dollars that begin and end mathematics go. */
function stripWrappers(text: string): string {
  return text
    .replaceAll(/\\[()[\]]/g, ' ')
    .replaceAll(/(?<!\\)\$/g, ' ')
    .replaceAll(/\*\*|__|`+/g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('\ue003', text.includes('\\begin') ? '\ue003' : ' ')
    .replace(/^[\s:]+/, '')
    .replace(/(?<![\s.;,\ue003])[\s.;,\ue003]+$/, '')
    .trim();
}

const zeros: Readonly<Record<string, number>> = { thousand: 3, million: 6, billion: 9, trillion: 12 };
const scaled =
  /(?<![\d.,^_{])(\d{1,3}(?:,\d{3})+|\d{1,30})(?:\.(\d{1,30}))?(\s*(?:-\s*)?(?:\\text(?:rm)?\s*\{\s*)?)(thousand|million|billion|trillion|dozen)s?\b/gi;

export function withoutScaleWords(text: string): string {
  return text
    .replaceAll(scaled, (found, before: string, after = '', gap: string, word: string) => {
      const digits = scaleDigits(before.replaceAll(',', ''), after, word.toLowerCase());
      return digits === null ? found : `${digits}${gap.replace('-', ' ')}`;
    })
    .replaceAll(/\\text(?:rm)?\s*\{\s*\}/g, ' ');
}

function scaleDigits(before: string, after: string, word: string): string | null {
  if (word === 'dozen') return after === '' ? String(BigInt(before) * 12n) : null;
  const count = zeros[word] ?? 0;
  const moved = before + after.slice(0, count).padEnd(count, '0');
  const rest = after.slice(count);
  return rest === '' ? moved : `${moved}.${rest}`;
}
