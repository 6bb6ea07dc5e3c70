/** Sums, products, signs, powers and what else hangs on a primary: `!`, `%`, `°`, primes, subscripts. */
import { minusOne, rational } from '../exact/rational.ts';
import { BoundReached, limits } from '../limits.ts';
import { call, exact, negated, power, product, quotient, sum, symbol, type Tree, whole } from '../tree.ts';
import {
  argument,
  type Cursor,
  isCommand,
  isMark,
  nested,
  peek,
  take,
  takeMark,
  Unreadable,
} from './cursor.ts';
import type { Token } from './tokens.ts';
import { operatorCommands } from './words.ts';

export function parseSum(cursor: Cursor): Tree {
  return nested(cursor, (inner) => {
    const items = [signed(inner)];
    while (signOf(peek(inner))) {
      items.push(signed(inner));
      if (items.length > limits.tokens) throw new BoundReached('length');
    }
    return sum(items);
  });
}

type Sign = '+' | '-' | 'plusMinus' | 'minusPlus';

function signOf(token: Token | undefined): Sign | null {
  if (isMark(token, '+')) return '+';
  if (isMark(token, '-')) return '-';
  if (isCommand(token, 'pm')) return 'plusMinus';
  if (isCommand(token, 'mp')) return 'minusPlus';
  return null;
}

/** `- -5` too: signs are counted, so that a thousand of them nest nothing. */
function signed(cursor: Cursor): Tree {
  const signs: Sign[] = [];
  for (let sign = signOf(peek(cursor)); sign; sign = signOf(peek(cursor))) {
    signs.push(sign);
    take(cursor);
  }
  const isNegative = signs.filter((sign) => sign === '-').length % 2 === 1;
  const both = signs.find((sign) => sign === 'plusMinus' || sign === 'minusPlus');
  const term = parseProduct(cursor);
  const tree = both ? call(both, term) : term;
  return isNegative ? negated(tree) : tree;
}

const times = ['cdot', 'times', 'ast', 'bullet'];

function parseProduct(cursor: Cursor): Tree {
  const items = [parseFactor(cursor)];
  for (;;) {
    const token = peek(cursor);
    if (isMark(token, '*') || isCommand(token, ...times)) {
      take(cursor);
      items.push(signedFactor(cursor));
    } else if (isMark(token, '/') || isCommand(token, 'div')) {
      take(cursor);
      const over = product([...items]);
      items.splice(0, items.length, quotient(over, signedFactor(cursor)));
    } else if (beginsFactor(cursor, token) && !isUnion(token, items.at(-1))) {
      items.push(implicit(cursor, items.at(-1)));
    } else return product([...items]);
  }
}

function signedFactor(cursor: Cursor): Tree {
  let isNegative = false;
  while (isMark(peek(cursor), '-', '+')) if (take(cursor).text === '-') isNegative = !isNegative;
  const factor = parseFactor(cursor);
  return isNegative ? negated(factor) : factor;
}

/** Mixed numbers have been read by now: two numbers side by side are no product. */
function implicit(cursor: Cursor, before: Tree | undefined): Tree {
  const token = peek(cursor);
  if (token?.type === 'number' && before?.kind === 'number') throw new Unreadable('two numbers side by side');
  return parseFactor(cursor);
}

/** A bare U between two intervals is what people type for ∪. */
function isUnion(token: Token | undefined, before: Tree | undefined): boolean {
  const isSet = before !== undefined && ['interval', 'set', 'tuple'].includes(before.kind);
  return isSet && token?.type === 'letter' && token.text === 'U';
}

const connectors = new Set([
  'and',
  'or',
  'union',
  'intersect',
  'intersection',
  'mod',
  'pct',
  'percent',
  'percentage',
  'degree',
  'degrees',
  'deg',
]);

