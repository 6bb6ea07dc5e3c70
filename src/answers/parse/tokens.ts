/** Cleaned text as a row of tokens: numbers, letters, words that mean something, commands, texts and marks. */
import { add, multiply, powerOfTen, type Rational, rational } from '../exact/rational.ts';
import { BoundReached, limits, spend, type Work } from '../limits.ts';
import { textCommands, words } from './words.ts';

export type Token =
  | {
      readonly type: 'number';
      readonly value: Rational;
      readonly decimals: number | null;
      /** As written, without what sets groups apart. */
      readonly text: string;
    }
  | { readonly type: 'letter' | 'word' | 'command' | 'text' | 'mark'; readonly text: string };

export type TokenStyle = {
  /** `auto`: thousands in groups of three, a decimal comma if nothing else is likely, otherwise a separator. */
  readonly comma: 'auto' | 'separator' | 'decimal';
  readonly isMath: boolean;
};

const doubles = ['<=', '>=', '!=', '==', '=<', '=>', '->', '!!'];

export function tokensOf(text: string, style: TokenStyle, work: Work): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let nesting = 0;
  while (at < text.length) {
    spend(work);
    if (tokens.length >= limits.tokens) throw new BoundReached('length');
    const rest = text.slice(at, at + limits.digits + 64);
    const { length, token } = nextToken(text, at, rest, { ...style, isNested: nesting > 0 });
    if (token) {
      tokens.push(token);
      if (token.type === 'mark' && /^[([]$/.test(token.text)) nesting += 1;
      if (token.type === 'mark' && /^[)\]]$/.test(token.text)) nesting -= 1;
      if (token.type === 'command' && /^(?:\{|langle|begin)$/.test(token.text)) nesting += 1;
      if (token.type === 'command' && /^(?:\}|rangle|end)$/.test(token.text)) nesting -= 1;
    }
    at += length;
  }
  return tokens;
}

type Scanned = { readonly length: number; readonly token: Token | null };
type Style = TokenStyle & { readonly isNested: boolean };

function nextToken(text: string, at: number, rest: string, style: Style): Scanned {
  const [blank] = /^\s+/.exec(rest) ?? [];
  if (blank) return { length: blank.length, token: null };
  const isNumber = /^(?:\d|[.\ue002]\d|\.\s*\\(?:overline|bar|dot)\b)/.test(rest);
  const number = isNumber ? scanNumber(rest, style) : null;
  if (number) return number;
  if (rest.startsWith('\\')) return commandAt(text, at, rest);
  const letters = /^\p{L}+/u.exec(rest);
  if (letters) return scanLetters(letters[0]);
  const pair = doubles.find((each) => rest.startsWith(each));
  const mark = pair ?? String.fromCodePoint(rest.codePointAt(0) ?? 0x20);
  return { length: mark.length, token: { type: 'mark', text: mark } };
}

/** The longest word that is known from here on, else one letter. */
function scanLetters(run: string): Scanned {
  const lower = run.toLowerCase();
  if (words.has(lower)) return { length: run.length, token: { type: 'word', text: lower } };
  const first = String.fromCodePoint(run.codePointAt(0) ?? 0x20);
  return { length: first.length, token: { type: 'letter', text: first } };
}

function commandAt(text: string, at: number, rest: string): Scanned {
  const name = /^\\([a-zA-Z]+\*?|.)/su.exec(rest)?.[1] ?? '';
  const length = name.length + 1;
  if (name === '') return { length: 1, token: null };
  if (!textCommands.has(name)) return { length, token: { type: 'command', text: name } };
  const group = groupAt(text, at + length);
  if (!group) return { length, token: null };
  return { length: length + group.length, token: { type: 'text', text: group.content } };
}

/** The content of the braces that begin here, inner braces included. */
export function groupAt(text: string, at: number) {
  const open = /^\s*\{/.exec(text.slice(at, at + 16));
  if (!open) return null;
  let depth = 0;
  for (let end = at + open[0].length - 1; end < text.length; end += 1) {
    const character = text[end];
    if (character === '\\') end += 1;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return { length: end + 1 - at, content: text.slice(at + open[0].length, end) };
    }
  }
  return null;
}

