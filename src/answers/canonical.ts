/**
 * One form for what is written in many: sums and products flat, sorted and added up, numbers calculated, roots as
 * powers. It proves equality where two forms are the same and nothing where they differ.
 */
import {
  add,
  areSame,
  exactValue,
  isInteger,
  magnitude,
  minusOne,
  multiply,
  one,
  powerOf,
  type Rational,
  rational,
  zero,
} from './exact/rational.ts';
import { spend, type Work } from './limits.ts';
import {
  call,
  childrenOf,
  exact,
  isExpression,
  mapChildren,
  power,
  product,
  someTree,
  sum,
  type Tree,
} from './tree.ts';

export function canonical(tree: Tree, work: Work): Tree {
  spend(work);
  const inner = mapChildren(tree, (child) => canonical(child, work));
  switch (inner.kind) {
    case 'number':
    case 'based':
      return exact(inner.value);
    case 'sum':
      return sumOf(inner.items, work);
    case 'product':
      return multiplyAll(inner.items, work);
    case 'power':
      return simplifyPower(inner.base, inner.exponent);
    case 'call':
      return callForm(inner.name, inner.items, work);
    default:
      return inner;
  }
}

/** Infinity, and what is divided by nothing, is neither taken from itself nor multiplied by nothing. */
function isUndefined(tree: Tree): boolean {
  return someTree(
    tree,
    (each) =>
      (each.kind === 'constant' && each.name === 'infinity') ||
      (each.kind === 'call' && each.name === 'undefined') ||
      (each.kind === 'power' &&
        isNumber(each.base, 0n) &&
        each.exponent.kind === 'number' &&
        each.exponent.value.over <= 0n),
  );
}

function isNumber(tree: Tree, value: bigint): boolean {
  return tree.kind === 'number' && tree.value.over === value && tree.value.under === 1n;
}

/** Like terms are added up: key → what is multiplied, how often. */
function sumOf(items: readonly Tree[], work: Work): Tree {
  let constant = zero;
  const terms = new Map<string, { rest: Tree; times: Rational }>();
  for (const item of items.flatMap((each) => (each.kind === 'sum' ? each.items : [each]))) {
    spend(work);
    if (item.kind === 'number') constant = add(constant, item.value);
    else {
      if (isUndefined(item)) return call('undefined', ...sorted(items));
      const { times, rest } = splitCoefficient(item);
      const key = keyOf(rest);
      terms.set(key, { rest, times: add(terms.get(key)?.times ?? zero, times) });
    }
  }
  const kept = [...terms.values()].filter(({ times }) => times.over !== 0n);
  const result = kept.map(({ rest, times }) => scaleTree(rest, times));
  if (constant.over !== 0n || result.length === 0) result.push(exact(constant));
  return sum(sorted(result));
}

function splitCoefficient(tree: Tree): { readonly times: Rational; readonly rest: Tree } {
  const [first, ...rest] = tree.kind === 'product' ? tree.items : [];
  if (first?.kind !== 'number') return { times: one, rest: tree };
  return { times: first.value, rest: product(rest) };
}

function scaleTree(tree: Tree, times: Rational): Tree {
  if (areSame(times, one)) return tree;
  return { kind: 'product', items: [exact(times), ...(tree.kind === 'product' ? tree.items : [tree])] };
}

/** Equal bases are put together where their exponents are numbers. The coefficient stands first. */
function multiplyAll(items: readonly Tree[], work: Work): Tree {
  let rational = one;
  if (items.some(isUndefined) && !hasSignedItem(items)) return call('undefined', ...sorted(items));
  const factors = new Map<string, { base: Tree; exponent: Rational }>();
  for (const item of items.flatMap((each) => (each.kind === 'product' ? each.items : [each]))) {
    spend(work);
    if (item.kind === 'number') rational = multiply(rational, item.value);
    else if (item.kind === 'power' && item.exponent.kind !== 'number') {
      factors.set(`${keyOf(item)}#${factors.size}`, { base: item, exponent: one });
    } else {
      const { base, exponent } = baseOf(item);
      const key = keyOf(base);
      factors.set(key, { base, exponent: add(factors.get(key)?.exponent ?? zero, exponent) });
    }
  }
  if (rational.over === 0n) return exact(zero);
  const result: Tree[] = [];
  for (const { base, exponent } of factors.values()) {
    const factor = simplifyPower(base, exact(exponent));
    if (factor.kind === 'number') rational = multiply(rational, factor.value);
    else result.push(factor);
  }
  if (result.length === 0) return exact(rational);
  if (areSame(rational, one)) return product(sorted(result));
  const [only, ...siblings] = result;
  if (only?.kind === 'sum' && siblings.length === 0) {
    return sum(sorted(only.items.map((item) => multiplyAll([exact(rational), item], work))));
  }
  return product([exact(rational), ...sorted(result)]);
}