function beginsFactor({ bars }: Cursor, token: Token | undefined): boolean {
  if (!token) return false;
  switch (token.type) {
    case 'mark':
      return token.text === '(' || token.text === '{' || (token.text === '|' && bars === 0);
    case 'command':
      return !operatorCommands.has(token.text);
    case 'word':
      return !connectors.has(token.text);
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
  return nested(cursor, (inner) => postfixed(inner, inner.primary(inner)));
}

function postfixed(cursor: Cursor, primary: Tree): Tree {
  let tree = primary;
  for (;;) {
    const token = peek(cursor);
    if (isMark(token, '^')) tree = raised(cursor, tree);
    else if (isMark(token, '!')) tree = applied(cursor, 'factorial', tree);
    else if (isMark(token, '!!')) tree = applied(cursor, 'doubleFactorial', tree);
    else if (isMark(token, "'")) tree = applied(cursor, 'prime', tree);
    else if (isMark(token, '%') || isCommand(token, '%')) tree = applied(cursor, 'percent', tree);
    else if (isWordOf(token, ['pct', 'percent', 'percentage'])) tree = applied(cursor, 'percent', tree);
    else if (isCommand(token, 'degree') || isWordOf(token, ['degree', 'degrees', 'deg'])) {
      tree = applied(cursor, 'degrees', tree);
    } else return tree;
  }
}

function isWordOf(token: Token | undefined, texts: readonly string[]): boolean {
  return token?.type === 'word' && texts.includes(token.text);
}

function applied(cursor: Cursor, name: string, tree: Tree): Tree {
  take(cursor);
  return call(name, tree);
}

function raised(cursor: Cursor, base: Tree): Tree {
  take(cursor);
  return nested(cursor, (inner) => {
    const token = peek(inner);
    if (isMark(token, '{') && isDegree(peek(inner, 1)) && isMark(peek(inner, 2), '}')) {
      inner.at += 3;
      return call('degrees', base);
    }
    if (isDegree(token)) return applied(inner, 'degrees', base);
    if (isMark(token, '{') && isPrime(inner)) return applied2(inner, base);
    if (isCommand(token, 'prime')) return applied(inner, 'prime', base);
    if (isMark(token, '-', '+')) {
      const isNegative = take(inner).text === '-';
      const exponent = exponentOf(inner);
      return power(base, isNegative ? negated(exponent) : exponent);
    }
    return power(base, exponentOf(inner));
  });
}

function isDegree(token: Token | undefined): boolean {
  return isCommand(token, 'circ', 'degree');
}

function isPrime(cursor: Cursor): boolean {
  return (
    (isCommand(peek(cursor, 1), 'prime') || isMark(peek(cursor, 1), "'")) && isMark(peek(cursor, 2), '}')
  );
}

function applied2(cursor: Cursor, base: Tree): Tree {
  cursor.at += 3;
  return call('prime', base);
}

/** A tower without braces, `2^3^2`, leans to the right. */
function exponentOf(cursor: Cursor): Tree {
  const exponent = argument(cursor);
  if (!takeMark(cursor, '^')) return exponent;
  return nested(cursor, (inner) => power(exponent, exponentOf(inner)));
}

/** `x_1`, `F_{n-1}`: a plain subscript is part of the name, any other is what the name is applied to. */
export function subscripted(cursor: Cursor, name: string): Tree {
  if (!takeMark(cursor, '_')) return symbol(name);
  const index = argument(cursor);
  if (index.kind === 'number') return symbol(`${name}_${index.value.over}`);
  if (index.kind === 'symbol' && index.name.startsWith('"')) return symbol(`${name}_${index.name}`);
  return call(`${name}_`, index);
}

export const half = exact(rational(1n, 2n));

const inverses: Readonly<Record<string, string>> = {
  sin: 'arcsin',
  cos: 'arccos',
  tan: 'arctan',
  cot: 'arccot',
  sec: 'arcsec',
  csc: 'arccsc',
  sinh: 'arsinh',
  cosh: 'arcosh',
  tanh: 'artanh',
};

export function applyFunction(cursor: Cursor, name: string): Tree {
  return nested(cursor, (inner) => {
    const base = takeMark(inner, '_') ? argument(inner) : null;
    const exponent = takeMark(inner, '^') ? functionPower(inner) : null;
    const lateBase = base ?? (takeMark(inner, '_') ? argument(inner) : null);
    const items = argumentsOf(inner);
    const inverse = exponent && isMinusOne(exponent) ? inverses[name] : undefined;
    const applied = meaning(inverse ?? name, items, lateBase);
    return exponent && !inverse ? power(applied, exponent) : applied;
  });
}

function functionPower(cursor: Cursor): Tree {
  if (!takeMark(cursor, '-')) return argument(cursor);
  const exponent = argument(cursor);
  return exponent.kind === 'number' ? exact({ ...exponent.value, over: -exponent.value.over }) : exponent;
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
  if (isMark(peek(cursor), '(')) {
    const brackets = cursor.primary(cursor);
    return brackets.kind === 'tuple' ? brackets.items : [brackets];
  }
  if (isMark(peek(cursor), '{')) return [argument(cursor)];
  let isNegative = false;
  while (isMark(peek(cursor), '-', '+')) if (take(cursor).text === '-') isNegative = !isNegative;
  const items: Tree[] = [parseFactor(cursor)];
  while (continues(peek(cursor))) items.push(parseFactor(cursor));
  // `\sin x/2` is half of a sine to some and the sine of a half to others; the fraction of π is never the first.
  const all = product(items);
  return [isNegative ? product([whole(-1), all]) : all];
}

function continues(token: Token | undefined): boolean {
  if (token?.type === 'letter' || token?.type === 'number') return true;
  if (token?.type === 'word') return token.text === 'pi';
  return (
    token?.type === 'command' &&
    /^(?:pi|[dt]?frac|sqrt|alpha|beta|gamma|theta|phi|varphi|omega)$/.test(token.text)
  );
}

function meaning(name: string, items: readonly Tree[], base: Tree | null): Tree {
  const [first = whole(0)] = items;
  if (name === 'sqrt') return power(first, half);
  if (name === 'cbrt') return call('root', first, whole(3));
  if (name === 'exp') return power({ kind: 'constant', name: 'e' }, first);
  if (name === 'log' && base) return call('log', first, base);
  return call(name, ...items, ...(base ? [base] : []));
}
