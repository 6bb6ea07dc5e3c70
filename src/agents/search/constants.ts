/**
 * Numbers in a C++ program that may be tuned: found, named, given ranges, and replaced. Marked ones come first, then
 * named constants, then plain numbers. A number that may be part of the program's structure stays. Pure.
 */
import { contextsOf, linesOf, type NumberContext } from './constant-contexts.ts';
import { type CppToken, cppTokens } from './cpp-tokens.ts';

type ConstantRange = { readonly low: number; readonly high: number; readonly scale: 'linear' | 'log' };

/** `name` is unique in its program: the one that it is declared with, else line and place (`line12_1`). */
export type Constant = Omit<NumberContext, 'role'> &
  ConstantRange & {
    readonly origin: 'marked' | 'named' | 'plain';
  };

type Lifted = {
  /** Marked ones first, then named, then plain: reals before integers. */
  readonly constants: readonly Constant[];
  /** Marks that cannot be read, each a sentence with its line. */
  readonly complaints: readonly string[];
};

export type ConstantValues = Readonly<Record<string, number>>;

export function liftConstants(source: string): Lifted {
  const contexts = contextsOf(source);
  const { marks, complaints } = marksOf(source, contexts);
  const names = new Map<string, number>();
  const constants = contexts.flatMap((context): Constant[] => {
    const found = constantOf(context, marks.get(context.start));
    if (!found) return [];
    const name = unusedName(found.name, names);
    names.set(name, 1);
    return [{ ...found, name }];
  });
  const order = constants.toSorted((a, b) => rank(a) - rank(b) || a.start - b.start);
  return { constants: order, complaints };
}

function unusedName(name: string, used: Map<string, number>): string {
  let free = name;
  for (let count = used.get(name) ?? 0; used.has(free); free = `${name}_${count}`) {
    count += 1;
    used.set(name, count);
  }
  return free;
}

/** The marked ones where there are any, for then their author has chosen; else the first `most`. */
export function chosenConstants({ constants }: Lifted, most: number): readonly Constant[] {
  const marked = constants.filter(({ origin }) => origin === 'marked');
  return marked.length > 0 ? marked : constants.slice(0, most);
}

/** The program with these values in the places of its constants; what has no other value keeps its spelling. */
export function renderConstants(
  source: string,
  constants: readonly Constant[],
  values: ConstantValues,
): string {
  let rendered = source;
  for (const constant of constants.toSorted((a, b) => b.start - a.start)) {
    const spelt = spell(constant, values[constant.name] ?? constant.value);
    rendered = rendered.slice(0, constant.start) + spelt + rendered.slice(constant.end);
  }
  return rendered;
}

/** The value that will stand in the program: whole where it must be, and with few digits. */
export function settledValue({ isInteger }: Pick<Constant, 'isInteger'>, value: number): number {
  return isInteger ? Math.round(value) : Number(value.toPrecision(4));
}

function spell(constant: Constant, asked: number): string {
  const { text, isInteger } = constant;
  const value = settledValue(constant, asked);
  if (asked === constant.value || value === constant.value) return text;
  const suffix = /^-?0[xX]/.test(text) ? '' : (/(?<![uUlLfF])[uUlLfF]+$/.exec(text)?.[0] ?? '');
  const digits = isInteger || /[.e]/.test(String(value)) ? String(value) : `${value}.0`;
  // `x-0.5` must not become `x--0.5`.
  return value < 0 ? `(${digits}${suffix})` : `${digits}${suffix}`;
}

function marksOf(source: string, contexts: readonly NumberContext[]) {
  const marks = new Map<number, Mark>();
  const complaints: string[] = [];
  const lineOf = linesOf(source);
  let passed = 0;
  for (const token of cppTokens(source)) {
    const reading = markIn(token);
    if (!reading) continue;
    const line = lineOf(token.start);
    while ((contexts[passed]?.start ?? source.length) < token.start) passed += 1;
    const before = contexts[passed - 1];
    const number = before?.line === line ? before : undefined;
    if ('complaint' in reading) complaints.push(`Line ${line}: ${reading.complaint}`);
    else if (!number) complaints.push(`Line ${line}: there is no number before the mark.`);
    else if (marks.has(number.start)) complaints.push(`Line ${line}: ${number.text} has two marks.`);
    else if (reading.isInteger && !Number.isInteger(number.value))
      complaints.push(`Line ${line}: ${number.text} is no integer, as its mark says.`);
    else marks.set(number.start, reading);
  }
  return { marks, complaints };
}