/** −∞ is a thing of its own. */
function hasSignedItem(items: readonly Tree[]): boolean {
  const rest = items.filter((item) => !isNumber(item, -1n));
  return rest.length === 1 && rest[0]?.kind === 'constant';
}

function baseOf(tree: Tree): { readonly base: Tree; readonly exponent: Rational } {
  if (tree.kind === 'power' && tree.exponent.kind === 'number') {
    return { base: tree.base, exponent: tree.exponent.value };
  }
  return { base: tree, exponent: one };
}

function simplifyPower(base: Tree, tree: Tree): Tree {
  if (tree.kind !== 'number') return power(base, tree);
  if (areSame(tree.value, one)) return base;
  if (tree.value.over === 0n && base.kind !== 'number') return exact(one);
  if (base.kind === 'number' && isInteger(tree.value)) {
    const value = powerOf(base.value, tree.value.over);
    return value ? exact(value) : power(base, tree);
  }
  if (base.kind === 'number' && tree.value.under === 2n) {
    const root = squareRoot(base.value);
    if (root) return simplifyPower(exact(root), exact(rational(tree.value.over)));
  }
  if (base.kind === 'power' && base.exponent.kind === 'number' && isInteger(tree.value)) {
    return simplifyPower(base.base, exact(multiply(base.exponent.value, tree.value)));
  }
  if (base.kind === 'constant' && base.name === 'i' && isInteger(tree.value))
    return powerOfI(tree.value.over);
  return power(base, tree);
}

function powerOfI(exponent: bigint): Tree {
  const i: Tree = { kind: 'constant', name: 'i' };
  const trees = [exact(one), i, exact(minusOne), product([exact(minusOne), i])];
  return trees[Number(((exponent % 4n) + 4n) % 4n)] ?? i;
}

/** Exact, or null. */
function squareRoot({ over, under }: Rational): Rational | null {
  const [a, b] = [integerRoot(over), integerRoot(under)];
  return a === null || b === null ? null : rational(a, b);
}

function integerRoot(value: bigint): bigint | null {
  if (value < 0n) return null;
  if (value < 2n) return value;
  let estimate = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (
    let next = (estimate + value / estimate) >> 1n;
    next < estimate;
    next = (estimate + value / estimate) >> 1n
  )
    estimate = next;
  return estimate * estimate === value ? estimate : null;
}

const commutative = new Set(['gcd', 'lcm', 'max', 'min']);

function callForm(name: string, items: readonly Tree[], work: Work): Tree {
  const [first] = items;
  if (!first) return call(name);
  if (name === 'percent') return multiplyAll([first, exact(rational(1n, 100n))], work);
  if (name === 'degrees') {
    return multiplyAll([first, { kind: 'constant', name: 'pi' }, exact(rational(1n, 180n))], work);
  }
  if (name === 'abs' && first.kind === 'number') return exact(magnitude(first.value));
  const numbers = items.flatMap((item) => (item.kind === 'number' ? [item.value] : []));
  const value = numbers.length === items.length ? exactValue(name, numbers) : null;
  if (value) return exact(value);
  return call(name, ...(commutative.has(name) ? sorted(items) : items));
}

function sorted(items: readonly Tree[]): Tree[] {
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ item }) => item);
}

/** The same for two trees exactly when they are the same. */
export function keyOf(tree: Tree): string {
  const inner = childrenOf(tree).map(keyOf).join(',');
  switch (tree.kind) {
    case 'number':
      return `${tree.value.over}/${tree.value.under}`;
    case 'constant':
      return `~${tree.name}`;
    case 'symbol':
      return `$${tree.name.length}:${tree.name}`;
    case 'call':
      return `@${tree.name.length}:${tree.name}(${inner})`;
    case 'big':
      return `&${tree.operator}(${inner})`;
    default:
      return isExpression(tree) ? `${tree.kind}(${inner})` : `${JSON.stringify(shellOf(tree))}(${inner})`;
  }
}

/** All of a compound but what is in it. */
function shellOf(tree: Tree): unknown {
  const inside = ['items', 'value', 'low', 'high', 'sides', 'modulus', 'unit'];
  const entries = Object.entries(tree).filter(([name]) => !inside.includes(name));
  const unit =
    tree.kind === 'quantity'
      ? [tree.unit.dimension, `${tree.unit.factor.over}/${tree.unit.factor.under}`]
      : [];
  const own = entries.map(([name, value]) =>
    name === 'rows' ? tree.kind === 'matrix' && tree.rows.map((row) => row.length) : value,
  );
  return [...own, ...unit];
}
