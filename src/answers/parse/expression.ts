/** Sums, products, signs, powers and what else hangs on a primary: `!`, `%`, `°`, primes, subscripts. */
import { minusOne, rational } from '../exact/rational.ts';
import { BoundReached, limits } from '../limits.ts';
import { call, exact, integer, negate, power, product, quotient, sum, symbol, type Tree } from '../tree.ts';
import {
  argument,
  type Cursor,
  consumeSigns,
  isCommand,
  isMark,
  nested,
  ParseError,
  peek,
  take,
  takeMark,
} from './cursor.ts';
import type { Token } from './tokens.ts';
import { operatorCommands } from './words.ts';

export function parseSum(cursor: Cursor): Tree {
  return nested(cursor, (inner) => {
    const items = [parseSigned(inner)];
    while (signOf(peek(inner))) {
      items.push(parseSigned(inner));
      if (items.length > limits.tokens) throw new BoundReached('length');
    }
    return sum(items);
  });
}

function signOf(token: Token | undefined): string | undefined {
  if (isMark(token, '+', '-')) return token?.text;
  if (isCommand(token, 'pm')) return 'plusMinus';
  return isCommand(token, 'mp') ? 'minusPlus' : undefined;
}

/** `- -5` too: signs are counted, so that a thousand of them nest nothing. */
function parseSigned(cursor: Cursor): Tree {
  const found: string[] = [];
  for (let sign = signOf(peek(cursor)); sign; sign = signOf(peek(cursor))) {
    found.push(sign);
    take(cursor);
  }
  const isNegative = found.filter((sign) => sign === '-').length % 2 === 1;
  const pair = found.find((sign) => sign.length > 1);
  const term = parseProduct(cursor);
  const tree = pair ? call(pair, term) : term;
  return isNegative ? negate(tree) : tree;
}

const isVector = (tree: Tree | undefined): boolean =>
  tree?.kind === 'call' && /^(?:vec|overrightarrow|mathbf|bm|boldsymbol)$/.test(tree.name);
const times = ['cdot', 'times', 'ast', 'bullet'];

function parseProduct(cursor: Cursor): Tree {
  const items = [parseFactor(cursor)];
  for (;;) {
    const token = peek(cursor);
    if (isMark(token, '*') || isCommand(token, ...times)) {
      take(cursor);
      const factor = parseSignedFactor(cursor);
      // Between letters with arrows or in bold `\times` is no `\cdot`.
      const areVectors = isCommand(token, 'times') && [items.at(-1), factor].every(isVector);
      if (areVectors) items.push(call('cross', ...items.splice(-1), factor));
      else items.push(factor);
    } else if (isMark(token, '/') || isCommand(token, 'div')) {
      take(cursor);
      const over = product([...items]);
      items.splice(0, items.length, quotient(over, parseSignedFactor(cursor)));
    } else if (startsFactor(cursor, token) && !isUnion(token, items.at(-1))) {
      // Mixed numbers have been read by now: two numbers side by side are no product.
      if (token?.type === 'number' && items.at(-1)?.kind === 'number')
        throw new ParseError('two numbers side by side');
      items.push(parseFactor(cursor));
    } else return product([...items]);
  }
}

function parseSignedFactor(cursor: Cursor): Tree {
  const isNegative = consumeSigns(cursor);
  const factor = parseFactor(cursor);
  return isNegative ? negate(factor) : factor;
}

/** A bare U between two intervals is what people type for ∪. */
function isUnion(token: Token | undefined, before: Tree | undefined): boolean {
  const isSet = before !== undefined && ['interval', 'set', 'tuple'].includes(before.kind);
  return isSet && token?.type === 'letter' && token.text === 'U';
}

const percents = ['pct', 'percent', 'percentage'];
const degrees = ['degree', 'degrees', 'deg'];
const connectors = ['and', 'or', 'union', 'intersect', 'intersection', 'mod', ...percents, ...degrees];

function startsFactor({ bars, tokens, at }: Cursor, token: Token | undefined): boolean {
  if (!token) return false;
  switch (token.type) {
    case 'mark':
      // `a[1]` is no product.
      if (token.text === '[') return !isMark(tokens[at + 2], ']');
      return token.text === '(' || token.text === '{' || (token.text === '|' && bars === 0);
    case 'command':
      return !operatorCommands.has(token.text);
    case 'word':
      return !connectors.includes(token.text);
    case 'text':
      return (
        /^[a-zA-Z]$/.test(token.text.trim()) ||
        /^(?:lcm|gcd|arc\w+|sin|cos|tan|ln|log|max|min)$/.test(token.text)
      );
    default:
      return true;
  }
}

/** A primary, its subscript, and its powers. */
export function parseFactor(cursor: Cursor): Tree {
  return nested(cursor, (inner) => parsePostfix(inner, inner.primary(inner)));
}

function parsePostfix(cursor: Cursor, primary: Tree): Tree {
  let tree = primary;
  for (;;) {
    const token = peek(cursor);
    const name = postfixNamed(token);
    // `x \to 0^+` says from which side.
    const isSide = isMark(peek(cursor, 1), '+', '-') && isMark(peek(cursor, 2), '}');
    if (isMark(token, '^') && !isSide) tree = parsePower(cursor, tree);
    else if (name) tree = applied(cursor, name, tree);
    else return tree;
  }
}

const postfixes = new Map([
  ['!', 'factorial'],
  ['!!', 'doubleFactorial'],
  ["'", 'prime'],
  ['%', 'percent'],
]);

