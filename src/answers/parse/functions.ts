/** `\sin^2 x`, `\log_2 8`, `\ln(xy)`: a function, its base and power, and how far its argument reaches. */
import { minusOne } from '../exact/rational.ts';
import { call, exact, power, product, type Tree, whole } from '../tree.ts';
import { argument, type Cursor, isMark, nested, peek, take, takeMark } from './cursor.ts';
import { half, parseFactor } from './expression.ts';
import type { Token } from './tokens.ts';

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
    const exponent = takeMark(inner, '^') ? exponentOf(inner) : null;
    const lateBase = base ?? (takeMark(inner, '_') ? argument(inner) : null);
    const items = argumentsOf(inner);
    const inverse = exponent && isMinusOne(exponent) ? inverses[name] : undefined;
    const applied = meaning(inverse ?? name, items, lateBase);
    return exponent && !inverse ? power(applied, exponent) : applied;
  });
}

function exponentOf(cursor: Cursor): Tree {
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