const european = /^\d{1,3}(?:\.\d{3})+,\d+(?![\d,.])/;
const europeanGroups = /^[1-9]\d{0,2}(?:\.\d{3}){2,}(?![\d.])/;
const thousands = /^[1-9]\d{0,2}(?:,\d{3})+(?![\d])(?:\.\d+)?(?!,\d)/;
const indian = /^[1-9]\d?(?:,\d{2})+,\d{3}(?![\d,])(?:\.\d+)?/;
const spaced = /^[1-9]\d{0,2}(?: \d{3})+(?![\d])(?:[.,]\d+)?/;
const apostrophes = /^[1-9]\d{0,2}(?:'\d{3})+(?!\d)(?:\.\d+)?/;
const marked = /^\d{1,3}(?:\ue001\d{3})+(?:[.\ue002]\d+)?/;
const decimalComma = /^\d+,\d+(?![\d,.])/;
/** No group of three begins with a zero alone, and four digits before the comma were not set apart. */
const surelyDecimal = /^0,\d{3}(?![\d,])/;
const likelyDecimal = /^(?:0|\d{4,}),\d+(?![\d,.])/;
const plain = /^(?:\d+(?:[.\ue002]\d+)?|[.\ue002]\d+)/;
const exponent = /^[eE]([+-]?\d{1,6})(?![\d.]|\s*[a-zA-Z(])/;

/** The number at the beginning of a text, null where there is none. */
function scanNumber(text: string, style: Style): Scanned | null {
  const bare = text.startsWith('.') ? ({ length: 0, text: '0', point: '.' } as const) : null;
  const found = literal(text, style) ?? bare;
  if (!found) return null;
  if (found.text.length > limits.digits) throw new BoundReached('digits');
  const digits = normalised(found.text, found.point);
  const rest = text.slice(found.length);
  const { length, ...number } = scanRepeating(rest, digits, style.isMath) ?? scanScientific(rest, digits);
  if (found.length + length === 0) return null;
  return { length: found.length + length, token: { type: 'number', ...number, text: digits } };
}

function scanScientific(rest: string, digits: string): Ending {
  const [, tens] = exponent.exec(rest) ?? [];
  return {
    length: tens === undefined ? 0 : tens.length + 1,
    value: multiply(decimal(digits), powerOfTen(Number(tens ?? 0))),
    decimals: countDecimals(digits, Number(tens ?? 0)),
  };
}

type Literal = { readonly length: number; readonly text: string; readonly point: '.' | ',' };

function literal(text: string, { comma, isMath, isNested }: Style): Literal | null {
  const find = (pattern: RegExp, point: '.' | ','): Literal | null => {
    const [match] = pattern.exec(text) ?? [];
    return match ? { length: match.length, text: match, point } : null;
  };
  const grouped = find(marked, '.');
  if (grouped) return grouped;
  if (comma === 'decimal') return find(decimalComma, ',') ?? find(plain, '.');
  if (comma === 'auto' && !isNested) {
    const groups =
      find(european, ',') ?? find(europeanGroups, ',') ?? find(thousands, '.') ?? find(indian, '.');
    if (groups) return groups;
    const literal = find(isMath ? surelyDecimal : likelyDecimal, ',');
    if (literal) return literal;
  }
  const [space] = spaced.exec(text) ?? [];
  if (space) return find(spaced, space.includes(',') && !isMath && !isNested ? ',' : '.');
  return find(apostrophes, '.') ?? find(plain, '.');
}

/** Digits and at most one point. */
function normalised(text: string, point: '.' | ','): string {
  const kept = point === ',' ? text.replaceAll('.', '').replace(',', '.') : text.replaceAll(',', '');
  return kept.replaceAll(/[\ue001' ]/g, '').replace('\ue002', '.');
}

function decimal(digits: string): Rational {
  const [before = '', after = ''] = digits.split('.');
  return multiply(rational(BigInt(`0${before}${after}`)), powerOfTen(-after.length));
}

function countDecimals(digits: string, tens: number): number | null {
  const point = digits.indexOf('.');
  if (point < 0 && tens >= 0) return null;
  const count = point < 0 ? 0 : digits.length - point - 1;
  return Math.max(0, count - tens);
}

/** What the digits come to with what stands behind them, and how long that is. */
type Ending = { readonly length: number; readonly value: Rational; readonly decimals: number | null };

/** `0.\overline{3}`, `0.1\dot{6}`, `0.(142857)`, `0.333...`: exact. */
function scanRepeating(rest: string, digits: string, isMath: boolean): Ending | null {
  const bar = /^\.?\s*(?:\\overline|\\bar)\s*\{\s*(\d+)\s*\}/.exec(rest);
  const brackets = /^\.?\((\d+)\)(?![\d(])/.exec(rest);
  const dots = /^\.?\s*\\dot\s*\{?\s*(\d)\s*\}?(?:\s*(\d*)\\dot\s*\{?\s*(\d)\s*\}?)?/.exec(rest);
  const afterPoint = digits.includes('.') || rest.startsWith('.');
  if (bar?.[1] && afterPoint) return repeatingDecimal(digits, bar[1], bar[0].length);
  if (brackets?.[1] && (isMath ? rest.startsWith('.') : afterPoint))
    return repeatingDecimal(digits, brackets[1], brackets[0].length);
  if (dots && afterPoint)
    return repeatingDecimal(digits, `${dots[1]}${dots[2] ?? ''}${dots[3] ?? ''}`, dots[0].length);
  const more = /^\s*(?:\.\.\.|\\ldots)/.exec(rest);
  const tail = /\.\d*?(\d{1,6}?)\1{2,}$/.exec(digits)?.[1] ?? /\.(\d{2,})\1$/.exec(digits)?.[1];
  return more && tail ? repeatingDecimal(digits, tail, more[0].length) : null;
}

function repeatingDecimal(digits: string, period: string, length: number): Ending {
  if (period.length > limits.digits) throw new BoundReached('digits');
  const [, after = ''] = digits.split('.');
  const nines = rational(BigInt(period), 10n ** BigInt(period.length) - 1n);
  const value = add(decimal(digits), multiply(nines, powerOfTen(-after.length)));
  return { length, value, decimals: null };
}
