/**
 * Numbers in a C++ program that may be tuned: found, named, given ranges, and replaced. They are those that their author
 * marked (`// tune: 0.1..0.9`) and named constants (`const double A = 0.5;`) that are neither a size nor part of a type.
 * Other numbers may be part of the program's structure, and stay. Pure.
 */
import { type CppToken, codeTokens, cppTokens, lineCounter } from '../../text/cpp-tokens.ts';

type ConstantRange = { readonly low: number; readonly high: number; readonly scale: 'linear' | 'log' };

/** A number with its sign. */
type Literal = {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly line: number;
  readonly value: number;
  /** The one that it is declared with, else line and place: `line12_1`. */
  readonly name: string;
  readonly isInteger: boolean;
  /** Whether it is the value of a named constant that may change. */
  readonly isNamed: boolean;
};

/** `name` is unique in its program. */
export type Constant = Omit<Literal, 'isNamed'> & ConstantRange & { readonly origin: 'marked' | 'named' };

type LiftedSource = {
  /** Marked ones first, then named. */
  readonly constants: readonly Constant[];
  /** Marks that cannot be read, each a sentence with its line. */
  readonly complaints: readonly string[];
};

export type ConstantValues = Readonly<Record<string, number>>;

export function liftConstants(source: string): LiftedSource {
  const literals = findLiterals(source);
  const { marks, complaints } = parseMarks(source, literals);
  const names = new Map<string, number>();
  const constants = literals.flatMap(({ isNamed, ...literal }): Constant[] => {
    const mark = marks.get(literal.start);
    if (mark ? mark.range === null : !isNamed) return [];
    const isInteger = mark?.isInteger || literal.isInteger;
    const name = freshName(literal.name, names);
    names.set(name, 1);
    const range = mark?.range ?? typicalRange(literal.value, isInteger);
    return [{ ...literal, name, isInteger, origin: mark ? 'marked' : 'named', ...range }];
  });
  const order = constants.toSorted((a, b) => a.origin.localeCompare(b.origin) || a.start - b.start);
  return { constants: order, complaints };
}

function freshName(name: string, used: Map<string, number>): string {
  let free = name;
  for (let count = used.get(name) ?? 0; used.has(free); free = `${name}_${count}`) {
    count += 1;
    used.set(name, count);
  }
  return free;
}

/** The marked ones where there are any, for then their author has chosen; else the first `most`. */
export function selectConstants({ constants }: LiftedSource, most: number): readonly Constant[] {
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
    const spelt = formatConstant(constant, values[constant.name] ?? constant.value);
    rendered = rendered.slice(0, constant.start) + spelt + rendered.slice(constant.end);
  }
  return rendered;
}

/** The value that will stand in the program: whole where it must be, and with few digits. */
export function settledValue({ isInteger }: Pick<Constant, 'isInteger'>, value: number): number {
  return isInteger ? Math.round(value) : Number(value.toPrecision(4));
}

function formatConstant(constant: Constant, requested: number): string {
  const { text, isInteger } = constant;
  const value = settledValue(constant, requested);
  if (requested === constant.value || value === constant.value) return text;
  const suffix = /[uUlLzZfF]*$/.exec(text)?.[0] ?? '';
  const digits = isInteger || /[.e]/.test(String(value)) ? String(value) : `${value}.0`;
  // `x-0.5` must not become `x--0.5`.
  return value < 0 ? `(${digits}${suffix})` : `${digits}${suffix}`;
}

