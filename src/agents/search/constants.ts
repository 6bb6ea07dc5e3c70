/**
 * Numbers in a C++ program that may be tuned: found, named, given ranges, and put back with other values. Those that
 * its author marked come first, then constants that have a name, then plain numbers that are neither indices, sizes,
 * bits, units nor clocks. A number that may be part of the program's structure stays. Pure.
 */
import { contextsOf, linesOf, type NumberContext } from './constant-contexts.ts';
import { type CppToken, cppTokens } from './cpp-tokens.ts';

export type Constant = ConstantRange & {
  /** Unique in its program: the name it is declared with, else line and place (`line12_1`). */
  readonly name: string;
  /** Of the number with its sign, in the source. */
  readonly start: number;
  readonly end: number;
  /** As it stands there. */
  readonly text: string;
  readonly line: number;
  readonly isInteger: boolean;
  readonly value: number;
  /** `marked` by a comment, `named` by a const declaration, or `plain`. */
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
    const mark = marks.get(context.start);
    const found = constantOf(context, mark);
    if (!found) return [];
    const name = unusedName(found.name, names);
    names.set(name, 1);
    return [{ ...found, name }];
  });
  const order = constants.toSorted((a, b) => rank(a) - rank(b) || a.start - b.start);
  return { constants: order, complaints };
}

/** `used`: how often each name was wanted. */
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
  let rendered = '';
  let from = 0;
  for (const constant of constants.toSorted((a, b) => a.start - b.start)) {
    const value = values[constant.name] ?? constant.value;
    rendered += source.slice(from, constant.start) + spell(constant, value);
    from = constant.end;
  }
  return rendered + source.slice(from);
}

/** The value that will stand in the program: whole where it must be, and with few digits. */
export function settledValue({ isInteger }: Pick<Constant, 'isInteger'>, value: number): number {
  return isInteger ? Math.round(value) : Number(value.toPrecision(4));
}

function spell(constant: Constant, asked: number): string {
  const value = settledValue(constant, asked);
  if (asked === constant.value || value === constant.value) return constant.text;
  const suffix =
    /(?<![uUlLfF])[uUlLfF]+$/.exec(/^-?0[xX]/.test(constant.text) ? '' : constant.text)?.[0] ?? '';
  const digits = constant.isInteger ? String(value) : realText(value);
  // `x-0.5` must not become `x--0.5`.
  return value < 0 ? `(${digits}${suffix})` : `${digits}${suffix}`;
}

function realText(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function marksOf(
  source: string,
  contexts: readonly NumberContext[],
): { readonly marks: ReadonlyMap<number, Mark>; readonly complaints: readonly string[] } {
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
    else if (reading.mark.isInteger && !Number.isInteger(number.value))
      complaints.push(`Line ${line}: ${number.text} is no integer, as its mark says.`);
    else marks.set(number.start, reading.mark);
  }
  return { marks, complaints };
}

function constantOf(context: NumberContext, mark: Mark | undefined): Constant | null {
  if (mark && mark.range === null) return null;
  if (!mark && context.role === 'fixed') return null;
  const { start, end, text, line, value, name } = context;
  const isInteger = mark?.isInteger || context.isInteger;
  const origin = mark ? 'marked' : context.role === 'named' ? 'named' : 'plain';
  const range = mark?.range ?? usualRange({ value, isInteger });
  return { name, start, end, text, line, isInteger, value, origin, ...range };
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

type ConstantRange = {
  readonly low: number;
  readonly high: number;
  readonly scale: 'linear' | 'log';
};

type Mark = {
  /** Null: it is to stay as it is. */
  readonly range: ConstantRange | null;
  readonly isInteger: boolean;
};

type MarkReading = { readonly mark: Mark } | { readonly complaint: string };

/** Its pattern tries many ways to part a longer one. */
const longestMark = 200;

const form = 'A mark is written `// tune: 0.1..0.9`, `// tune: int 1..100 log`, or `// tune: no`.';

/**
 * Marks are comments of the author: `// tune: 0.1..0.9`, `// tune: int 1..100 log`, and `// tune: no` for a number that
 * is to stay. A mark belongs to the last number before it in its line. Null for a comment that is none.
 */
function markIn({ kind, text }: CppToken): MarkReading | null {
  const words =
    kind === 'comment'
      ? /^\/[/*]\s*tune\s*:(?<words>[^\n]*)$/i.exec(text.replace(/\*\/$/, '').trimEnd())?.groups?.words
      : null;
  if (words === null || words === undefined) return null;
  const said = words.trim();
  if (/^(?:no|off|never)$/i.test(said)) return { mark: { range: null, isInteger: false } };
  const pattern =
    /^(?<type>int|integer|real|double|float)?\s*(?<ends>[^\s]+\.\.[^\s]+)\s*(?<scale>log|linear)?$/i;
  const { type = '', ends, scale = '' } = (said.length <= longestMark && pattern.exec(said)?.groups) || {};
  const range = ends && readRange(ends, scale.toLowerCase() === 'log');
  if (!range) return { complaint: `\`${said}\` is no range. ${form}` };
  if (typeof range === 'string') return { complaint: range };
  return { mark: { range, isInteger: /^int/i.test(type) } };
}

/** `0.1..0.9`; null where it is no range at all, a sentence where it is one that makes no sense. */
export function readRange(text: string, isLog: boolean): ConstantRange | string | null {
  const ends =
    /^(?<low>[-+]?[\d.]*?\d(?:e[-+]?\d+)?)\.\.(?<high>[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)$/i.exec(
      text,
    )?.groups;
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
function usualRange({
  value,
  isInteger,
}: {
  readonly value: number;
  readonly isInteger: boolean;
}): ConstantRange {
  if (value < 0) return mirrored(usualRange({ value: -value, isInteger }));
  return isInteger ? integerRange(value) : realRange(value);
}

function mirrored({ low, high }: ConstantRange): ConstantRange {
  return { low: -high, high: -low, scale: 'linear' };
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
  // What is not above one may be a share or a probability.
  return { low: value / fold, high: value < 1 ? Math.min(1, value * fold) : value * fold, scale: 'log' };
}
