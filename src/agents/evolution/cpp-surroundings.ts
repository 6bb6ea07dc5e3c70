/**
 * Where in a C++ program its tokens stand, as far as that decides whether a number may be changed: in brackets, among
 * template arguments, in a table or an enumeration, behind `case`. It reads tokens, not C++: where the two meanings of `<`
 * cannot be told apart, it takes the one in which nothing is changed.
 */
import type { CppToken } from './cpp-tokens.ts';

export type Surroundings = {
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
export function surroundingsOf(tokens: readonly CppToken[]): readonly Surroundings[] {
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