function constantOf({ role, ...context }: NumberContext, mark: Mark | undefined): Constant | null {
  if (mark ? mark.range === null : role === 'fixed') return null;
  const isInteger = mark?.isInteger || context.isInteger;
  const origin = mark ? 'marked' : role === 'named' ? 'named' : 'plain';
  return { ...context, isInteger, origin, ...(mark?.range ?? usualRange(context.value, isInteger)) };
}

function rank({ origin, isInteger }: Constant): number {
  if (origin === 'marked') return 0;
  if (origin === 'named') return 1;
  return isInteger ? 3 : 2;
}

/** The constants that a person means by a name: the very same, else those whose names have it in them. */
export function constantsNamed(source: string, name: string): readonly Constant[] {
  const { constants } = liftConstants(source);
  const wanted = plain(name);
  if (wanted === '') return [];
  const same = constants.filter((each) => plain(each.name) === wanted);
  if (same.length > 0) return same;
  // A name of a letter or two is in every other.
  return wanted.length < 3 ? [] : constants.filter((each) => plain(each.name).includes(wanted));
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** `range` is null where the number is to stay as it is. */
type Mark = { readonly range: ConstantRange | null; readonly isInteger: boolean };

/** Its pattern tries many ways to part a longer one. */
const longestMark = 200;

const form = 'A mark is written `// tune: 0.1..0.9`, `// tune: int 1..100 log`, or `// tune: no`.';

/** The mark in a comment, in one of the forms above, for the last number before it in its line; null: no mark. */
function markIn({ kind, text }: CppToken): Mark | { readonly complaint: string } | null {
  if (kind !== 'comment') return null;
  const comment = text.replace(/\*\/$/, '').trimEnd();
  const said = /^\/[/*]\s*tune\s*:(?<words>[^\n]*)$/i.exec(comment)?.groups?.words?.trim();
  if (said === undefined) return null;
  if (/^(?:no|off|never)$/i.test(said)) return { range: null, isInteger: false };
  const pattern =
    /^(?<type>int|integer|real|double|float)?\s*(?<ends>[^\s]+\.\.[^\s]+)\s*(?<scale>log|linear)?$/i;
  const { type = '', ends, scale = '' } = (said.length <= longestMark && pattern.exec(said)?.groups) || {};
  const range = ends && readRange(ends, scale.toLowerCase() === 'log');
  if (!range) return { complaint: `\`${said}\` is no range. ${form}` };
  return typeof range === 'string' ? { complaint: range } : { range, isInteger: /^int/i.test(type) };
}

/** `0.1..0.9`; null where it is no range at all, a sentence where it is one that makes no sense. */
export function readRange(text: string, isLog: boolean): ConstantRange | string | null {
  const pattern =
    /^(?<low>[-+]?[\d.]*?\d(?:e[-+]?\d+)?)\.\.(?<high>[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)$/i;
  const ends = pattern.exec(text)?.groups;
  if (!ends) return null;
  const [low, high] = [Number(ends.low), Number(ends.high)];
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  if (low >= high) return `The range ${text} has no room: its first number must be the smaller one.`;
  if (isLog && low <= 0) return `The range ${text} cannot be searched by its logarithm: it begins at ${low}.`;
  return { low, high, scale: isLog ? 'log' : 'linear' };
}

const fold = 8;
const mostInteger = 2 ** 31 - 1;

/** Where a value is looked for if its author says nothing: some eightfold to both sides. */
function usualRange(value: number, isInteger: boolean): ConstantRange {
  if (value < 0) {
    const { low, high } = usualRange(-value, isInteger);
    return { low: -high, high: -low, scale: 'linear' };
  }
  return isInteger ? integerRange(value) : realRange(value);
}

function integerRange(value: number): ConstantRange {
  // A few steps of one are all there is near zero.
  if (value <= 2) return { low: 0, high: fold, scale: 'linear' };
  const high = Math.min(mostInteger, Math.round(value * fold));
  return { low: Math.max(1, Math.round(value / fold)), high, scale: 'log' };
}

function realRange(value: number): ConstantRange {
  if (value === 0) return { low: -1, high: 1, scale: 'linear' };
  // A factor such as 0.999 lives by its distance from one.
  if (value > 0.9 && value < 1)
    return { low: 1 - fold * (1 - value), high: 1 - (1 - value) / fold, scale: 'linear' };
  // A value up to one may be a share or a probability.
  return { low: value / fold, high: value < 1 ? Math.min(1, value * fold) : value * fold, scale: 'log' };
}
