/**
 * Numbers as people write them: thousands set apart by commas, dots, blanks or apostrophes, decimal commas, repeating
 * decimals, powers of ten. A comma may part two answers as well, so it is the caller who says how to read it.
 */
import { add, multiply, powerOfTen, type Rational, rational } from '../exact/rational.ts';
import { BoundReached, limits } from '../limits.ts';

/** `auto`: thousands where groups of three say so, a decimal comma where nothing else is likely, else it parts. */
export type CommaReading = 'auto' | 'separator' | 'decimal';

export type NumberStyle = {
  readonly comma: CommaReading;
  readonly isMath: boolean;
  readonly isNested: boolean;
};

export type ScannedNumber = {
  readonly length: number;
  readonly value: Rational;
  readonly decimals: number | null;
  readonly digits: string;
};

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
export function scanNumber(text: string, style: NumberStyle): ScannedNumber | null {
  const found =
    literal(text, style) ?? (text.startsWith('.') ? { length: 0, text: '0', point: '.' as const } : null);
  if (!found) return null;
  if (found.text.length > limits.digits) throw new BoundReached('digits');
  const digits = normalised(found.text, found.point);
  const repeated = repeating(text.slice(found.length), digits, style.isMath);
  if (repeated) return { ...repeated, length: found.length + repeated.length, digits };
  const [, tens] = exponent.exec(text.slice(found.length)) ?? [];
  const scientific = tens === undefined ? 0 : tens.length + 1;
  return {
    length: found.length + scientific,
    value: multiply(decimal(digits), powerOfTen(Number(tens ?? 0))),
    decimals: decimalsOf(digits, Number(tens ?? 0)),
    digits,
  };
}

type Literal = { readonly length: number; readonly text: string; readonly point: '.' | ',' };

function literal(text: string, { comma, isMath, isNested }: NumberStyle): Literal | null {
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
    const decimals = find(isMath ? surelyDecimal : likelyDecimal, ',');
    if (decimals) return decimals;
  }
  const [space] = spaced.exec(text) ?? [];
  if (space) return find(spaced, /,\d+$/.test(space) && (isMath || isNested) ? '.' : pointOf(space));
  return find(apostrophes, '.') ?? find(plain, '.');
}

function pointOf(text: string): '.' | ',' {
  return text.includes(',') ? ',' : '.';
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

function decimalsOf(digits: string, tens: number): number | null {
  const point = digits.indexOf('.');
  if (point < 0 && tens >= 0) return null;
  const written = point < 0 ? 0 : digits.length - point - 1;
  return Math.max(0, written - tens);
}

type Repeating = Pick<ScannedNumber, 'length' | 'value' | 'decimals'>;

/** `0.\overline{3}`, `0.1\dot{6}`, `0.(142857)`, `0.333...`: exact. */
function repeating(rest: string, digits: string, isMath: boolean): Repeating | null {
  const bar = /^\.?\s*(?:\\overline|\\bar)\s*\{\s*(\d+)\s*\}/.exec(rest);
  const brackets = /^\.?\((\d+)\)(?![\d(])/.exec(rest);
  const dots = /^\.?\s*\\dot\s*\{?\s*(\d)\s*\}?(?:\s*(\d*)\\dot\s*\{?\s*(\d)\s*\}?)?/.exec(rest);
  const hasPoint = digits.includes('.');
  const afterPoint = hasPoint || rest.startsWith('.');
  if (bar?.[1] && afterPoint) return repeated(digits, bar[1], bar[0].length);
  if (brackets?.[1] && (isMath ? rest.startsWith('.') : afterPoint))
    return repeated(digits, brackets[1], brackets[0].length);
  if (dots && afterPoint)
    return repeated(digits, `${dots[1]}${dots[2] ?? ''}${dots[3] ?? ''}`, dots[0].length);
  const more = /^\s*(?:\.\.\.|\\ldots)/.exec(rest);
  const tail = /\.\d*?(\d{1,6}?)\1{2,}$/.exec(digits)?.[1] ?? /\.(\d{2,})\1$/.exec(digits)?.[1];
  return more && tail ? repeated(digits, tail, more[0].length) : null;
}

function repeated(digits: string, period: string, length: number): Repeating {
  if (period.length > limits.digits) throw new BoundReached('digits');
  const [, after = ''] = digits.split('.');
  const nines = rational(BigInt(period), 10n ** BigInt(period.length) - 1n);
  const value = add(decimal(digits), multiply(nines, powerOfTen(-after.length)));
  return { length, value, decimals: null };
}
