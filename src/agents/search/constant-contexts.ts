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
  const structural = structuralNames(tokens, surroundings);
  const timed = statementsOfTime(tokens);
  const lineOf = linesOf(source);
  const onLine = new Map<number, number>();
  return tokens.flatMap((token, at): NumberContext[] => {
    const here = surroundings[at];
    const number = token.kind === 'number' && here ? literalAt(tokens, at) : null;
    if (!number || !here) return [];
    const line = lineOf(number.start);
    const place = (onLine.get(line) ?? 0) + 1;
    onLine.set(line, place);
    const declared = declarationAt(tokens, number.first, at);
    const isInteger = declared?.isInteger ?? /^-?\d[\d']*[uUlL]*$/.test(number.text);
    const role = roleOf({ tokens, at, here, number: { ...number, isInteger }, declared, structural, timed });
    const { first: _, ...literal } = number;
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

/** Null for what is no finite number, or one that JavaScript does not hold exactly. */
function numberOf(text: string): number | null {
  const bare = text.replaceAll("'", '');
  const isHexadecimal = /^0x/i.test(bare);
  if (isHexadecimal && /[.pP]/.test(bare)) return null;
  const digits = bare.replace(
    isHexadecimal || /^0b/i.test(bare) ? /(?<![uUlLzZ])[uUlLzZ]+$/ : /(?<![uUlLzZfF])[uUlLzZfF]+$/,
    '',
  );
  const value = /^0\d+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null;
}

type Declaration = {
  readonly name: string;
  readonly isConst: boolean;
  /** Null: its type does not say. */
  readonly isInteger: boolean | null;
  /** Of a type that is no number to be tuned: a seed's generator, a character, a truth value. */
  readonly isOther: boolean;
};

const integerTypes =
  /^(?:int|long|short|unsigned|signed|size_t|ssize_t|ptrdiff_t|u?int(?:_fast|_least)?(?:8|16|32|64)_t|ll|ull|i32|i64|u32|u64)$/i;
const realTypes = /^(?:double|float|ld|f32|f64)$/;
const otherTypes = /^(?:char|bool|string|auto_ptr|uint8_t|seed\w*|mt19937(?:_64)?)$/;

/** `const double NAME = 0.5;`, `int name{5}`, also the second of several: what is declared with this number alone. */
function declarationAt(tokens: readonly CppToken[], first: number, at: number): Declaration | null {
  const [name, opening] = [tokens[first - 2], tokens[first - 1]?.text];
  const closing = tokens[at + 1]?.text;
  const isAlone = opening === '=' ? /^[;,)]$/.test(closing ?? '') : opening === '{' && closing === '}';
  if (!isAlone || name?.kind !== 'name') return null;
  const words = wordsBefore(tokens, first - 2);
  const isReal = words.some((word) => realTypes.test(word));
  const isWhole = words.some((word) => integerTypes.test(word));
  if (!isReal && !isWhole && !words.includes('auto') && !words.some((word) => otherTypes.test(word)))
    return null;
  return {
    name: name.text,
    isConst: words.some((word) => word === 'const' || word === 'constexpr'),
    isInteger: isReal ? false : isWhole ? true : null,
    isOther: words.some((word) => otherTypes.test(word)),
  };
}

const mostWords = 40;

/** Back to where its statement begins. */
function wordsBefore(tokens: readonly CppToken[], at: number): readonly string[] {
  const words: string[] = [];
  for (let back = at - 1; back >= 0 && words.length < mostWords; back -= 1) {
    const token = tokens[back];
    if (!token || token.kind === 'directive' || /^[;{}(]$/.test(token.text)) break;
    words.push(token.text);
  }
  return words;
}

/** Constants that are the size of something, a case, or part of a type: another value is another program. */
function structuralNames(
  tokens: readonly CppToken[],
  surroundings: readonly Surroundings[],
): ReadonlySet<string> {
  return new Set(
    tokens.flatMap(({ kind, text }, at) => {
      const here = surroundings[at];
      return kind === 'name' && here && (here.inBrackets || here.inTemplate || here.inCase) ? [text] : [];
    }),
  );
}

type Question = {
  readonly tokens: readonly CppToken[];
  readonly at: number;
  readonly here: Surroundings;
  readonly number: Literal & { readonly isInteger: boolean };
  readonly declared: Declaration | null;
  readonly structural: ReadonlySet<string>;
  readonly timed: ReadonlySet<number>;
};

/** Names of what is no choice of its author's. */
const fixedNames =
  /time|clock|deadline|elapsed|duration|^tl(?:e)?$|(?:^|_)(?:inf|infty|infinity|mod|modulo|eps|epsilon|pi|seed)(?:$|_)|^(?:inf|linf|mod|eps|pi)\w?$/i;

function roleOf({ declared, structural, here, number, ...rest }: Question): NumberContext['role'] {
  if (here.inBrackets || here.inTemplate || here.inCase || here.inEnumeration || here.inTable) return 'fixed';
  if (!/^-?[\d.']+(?:e[-+]?\d+)?[lLfF]*$/i.test(number.text)) return 'fixed';
  if (declared && (declared.isOther || structural.has(declared.name) || fixedNames.test(declared.name)))
    return 'fixed';
  if (Math.abs(number.value) >= 1e9) return 'fixed';
  if (declared?.isConst) return 'named';
  return isFixedPlain({ declared, structural, here, number, ...rest }) ? 'fixed' : 'plain';
}

const fixedCalls = new Set([
  ...['reserve', 'resize', 'assign', 'setprecision', 'setw', 'setfill', 'exit', 'seed', 'alignas'],
  ...['static_assert', 'mt19937', 'mt19937_64', 'minstd_rand', 'default_random_engine', 'bitset'],
  ...['sleep_for', 'milliseconds', 'seconds', 'microseconds', 'nanoseconds', 'substr'],
]);

function isFixedPlain({ tokens, at, here, number, timed }: Question): boolean {
  const { value, isInteger, first } = number;
  const size = Math.abs(value);
  if (size === 0 || size === 1 || size === 2) return true;
  if (isInteger ? size >= 1e6 || here.inMaking : size < 1e-6 || isUnit(size)) return true;
  if (here.calls.some((name) => fixedCalls.has(name))) return true;
  if (isBitwise(tokens, first, at) || timed.has(at)) return true;
  return [tokens[first - 1], tokens[at + 1]].some((token) => /^[=!]=$/.test(token?.text ?? ''));
}

/** Powers of ten that change one unit into another, and π. */
function isUnit(size: number): boolean {
  const exponent = Math.log10(size);
  return (
    (Math.abs(exponent) >= 3 && Number.isInteger(exponent)) ||
    Math.abs(size / Math.PI - Math.round(size / Math.PI)) < 1e-4
  );
}

const bitwise = /^(?:[&|^~%]|[&|^%]=)$/;

/** Next to a shift (which also prints), a mask or a remainder. */
function isBitwise(tokens: readonly CppToken[], first: number, at: number): boolean {
  const [before, after] = [tokens[first - 1]?.text ?? '', tokens[at + 1]?.text ?? ''];
  if (bitwise.test(before) || bitwise.test(after)) return true;
  const isShift = (one: number, other: number): boolean => {
    const pair = `${tokens[one]?.text}${tokens[other]?.text}`;
    return pair === '<<' || pair === '>>' || pair === '<<=' || pair === '>>=';
  };
  return isShift(first - 2, first - 1) || isShift(at + 1, at + 2);
}

/** All tokens of statements, or of what is left of them, in which a name speaks of time. */
function statementsOfTime(tokens: readonly CppToken[]): ReadonlySet<number> {
  const found = new Set<number>();
  let start = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    if (token && token.kind !== 'directive' && !/^[;{}]$/.test(token.text)) continue;
    if (tokens.slice(start, at).some(speaksOfTime)) {
      for (let inner = start; inner < at; inner += 1) found.add(inner);
    }
    start = at + 1;
  }
  return found;
}

function speaksOfTime({ kind, text }: CppToken): boolean {
  return kind === 'name' && /time(?!s\b)|clock|chrono|elapsed|deadline|spent/i.test(text);
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
  /** `[…]`: an index, or the size of an array. */
  readonly inBrackets: boolean;
  readonly inTemplate: boolean;
  readonly inCase: boolean;
  readonly inEnumeration: boolean;
  /** `{1, 2, 3}`. */
  readonly inTable: boolean;
  /** `vector<int> all(100)`: among what a template's object is made of, which as a rule is its size. */
  readonly inMaking: boolean;
  /** Names before the round brackets that are open here, the innermost last: `rng` and before it `mt19937`. */
  readonly calls: readonly string[];
};

type Frame = {
  readonly kind: '(' | '[' | 'table' | 'enum' | 'block';
  readonly called: readonly string[];
  readonly makes?: boolean;
};

/** All frames that are open, the innermost last in what is `called`. */
type Open = Pick<Surroundings, 'inBrackets' | 'inTable' | 'inMaking' | 'calls'> & Pick<Frame, 'kind'>;

/** Nobody nests as many calls. */
const mostCalls = 64;

/** One for each token, in their order. */
function surroundingsOf(tokens: readonly CppToken[]): readonly Surroundings[] {
  const template = inTemplateArguments(tokens);
  const tables = tableBraces(tokens);
  const frames: Open[] = [];
  let inCase = false;
  return tokens.map(({ kind, text }, at) => {
    if (kind === 'name' && text === 'case') inCase = true;
    else if (text === ':' || text === ';') inCase = false;
    if (text === ')' || text === ']' || text === '}') frames.pop();
    const { kind: frame, ...around } = frames.at(-1) ?? outermost;
    const here = { ...around, inTemplate: template.has(at), inCase, inEnumeration: frame === 'enum' };
    const opened = kind === 'punctuation' ? frameOf(tokens, at, { tables, template }) : null;
    if (opened) frames.push(within(around, opened));
    return here;
  });
}

const outermost: Open = { kind: 'block', inBrackets: false, inTable: false, inMaking: false, calls: [] };

function within(around: Omit<Open, 'kind'>, { kind, called, makes = false }: Frame): Open {
  return {
    kind,
    inBrackets: around.inBrackets || kind === '[',
    inTable: around.inTable || kind === 'table',
    inMaking: around.inMaking || makes,
    calls: called.length === 0 ? around.calls : [...around.calls, ...called].slice(-mostCalls),
  };
}

type Found = { readonly tables: ReadonlySet<number>; readonly template: ReadonlySet<number> };

function frameOf(tokens: readonly CppToken[], at: number, { tables, template }: Found): Frame | null {
  const text = tokens[at]?.text;
  const called = calledAt(tokens, at);
  if (text === '(') return { kind: '(', called, makes: isMaking(tokens, at, template) };
  if (text === '[') return { kind: '[', called: [] };
  if (text !== '{') return null;
  return { kind: tables.has(at) ? 'table' : isEnumeration(tokens, at) ? 'enum' : 'block', called };
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

/** The tokens between a `<` behind a name and its `>`, where only what types are made of stands between them. */
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
  for (let at = from; at < Math.min(tokens.length, from + mostArguments); at += 1) {
    const token = tokens[at];
    if (!token) return -1;
    if (token.text === '<') depth += 1;
    else if (token.text === '>') depth -= 1;
    else if (!isOfType(token)) return -1;
    if (depth === 0) return at;
  }
  return -1;
}

function isOfType({ kind, text }: CppToken): boolean {
  return kind === 'name' || kind === 'number' || /^(?:::|,|\*|&|&&|\.\.\.|\(|\)|\[|\])$/.test(text);
}
