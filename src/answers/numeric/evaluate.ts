/**
 * Walks an expression and calculates it in a field: real or complex numbers, or residues. Null is "has no value here".
 * An unknown function is some fixed smooth function: equal arguments give equal values, and no others are
 * likely to.
 */
import { type Rational, rational } from '../exact/rational.ts';
import { limits, spend, type Work } from '../limits.ts';
import { boundName, isExpression, type OfKind, someTree, type Tree } from '../tree.ts';

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
  /** The value as a whole number small enough to count to; null otherwise. */
  count(value: T): number | null;
  /** Whether values that are no whole numbers can be told from those that are. */
  readonly hasCounts: boolean;
  /** Values at 1, ½, ¼ …, taken to nothing, where the field knows how far they are from settled; `order` of what is left out. */
  extrapolate?(values: readonly T[], order: number): T | null;
};

export function evaluate<T>(tree: Tree, field: Field<T>, work: Work): T | null {
  spend(work, limits.evaluation);
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
      return (
        value ??
        evaluateLimit(tree, { field, valueHere }, work) ??
        called(`big ${tree.operator}`, tree, { field, valueHere })
      );
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
    const value = valueAt(body, field.number({ value: rational(BigInt(at)) }), field, work);
    total = value === null ? null : at === from || total === null ? value : join(total, value);
    if (total === null) return null;
  }
  return total;
}

function valueAt<T>(body: Tree, at: T | null, field: Field<T>, work: Work): T | null {
  return evaluate(body, { ...field, symbol: (name) => (name === boundName ? at : field.symbol(name)) }, work);
}

/** Steps of an integral, and how often the way to a limit is halved, from a quarter on. */
const [finest, halvings] = [128, 7];

/** A definite integral by trapezia, or a limit, as what finer and finer steps come to. */
function evaluateLimit<T>(tree: OfKind<'big'>, { field, valueHere }: Walk<T>, work: Work): T | null {
  const [lower, upper, body] = tree.items;
  if (!field.extrapolate || !/^(?:int|lim)$/.test(tree.operator) || !isExpression(lower)) return null;
  const part = (over: number, under = 1) => field.number({ value: rational(BigInt(over), BigInt(under)) });
  const times = (a: T | null, b: T | null) => (a === null || b === null ? null : field.multiply(a, b));
  const plus = (a: T | null, b: T | null) => (a === null || b === null ? null : field.add(a, b));
  const at = (value: T | null) => (value === null ? null : valueAt(body, value, field, work));
  const settled = (values: readonly (T | null)[], order: number) => {
    const known = values.filter((value) => value !== null);
    return known.length === values.length ? (field.extrapolate?.(known, order) ?? null) : null;
  };
  if (tree.operator === 'int') {
    if (!isExpression(upper)) return null;
    const low = valueHere(lower);
    const width = plus(valueHere(upper), times(part(-1), low));
    // Steps of different widths, t²(3 − 2t), so that no periodic function has their period.
    const heights = Array.from({ length: finest + 1 }, (_, t) => {
      const height = at(plus(low, times(width, part(t * t * (3 * finest - 2 * t), finest ** 3))));
      return times(times(width, part(6 * t * (finest - t), finest ** 2)), height);
    });
    const areas: (T | null)[] = [];
    for (let step = finest / 2; step >= 1; step /= 2) {
      const sum = heights.filter((_, t) => t % step === 0).reduce(plus, part(0));
      areas.push(times(sum, part(step, finest)));
    }
    return settled(areas, 2);
  }
  const isFar = someTree(lower, (each) => each.kind === 'constant' && each.name === 'infinity');
  const point = isFar ? null : valueHere(lower);
  const from = (side: number) => {
    const there = (step: number) => (isFar ? part(16 * side * step) : plus(point, part(side, step)));
    return settled(
      Array.from({ length: halvings }, (_, halved) => at(there(4 * 2 ** halved))),
      1,
    );
  };
  const side = upper.kind === 'text' ? upper.text : '';
  if (isFar || side !== '') return from(side === '^-' || (isFar && lower.kind === 'product') ? -1 : 1);
  return settled([from(-1), from(1)], 1);
}
