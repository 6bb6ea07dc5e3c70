/**
 * Every number of a C++ program with what can be said of it from where it stands: its name, its type, and whether it
 * may be changed at all. `fixed` are sizes, indices, bits, tables, seeds, units and clocks. It reads tokens, not C++:
 * where the two meanings of `<` cannot be told apart, it takes the one in which nothing is changed. Pure.
 */
import { type CppToken, codeTokens } from './cpp-tokens.ts';

export type NumberContext = {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly line: number;
  readonly value: number;
  readonly isInteger: boolean;
  readonly name: string;
  readonly role: 'named' | 'plain' | 'fixed';
};

export function contextsOf(source: string): readonly NumberContext[] {
  const tokens = codeTokens(source);
  const surroundings = surroundingsOf(tokens);
  // Constants that are a size, a case or part of a type: the program depends on their values.
  const structural = new Set(
    tokens.flatMap(({ kind, text }, at) => (kind === 'name' && surroundings[at]?.isStructural ? [text] : [])),
  );
  const timed = statementsOfTime(tokens);
  const lineOf = linesOf(source);
  const onLine = new Map<number, number>();
  return tokens.flatMap((token, at): NumberContext[] => {
    const here = surroundings[at];
    const number = token.kind === 'number' && here ? literalAt(tokens, at) : null;
    if (!number || !here) return [];
    const { first, ...literal } = number;
    const line = lineOf(number.start);
    const place = (onLine.get(line) ?? 0) + 1;
    onLine.set(line, place);
    const declared = declarationAt(tokens, first, at);
    const isInteger = declared?.isInteger ?? /^-?\d[\d']*[uUlL]*$/.test(number.text);
    const mayChange =
      !here.isStructural &&
      !here.isListed &&
      /^-?[\d.']+(?:e[-+]?\d+)?[lLfF]*$/i.test(number.text) &&
      Math.abs(number.value) < 1e9 &&
      !(declared && (declared.isOther || structural.has(declared.name) || fixedNames.test(declared.name)));
    const isPlain = () => !timed.has(at) && isChoice(tokens, at, here, { ...number, isInteger });
    const role = !mayChange ? 'fixed' : declared?.isConst ? 'named' : isPlain() ? 'plain' : 'fixed';
    return [{ ...literal, line, isInteger, name: declared?.name ?? `line${line}_${place}`, role }];
  });
}

type Literal = Pick<NumberContext, 'start' | 'end' | 'text' | 'value'> & {
  /** The token it begins with: its sign, or itself. */
  readonly first: number;
};

function literalAt(tokens: readonly CppToken[], at: number): Literal | null {
  const token = tokens[at];
  const size = token ? numberOf(token.text) : null;
  if (!token || size === null) return null;
  const sign = tokens[at - 1];
  const isNegative = sign?.text === '-' && sign.start + 1 === token.start && isUnary(tokens[at - 2]);
  const end = token.start + token.text.length;
  return isNegative
    ? { first: at - 1, start: sign.start, end, text: `-${token.text}`, value: -size }
    : { first: at, start: token.start, end, text: token.text, value: size };
}

function isUnary(before: CppToken | undefined): boolean {
  return before === undefined || /^(?:[=([{,?:;<>]|return|[<>=!]=|[+\-*/]=|&&|\|\|)$/.test(before.text);
}

/** Null for a text that is no finite number, and for integers that JavaScript cannot hold exactly. */
function numberOf(text: string): number | null {
  const bare = text.replaceAll("'", '');
  const isHexadecimal = /^0x/i.test(bare);
  if (isHexadecimal && /[.pP]/.test(bare)) return null;
  const suffix =
    isHexadecimal || /^0b/i.test(bare) ? /(?<![uUlLzZ])[uUlLzZ]+$/ : /(?<![uUlLzZfF])[uUlLzZfF]+$/;
  const digits = bare.replace(suffix, '');
  const value = /^0\d+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null;
}

type Declaration = {
  readonly name: string;
  readonly isConst: boolean;
  /** Null: its type does not say. */
  readonly isInteger: boolean | null;
  /** Its type is no number to be tuned: a random generator, a character, a truth value. */
  readonly isOther: boolean;
};

const integerTypes =
  /^(?:int|long|short|unsigned|signed|size_t|ssize_t|ptrdiff_t|u?int(?:_fast|_least)?(?:8|16|32|64)_t|ll|ull|i32|i64|u32|u64)$/i;
const realTypes = /^(?:double|float|ld|f32|f64)$/;
const otherTypes = /^(?:char|bool|string|auto_ptr|uint8_t|seed\w*|mt19937(?:_64)?)$/;

/** Names of values that are not a choice of the author. */
const fixedNames =
  /time|clock|deadline|elapsed|duration|^tl(?:e)?$|(?:^|_)(?:inf|infty|infinity|mod|modulo|eps|epsilon|pi|seed)(?:$|_)|^(?:inf|linf|mod|eps|pi)\w?$/i;

const mostWords = 40;

/** The declaration that this number alone initialises: `const double NAME = 0.5;`, `int name{5}`, also in a list. */
function declarationAt(tokens: readonly CppToken[], first: number, at: number): Declaration | null {
  const [name, opening] = [tokens[first - 2], tokens[first - 1]?.text];
  const closing = tokens[at + 1]?.text;
  const isAlone = opening === '=' ? /^[;,)]$/.test(closing ?? '') : opening === '{' && closing === '}';
  if (!isAlone || name?.kind !== 'name') return null;
  const words: string[] = [];
  for (let back = first - 3; back >= 0 && words.length < mostWords; back -= 1) {
    const token = tokens[back];
    if (!token || token.kind === 'directive' || /^[;{}(]$/.test(token.text)) break;
    words.push(token.text);
  }
  const has = (types: RegExp): boolean => words.some((word) => types.test(word));
  const [isReal, isWhole, isOther] = [has(realTypes), has(integerTypes), has(otherTypes)];
  if (!isReal && !isWhole && !isOther && !words.includes('auto')) return null;
  const isInteger = isReal ? false : isWhole ? true : null;
  return { name: name.text, isConst: has(/^const(?:expr)?$/), isInteger, isOther };
}

const fixedCalls = new Set([
  ...['reserve', 'resize', 'assign', 'setprecision', 'setw', 'setfill', 'exit', 'seed', 'alignas'],
  ...['static_assert', 'mt19937', 'mt19937_64', 'minstd_rand', 'default_random_engine', 'bitset'],
  ...['sleep_for', 'milliseconds', 'seconds', 'microseconds', 'nanoseconds', 'substr'],
]);

function isChoice(
  tokens: readonly CppToken[],
  at: number,
  here: Surroundings,
  { value, isInteger, first }: Literal & { readonly isInteger: boolean },
): boolean {
  const size = Math.abs(value);
  if (size === 0 || size === 1 || size === 2) return false;
  if (isInteger ? size >= 1e6 || here.inMaking : size < 1e-6 || isUnit(size)) return false;
  if (here.calls.some((name) => fixedCalls.has(name)) || isBitwise(tokens, first, at)) return false;
  return ![tokens[first - 1], tokens[at + 1]].some((token) => /^[=!]=$/.test(token?.text ?? ''));
}

/** Powers of ten that change one unit into another, and π. */
function isUnit(size: number): boolean {
  const exponent = Math.log10(size);
  return (
    (Math.abs(exponent) >= 3 && Number.isInteger(exponent)) ||
    Math.abs(size / Math.PI - Math.round(size / Math.PI)) < 1e-4
  );
}

/** Next to a shift (which also prints), a mask or a remainder. */
function isBitwise(tokens: readonly CppToken[], first: number, at: number): boolean {
  const textAt = (place: number): string => tokens[place]?.text ?? '';
  const bitwise = /^(?:[&|^~%]|[&|^%]=)$/;
  const shift = /^(?:<<|>>)=?$/;
  return (
    bitwise.test(textAt(first - 1)) ||
    bitwise.test(textAt(at + 1)) ||
    shift.test(textAt(first - 2) + textAt(first - 1)) ||
    shift.test(textAt(at + 1) + textAt(at + 2))
  );
}

const timeNames = /time(?!s\b)|clock|chrono|elapsed|deadline|spent/i;

/** All tokens of statements in which a name speaks of time. */
function statementsOfTime(tokens: readonly CppToken[]): ReadonlySet<number> {
  const found = new Set<number>();
  let start = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    if (token && token.kind !== 'directive' && !/^[;{}]$/.test(token.text)) continue;
    const speaks = tokens.slice(start, at).some(({ kind, text }) => kind === 'name' && timeNames.test(text));
    if (speaks) {
      for (let inner = start; inner < at; inner += 1) found.add(inner);
    }
    start = at + 1;
  }
  return found;
}

/** The number of the line of a place, from 1. Places are asked for from front to back. */
export function linesOf(source: string): (at: number) => number {
  let line = 1;
  let end = source.indexOf('\n');
  return (at) => {
    for (; end >= 0 && end < at; line += 1) end = source.indexOf('\n', end + 1);
    return line;
  };
}

type Surroundings = {
  /** An index, the size of an array, an argument of a template, a case. */
  readonly isStructural: boolean;
  /** In an enumeration, or in a table: `{1, 2, 3}`. */
  readonly isListed: boolean;
  /** `vector<int> all(100)`: among what a template's object is made of, which as a rule is its size. */
  readonly inMaking: boolean;
  /** Names before the brackets that are open here, the innermost last: `rng` and before it `mt19937`. */
  readonly calls: readonly string[];
};

/** The context that the open brackets give; `isEnumeration` is about the innermost alone. */
type Frame = Pick<Surroundings, 'inMaking' | 'calls'> & {
  readonly inBrackets: boolean;
  readonly inTable: boolean;
  readonly isEnumeration: boolean;
};

const outermost: Frame = {
  ...{ inBrackets: false, inTable: false, inMaking: false, isEnumeration: false },
  calls: [],
};

/** More nested calls than any program has. */
const mostCalls = 64;

function surroundingsOf(tokens: readonly CppToken[]): readonly Surroundings[] {
  const template = inTemplateArguments(tokens);
  const tables = tableBraces(tokens);
  const frames: Frame[] = [];
  let inCase = false;
  return tokens.map(({ kind, text }, at) => {
    if (kind === 'name' && text === 'case') inCase = true;
    else if (text === ':' || text === ';') inCase = false;
    if (text === ')' || text === ']' || text === '}') frames.pop();
    const frame = frames.at(-1) ?? outermost;
    if (text === '(' || text === '[' || text === '{') {
      const called = text === '[' ? [] : calledAt(tokens, at);
      frames.push({
        inBrackets: frame.inBrackets || text === '[',
        inTable: frame.inTable || (text === '{' && tables.has(at)),
        inMaking: frame.inMaking || (text === '(' && isMaking(tokens, at, template)),
        isEnumeration: text === '{' && !tables.has(at) && isEnumeration(tokens, at),
        calls: called.length === 0 ? frame.calls : [...frame.calls, ...called].slice(-mostCalls),
      });
    }
    return {
      isStructural: frame.inBrackets || template.has(at) || inCase,
      isListed: frame.inTable || frame.isEnumeration,
      inMaking: frame.inMaking,
      calls: frame.calls,
    };
  });
}

/** `vector<int> all(`, `vector<int>(`; not `static_cast<int>(` nor `max<int>(`. */
function isMaking(tokens: readonly CppToken[], at: number, template: ReadonlySet<number>): boolean {
  const end = [at - 1, at - 2].find((index) => tokens[index]?.text === '>');
  if (end === undefined || !template.has(end - 1)) return false;
  let start = end - 1;
  while (template.has(start)) start -= 1;
  return !/_cast$|^(?:max|min|clamp)$/.test(tokens[start - 1]?.text ?? '');
}

/** `mt19937 rng(` gives both names, `resize(` one. */
function calledAt(tokens: readonly CppToken[], at: number): readonly string[] {
  return [tokens[at - 2], tokens[at - 1]].flatMap((token) => (token?.kind === 'name' ? [token.text] : []));
}

/** `enum {`, `enum Name {`, `enum class Name : int {`. */
function isEnumeration(tokens: readonly CppToken[], at: number): boolean {
  return tokens.slice(Math.max(0, at - 5), at).some(({ text }) => text === 'enum');
}

/** Braces around a list: a comma and no semicolon directly inside, and no body of a function. */
function tableBraces(tokens: readonly CppToken[]): ReadonlySet<number> {
  const found = new Set<number>();
  const open: { at: number; commas: number; semicolons: number }[] = [];
  for (const [at, { text }] of tokens.entries()) {
    const top = open.at(-1);
    if (text === '{' || text === '(' || text === '[') open.push({ at, commas: 0, semicolons: 0 });
    else if (text === ',' && top) top.commas += 1;
    else if (text === ';' && top) top.semicolons += 1;
    else if (text === '}' || text === ')' || text === ']') {
      const closed = open.pop();
      const isList = text === '}' && closed && closed.commas > 0 && closed.semicolons === 0;
      if (isList && !isEnumeration(tokens, closed.at)) found.add(closed.at);
    }
  }
  return found;
}

const mostArguments = 60;

/** The tokens between a `<` behind a name and its `>`, where only parts of types stand between them. */
function inTemplateArguments(tokens: readonly CppToken[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [at, { text }] of tokens.entries()) {
    if (text !== '<' || tokens[at - 1]?.kind !== 'name') continue;
    const end = closingAngle(tokens, at);
    for (let inner = at + 1; inner < end; inner += 1) found.add(inner);
  }
  return found;
}

/** -1 where this `<` compares or shifts. */
function closingAngle(tokens: readonly CppToken[], from: number): number {
  let depth = 0;
  for (const [index, { kind, text }] of tokens.slice(from, from + mostArguments).entries()) {
    if (text === '<') depth += 1;
    else if (text === '>') depth -= 1;
    else if (kind !== 'name' && kind !== 'number' && !/^(?:::|,|\*|&|&&|\.\.\.|[()[\]])$/.test(text))
      return -1;
    if (depth === 0) return from + index;
  }
  return -1;
}