/** Numbers in the order of the program; those that JavaScript cannot hold exactly are left out. */
function findLiterals(source: string): readonly Literal[] {
  const tokens = codeTokens(source);
  const structural = structuralNames(tokens);
  const lineOf = lineCounter(source);
  const onLine = new Map<number, number>();
  return tokens.flatMap((token, at): Literal[] => {
    const size = token.kind === 'number' ? numberOf(token.text) : null;
    if (size === null) return [];
    const sign = tokens[at - 1];
    const isNegative = sign?.text === '-' && sign.start + 1 === token.start && isUnarySign(tokens[at - 2]);
    const line = lineOf(token.start);
    const position = (onLine.get(line) ?? 0) + 1;
    onLine.set(line, position);
    const declared = declarationAt(tokens, isNegative ? at - 1 : at, at);
    const text = isNegative ? `-${token.text}` : token.text;
    // Unsigned and huge ones are masks, hashes and bounds.
    const isChoice = !/u/i.test(text) && size < 1e9;
    const isNamed =
      isChoice && declared !== null && !structural.has(declared.name) && !fixedNames.test(declared.name);
    return [
      {
        start: isNegative ? sign.start : token.start,
        end: token.start + token.text.length,
        text,
        line,
        value: isNegative ? -size : size,
        name: declared?.name ?? `line${line}_${position}`,
        isInteger: declared?.isInteger ?? /^-?\d[\d']*[uUlL]*$/.test(text),
        isNamed,
      },
    ];
  });
}

function isUnarySign(before: CppToken | undefined): boolean {
  return before === undefined || /^(?:[=([{,?:;<>]|return|[<>=!]=|[+\-*/]=|&&|\|\|)$/.test(before.text);
}

/** Null for what is no decimal number, and for integers that JavaScript cannot hold exactly: such stay as they are. */
function numberOf(text: string): number | null {
  const [, digits] = /^((?:[1-9][\d']*|0)?(?:\.[\d']*)?(?:e[-+]?\d+)?)[uUlLzZfF]*$/i.exec(text) ?? [];
  const value = Number(digits?.replaceAll("'", '') || Number.NaN);
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null;
}

/** Names that stand in brackets, as an argument of a template, or as a case: sizes, indices, types. */
function structuralNames(tokens: readonly CppToken[]): ReadonlySet<string> {
  let depth = 0;
  return new Set(
    tokens.flatMap(({ kind, text }, at) => {
      if (text === '[') depth += 1;
      if (text === ']') depth -= 1;
      if (kind !== 'name') return [];
      const [before = '', after = ''] = [tokens[at - 1]?.text, tokens[at + 1]?.text];
      const isArgument =
        /^[<,]$/.test(before) && /^(?:>+|,)$/.test(after) && (before === '<' || after !== ',');
      return depth > 0 || isArgument || before === 'case' ? [text] : [];
    }),
  );
}

const integerTypes =
  /^(?:int|long|short|unsigned|signed|size_t|ssize_t|ptrdiff_t|u?int(?:_fast|_least)?(?:16|32|64)_t|ll|ull|i32|i64|u32|u64)$/i;
const realTypes = /^(?:double|float|ld|f32|f64|auto)$/;
const otherTypes = /^(?:char|bool|string|u?int8_t|seed\w*|mt19937(?:_64)?)$/;

/** Names of values that are not a choice of the author. */
const fixedNames =
  /time|clock|deadline|elapsed|duration|^tl(?:e)?$|(?:^|_)(?:inf|infty|infinity|mod|modulo|eps|epsilon|pi|seed)(?:$|_)|^(?:inf|linf|mod|eps|pi)\w?$/i;

const maxWords = 40;

/** The constant that this number alone initialises: `const double NAME = 0.5;`, `constexpr int name{5}`, also in a list. */
function declarationAt(
  tokens: readonly CppToken[],
  first: number,
  at: number,
): { readonly name: string; readonly isInteger: boolean | null } | null {
  const [name, prefix] = [tokens[first - 2], tokens[first - 1]?.text];
  const closing = tokens[at + 1]?.text;
  const isSingle = prefix === '=' ? /^[;,)]$/.test(closing ?? '') : prefix === '{' && closing === '}';
  if (!isSingle || name?.kind !== 'name') return null;
  const words: string[] = [];
  for (let back = first - 3; back >= 0 && words.length < maxWords; back -= 1) {
    const token = tokens[back];
    if (!token || token.kind === 'directive' || /^[;{}(]$/.test(token.text)) break;
    words.push(token.text);
  }
  const has = (types: RegExp): boolean => words.some((word) => types.test(word));
  if (!has(/^const(?:expr)?$/) || has(otherTypes)) return null;
  if (!has(realTypes) && !has(integerTypes)) return null;
  return { name: name.text, isInteger: words.includes('auto') ? null : !has(realTypes) };
}

function parseMarks(source: string, literals: readonly Literal[]) {
  const marks = new Map<number, Mark>();
  const issues: string[] = [];
  const lineOf = lineCounter(source);
  let passed = 0;
  for (const token of cppTokens(source)) {
    const reading = markIn(token);
    if (!reading) continue;
    const line = lineOf(token.start);
    while ((literals[passed]?.start ?? source.length) < token.start) passed += 1;
    const before = literals[passed - 1];
    const number = before?.line === line ? before : undefined;
    if ('complaint' in reading) issues.push(`Line ${line}: ${reading.complaint}`);
    else if (!number) issues.push(`Line ${line}: there is no number before the mark.`);
    else if (marks.has(number.start)) issues.push(`Line ${line}: ${number.text} has two marks.`);
    else if (reading.isInteger && !Number.isInteger(number.value))
      issues.push(`Line ${line}: ${number.text} is no integer, as its mark says.`);
    else marks.set(number.start, reading);
  }
  return { marks, complaints: issues };
}

/** The constants that a person means by a name: the very same, else those whose names have it in them. */
export function constantsNamed(source: string, name: string): readonly Constant[] {
  const { constants } = liftConstants(source);
  const requested = plain(name);
  if (requested === '') return [];
  const same = constants.filter((each) => plain(each.name) === requested);
  if (same.length > 0) return same;
  // A name of a letter or two is in every other.
  return requested.length < 3 ? [] : constants.filter((each) => plain(each.name).includes(requested));
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
function typicalRange(value: number, isInteger: boolean): ConstantRange {
  if (value < 0) {
    const { low, high } = typicalRange(-value, isInteger);
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
