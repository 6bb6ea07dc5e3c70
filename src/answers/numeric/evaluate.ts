/**
 * Walks an expression and calculates it in a field: real or complex numbers, or residues. Null is "has no value here".
 * A function that nobody knows is some fixed smooth function: equal arguments give equal values, and no others are
 * likely to.
 */
import { type Rational, rational } from '../exact/rational.ts';
import { limits, spend, type Work } from '../limits.ts';
import { isExpression, type OfKind, type Tree } from '../tree.ts';

export type Field<T> = {
  number(tree: { readonly value: Rational }): T | null;
  constant(name: 'pi' | 'e' | 'i' | 'infinity'): T | null;
  symbol(name: string): T | null;
  add(a: T, b: T): T | null;
  multiply(a: T, b: T): T | null;
  /** Some fields look at how the exponent is written. */
  power(base: T, exponent: Tree, valueHere: (tree: Tree) => T | null): T | null;
  /** `tree` is what is called, for fields in which it is an unknown of its own. */
  call(name: string, values: readonly T[], tree: Tree): T | null;
  /** A whole number that can be counted to, null where it is none. */
  count(value: T): number | null;
  /** Whether values that are no whole numbers can be told from those that are. */
  readonly hasCounts: boolean;
};

export function evaluate<T>(tree: Tree, field: Field<T>, work: Work): T | null {
  spend(work);
  const valueHere = (inner: Tree): T | null => evaluate(inner, field, work);
  switch (tree.kind) {
    case 'number':
      return field.number(tree);
    case 'based':
      return field.number(tree);
    case 'constant':
      return field.constant(tree.name);
    case 'symbol':
      return field.symbol(tree.name);
    case 'sum':
      return folded(tree.items, valueHere, field.add);
    case 'product':
      return folded(tree.items, valueHere, field.multiply);
    case 'power': {
      const base = valueHere(tree.base);
      return base === null ? null : field.power(base, tree.exponent, valueHere);
    }
    case 'call':
      return called(tree.name, tree, { field, valueHere });
    case 'big': {
      const value = added(tree, { field, valueHere }, work);
      if (value === 'nowhere') return null;
      return value ?? called(`big ${tree.operator}`, tree, { field, valueHere });
    }
    default:
      return null;
  }
}

function folded<T>(
  items: readonly Tree[],
  valueHere: (tree: Tree) => T | null,
  join: (a: T, b: T) => T | null,
): T | null {
  let total: T | null = null;
  for (const [at, item] of items.entries()) {
    const value = valueHere(item);
    if (value === null) return null;
    total = at === 0 || total === null ? value : join(total, value);
    if (total === null) return null;
  }
  return total;
}

type Walk<T> = { readonly field: Field<T>; readonly valueHere: (tree: Tree) => T | null };

function called<T>(name: string, tree: OfKind<'call' | 'big'>, { field, valueHere }: Walk<T>): T | null {
  const values: T[] = [];
  for (const item of tree.items.filter(isExpression)) {
    const value = valueHere(item);
    if (value === null) return null;
    values.push(value);
  }
  const others = tree.items.filter((item) => !isExpression(item));
  const plain = (_: string, each: unknown) => (typeof each === 'bigint' ? String(each) : each);
  const label = others.length === 0 ? name : `${name} ${JSON.stringify(others, plain)}`;
  return field.call(label, values, tree);
}

/**
 * A sum or product over few whole numbers is added up, with each in the place of its variable. It is nowhere between
 * whole numbers; null is "not to be added up".
 */
function added<T>(tree: OfKind<'big'>, { field, valueHere }: Walk<T>, work: Work): T | 'nowhere' | null {
  if (tree.operator !== 'sum' && tree.operator !== 'prod') return null;
  const [lower, upper, body] = tree.items;
  if (!isExpression(upper)) return null;
  const [first, last] = [valueHere(lower), valueHere(upper)];
  const [from, to] = [first && field.count(first), last && field.count(last)];
  if (field.hasCounts && first !== null && last !== null && (from === null || to === null || to < from))
    return 'nowhere';
  if (from === null || to === null || to - from >= limits.terms) return null;
  const join = tree.operator === 'sum' ? field.add : field.multiply;
  let total: T | null = null;
  for (let at = from; at <= to; at += 1) {
    const index = { value: rational(BigInt(at)) };
    const symbol = (name: string) => (name === boundName ? field.number(index) : field.symbol(name));
    const inner: Field<T> = { ...field, symbol };
    const value: T | null = evaluate(body, inner, work);
    total = value === null ? null : at === from || total === null ? value : join(total, value);
    if (total === null) return null;
  }
  return total;
}

const boundName = '\ue000bound';