function postfixNamed(token: Token | undefined): string | undefined {
  if (isCommand(token, '%') || isWordOf(token, percents)) return 'percent';
  if (isCommand(token, 'degree') || isWordOf(token, degrees)) return 'degrees';
  return token?.type === 'mark' ? postfixes.get(token.text) : undefined;
}

function isWordOf(token: Token | undefined, texts: readonly string[]): boolean {
  return token?.type === 'word' && texts.includes(token.text);
}

function applied(cursor: Cursor, name: string, tree: Tree): Tree {
  take(cursor);
  return call(name, tree);
}

function parsePower(cursor: Cursor, base: Tree): Tree {
  take(cursor);
  return nested(cursor, (inner) => {
    const token = peek(inner);
    if (isDegree(token)) return applied(inner, 'degrees', base);
    if (isCommand(token, 'prime')) return applied(inner, 'prime', base);
    const [braced, closing] = [peek(inner, 1), peek(inner, 2)];
    if (isMark(token, '{') && isMark(closing, '}')) {
      const isPrime = isCommand(braced, 'prime') || isMark(braced, "'");
      if (isDegree(braced) || isPrime) {
        inner.at += 3;
        return call(isPrime ? 'prime' : 'degrees', base);
      }
    }
    if (isMark(token, '-', '+')) {
      const isNegative = take(inner).text === '-';
      const tree = parseExponent(inner);
      return power(base, isNegative ? negate(tree) : tree);
    }
    return power(base, parseExponent(inner));
  });
}

function isDegree(token: Token | undefined): boolean {
  return isCommand(token, 'circ', 'degree');
}

/** A tower without braces, `2^3^2`, leans to the right. */
function parseExponent(cursor: Cursor): Tree {
  const tree = argument(cursor);
  if (!takeMark(cursor, '^')) return tree;
  return nested(cursor, (inner) => power(tree, parseExponent(inner)));
}

/** `x_1`, `F_{n-1}`: a plain subscript is part of the name, any other is what the name is applied to. */
export function parseSubscript(cursor: Cursor, name: string): Tree {
  if (!takeMark(cursor, '_')) return symbol(name);
  const index = argument(cursor);
  if (index.kind === 'number') return symbol(`${name}_${index.value.over}`);
  if (index.kind === 'symbol' && index.name.startsWith('"')) return symbol(`${name}_${index.name}`);
  return call(`${name}_`, index);
}

export const half = exact(rational(1n, 2n));

/** `\sin^{-1}`; `tanh` has one too. */
function inverseFunctionName(name: string): string | undefined {
  if (/^(?:sinh|cosh|tanh)$/.test(name)) return `ar${name}`;
  return /^(?:sin|cos|tan|cot|sec|csc)$/.test(name) ? `arc${name}` : undefined;
}

export function applyFunction(cursor: Cursor, name: string): Tree {
  return nested(cursor, (inner) => {
    const base = takeMark(inner, '_') ? argument(inner) : null;
    const tree = takeMark(inner, '^') ? functionPower(inner) : null;
    const lateBase = base ?? (takeMark(inner, '_') ? argument(inner) : null);
    const items = argumentsOf(inner);
    const inverse = tree && isMinusOne(tree) ? inverseFunctionName(name) : undefined;
    const applied = functionCall(inverse ?? name, items, lateBase);
    return tree && !inverse ? power(applied, tree) : applied;
  });
}

function functionPower(cursor: Cursor): Tree {
  if (!takeMark(cursor, '-')) return argument(cursor);
  const tree = argument(cursor);
  return tree.kind === 'number' ? exact({ ...tree.value, over: -tree.value.over }) : tree;
}

function isMinusOne(tree: Tree): boolean {
  if (tree.kind === 'product') return tree.items.length === 2 && tree.items.every((item) => isUnit(item));
  return tree.kind === 'number' && tree.value.over === minusOne.over && tree.value.under === 1n;
}

function isUnit(tree: Tree): boolean {
  return tree.kind === 'number' && tree.value.under === 1n && tree.value.over ** 2n === 1n;
}

/** Brackets alone, or all factors up to the next function or sign. */
function argumentsOf(cursor: Cursor): readonly Tree[] {
  if (isMark(peek(cursor), '(', '[')) {
    const brackets = cursor.primary(cursor);
    return brackets.kind === 'tuple' ? brackets.items : [brackets];
  }
  if (isMark(peek(cursor), '{')) return [argument(cursor)];
  const isNegative = consumeSigns(cursor);
  const items: Tree[] = [parseFactor(cursor)];
  while (continuesProduct(peek(cursor))) items.push(parseFactor(cursor));
  // `\sin x/2` is half of a sine to some and the sine of a half to others; the fraction of π is never the first.
  const all = product(items);
  return [isNegative ? product([integer(-1), all]) : all];
}

function continuesProduct(token: Token | undefined): boolean {
  if (token?.type === 'letter' || token?.type === 'number') return true;
  if (token?.type === 'word') return token.text === 'pi';
  const continuing = /^(?:pi|[dt]?frac|sqrt|alpha|beta|gamma|theta|phi|varphi|omega)$/;
  return token?.type === 'command' && continuing.test(token.text);
}

function functionCall(name: string, items: readonly Tree[], base: Tree | null): Tree {
  const [first = integer(0)] = items;
  if (name === 'sqrt') return power(first, half);
  if (name === 'cbrt') return call('root', first, integer(3));
  if (name === 'exp') return power({ kind: 'constant', name: 'e' }, first);
  if (name === 'log' && base) return call('log', first, base);
  return call(name, ...items, ...(base ? [base] : []));
}
