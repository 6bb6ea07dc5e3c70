/**
 * Sets: finite ones by their members, all others by their parts. Sets of real numbers are compared as sorted pieces that
 * do not touch, so that unions are equal however they are written.
 */
import { canonical, keyOf } from '../canonical.ts';
import { minusOne } from '../exact/rational.ts';
import { evaluate } from '../numeric/evaluate.ts';
import { realField } from '../numeric/real.ts';
import { different, type Judgement, same } from '../options.ts';
import { childrenOf, exact, infinity, integer, type OfKind, product, type Tree } from '../tree.ts';
import { assignmentIn } from './assignment.ts';
import { type Context, inAnyOrder, inOrder, named, type Rule, uniqueTrees } from './rule.ts';

const kinds = ['set', 'interval', 'combination', 'domain'];

export const sets: Rule = (gold, reply, context) => {
  if (!kinds.includes(gold.kind) && !kinds.includes(reply.kind)) return null;
  if (gold.kind === 'matrix' || reply.kind === 'matrix') return null;
  const special = gold.kind === 'set' || reply.kind === 'set' ? finite : closedPair;
  return special(gold, reply, context) ?? compareIntervals(gold, reply, context);
};

function finite(gold: Tree, reply: Tree, context: Context): Judgement | null {
  const [a, b] = [membersOf(gold), membersOf(reply)];
  // `x = 1, y = 2` says more than the set of both: two replies that differ in it would agree through the set.
  if (context.relation === 'agreement' && [gold, reply].some(namesItsValues))
    return different('set', 'only one of them names its values');
  if (a && b) return compareMembers(uniqueTrees(a, context), uniqueTrees(b, context), context);
  const [set, other] = a ? [a, reply] : [b ?? [], gold];
  if (other.kind === 'tuple') {
    if (context.options.strict) return different('set', 'a set is no tuple');
    return inAnyOrder(set, other.items, context, 'set');
  }
  const [only] = set;
  if (kinds.includes(other.kind) || set.length !== 1 || !only) return null;
  return named('only member', a ? context.compare(only, other) : context.compare(other, only));
}

/** A number is as good as the set of it alone where it is the answer, not where it is in a set. */
function compareMembers(a: readonly Tree[], b: readonly Tree[], context: Context): Judgement {
  const isSet = ({ kind }: Tree) => kind === 'set';
  const compare: Context['compare'] = (x, y) =>
    isSet(x) === isSet(y) ? context.compare(x, y) : different('set', 'a member is not the set of it');
  return inAnyOrder(a, b, { ...context, compare }, 'set');
}

function namesItsValues(tree: Tree): boolean {
  const names = tree.kind === 'list' ? tree.items.map((item) => assignmentIn(item)?.name) : [];
  return new Set(names.map((name) => (name ? keyOf(name) : ''))).size > 1;
}

function membersOf(tree: Tree): readonly Tree[] | null {
  return tree.kind === 'set' || tree.kind === 'list' ? tree.items : null;
}

/** `[1, 3]` may be a list in brackets. */
function closedPair(gold: Tree, reply: Tree, context: Context): Judgement | null {
  const [interval, other] = gold.kind === 'interval' ? [gold, reply] : [reply, gold];
  if (interval.kind !== 'interval' || interval.isLowOpen || interval.isHighOpen || other.kind !== 'list')
    return null;
  if (context.relation === 'agreement') return different('list', 'an interval is no list');
  return inAnyOrder([interval.low, interval.high], other.items, context, 'list');
}

function compareIntervals(gold: Tree, reply: Tree, context: Context): Judgement {
  const [a, b] = [toIntervals(gold, context), toIntervals(reply, context)];
  if (a && b) return compareIntervalSets(a, b, context);
  if (gold.kind !== reply.kind) return different('set', `${gold.kind} is no ${reply.kind}`);
  if (gold.kind === 'domain' || reply.kind === 'domain') return different('set', 'another set');
  if (shapeOf(gold) !== shapeOf(reply)) return different('set', 'not the same ends');
  const isOrdered = gold.kind !== 'combination' || gold.operator === 'difference';
  return (isOrdered ? inOrder : inAnyOrder)(childrenOf(gold), childrenOf(reply), context, 'set');
}

function shapeOf(tree: Tree): string {
  if (tree.kind === 'combination') return tree.operator;
  return tree.kind === 'interval' ? `${tree.isLowOpen} ${tree.isHighOpen}` : '';
}

export function compareIntervalSets(a: Intervals, b: Intervals, { compare }: Context): Judgement {
  if (a.length !== b.length) return different('set', `${a.length} pieces and ${b.length}`);
  let judged = same('set', 'the same real numbers');
  for (const [at, intervalPart] of a.entries()) {
    const other = b[at];
    for (const end of ['low', 'high'] as const) {
      const [mine, yours] = [intervalPart[end], other?.[end]];
      if (mine.isOpen !== yours?.isOpen) return different('set', 'an end belongs to one of them alone');
      if (!Number.isFinite(mine.value) && mine.value === yours.value) continue;
      const judgement = compare(mine.tree, yours.tree);
      if (!judgement.equal) return different('set', `an end: ${judgement.reason}`, judgement.basis);
      if (judgement.basis === 'numeric') judged = { ...judged, basis: 'numeric' };
    }
  }
  return judged;
}

/** An end of a piece; a closed one belongs to it. */
export type End = { readonly tree: Tree; readonly value: number; readonly isOpen: boolean };
export type IntervalPart = { readonly low: End; readonly high: End };
export type Intervals = readonly IntervalPart[];

const minusInfinity = product([exact(minusOne), infinity]);

export const lowest: End = { tree: minusInfinity, value: Number.NEGATIVE_INFINITY, isOpen: true };
export const highest: End = { tree: infinity, value: Number.POSITIVE_INFINITY, isOpen: true };
export const everything: Intervals = [{ low: lowest, high: highest }];

/** Null where an end is no number, or where it is no set of real numbers. */
export function toIntervals(tree: Tree, context: Context): Intervals | null {
  switch (tree.kind) {
    case 'domain': {
      const zero = endOf(integer(0), true, context);
      if (tree.name === 'reals') return everything;
      if (zero && tree.name === 'reals^+') return [{ low: zero, high: highest }];
      return zero && tree.name === 'reals^-' ? [{ low: lowest, high: zero }] : null;
    }
    case 'set': {
      const ends = tree.items.map((item) => endOf(item, false, context));
      const known = ends.filter((end) => end !== null);
      if (known.length < ends.length) return null;
      return merged(
        known.map((end) => ({ low: end, high: end })),
        context,
      );
    }
    case 'tuple':
    case 'interval':
      return intervalPieces(tree, context);
    case 'list':
    case 'combination': {
      if (tree.kind === 'list' && !areIntervals(tree.items)) return null;
      const operator = tree.kind === 'list' ? 'union' : tree.operator;
      const parts = tree.items.map((item) => toIntervals(item, context));
      const [first, ...rest] = parts.filter((part) => part !== null);
      if (!first || parts.includes(null)) return null;
      return rest.reduce((sofar, part) => joined(operator, sofar, part, context), first);
    }
    default:
      return null;
  }
}

/** `(2, 3], [5, 7)`: what is open at one end alone is no pair of numbers, and neither is what stands beside it. */
function areIntervals(items: readonly Tree[]): boolean {
  const isHalf = (item: Tree) => item.kind === 'interval' && item.isLowOpen !== item.isHighOpen;
  return items.some(isHalf) && items.every(({ kind }) => kind === 'interval' || kind === 'tuple');
}

function intervalPieces(tree: OfKind<'tuple' | 'interval'>, context: Context): Intervals | null {
  const isTuple = tree.kind === 'tuple';
  const [low, high] = isTuple ? tree.items : [tree.low, tree.high];
  if (!low || !high || (isTuple && (tree.items.length !== 2 || tree.brackets !== 'round'))) return null;
  const from = endOf(low, isTuple || tree.isLowOpen, context);
  const to = endOf(high, isTuple || tree.isHighOpen, context);
  // What goes down is a pair of numbers and no interval.
  return from && to && from.value <= to.value ? merged([{ low: from, high: to }], context) : null;
}

/** Null where it is no real number. */
export function endOf(tree: Tree, isOpen: boolean, { work, options }: Context): End | null {
  const form = canonical(tree, work);
  if (isInfinite(form)) return { ...highest, isOpen };
  const [factor, last] = form.kind === 'product' && form.items.length === 2 ? form.items : [];
  if (factor?.kind === 'number' && last && isInfinite(last)) return { ...lowest, isOpen };
  const value = evaluate(form, { ...realField(0, options.seed), symbol: () => null }, work);
  return value && { tree, value: value.value, isOpen };
}

function isInfinite(tree: Tree): boolean {
  return tree.kind === 'constant' && tree.name === 'infinity';
}

/** Below zero where the first is smaller; zero only where the rules call them equal. */
function order(a: End, b: End, { compare }: Context): number {
  if (a.value === b.value && !Number.isFinite(a.value)) return 0;
  const difference = a.value - b.value;
  const isClose = Math.abs(difference) <= 1e-6 * Math.max(1, Math.abs(a.value), Math.abs(b.value));
  return isClose && compare(a.tree, b.tree).equal ? 0 : difference || 0;
}

export function merged(parts: Intervals, context: Context): Intervals {
  const all = parts.filter(({ low, high }) => {
    const difference = order(low, high, context);
    return difference < 0 || (difference === 0 && !low.isOpen && !high.isOpen);
  });
  const sorted = all.toSorted(
    (a, b) => order(a.low, b.low, context) || Number(a.low.isOpen) - Number(b.low.isOpen),
  );
  const result: IntervalPart[] = [];
  for (const intervalPart of sorted) {
    const last = result.at(-1);
    const gap = last ? order(last.high, intervalPart.low, context) : -1;
    if (!last || gap < 0 || (gap === 0 && last.high.isOpen && intervalPart.low.isOpen))
      result.push(intervalPart);
    else result[result.length - 1] = { low: last.low, high: outerEnd(last.high, intervalPart.high, context) };
  }
  return result;
}

function outerEnd(a: End, b: End, context: Context): End {
  const difference = order(a, b, context);
  if (difference === 0) return a.isOpen ? b : a;
  return difference < 0 ? b : a;
}

export function complement(parts: Intervals): Intervals {
  const rotate = (end: End) => (Number.isFinite(end.value) ? { ...end, isOpen: !end.isOpen } : end);
  const result: IntervalPart[] = [];
  let low = lowest;
  for (const intervalPart of parts) {
    if (intervalPart.low.value !== Number.NEGATIVE_INFINITY)
      result.push({ low, high: rotate(intervalPart.low) });
    low = rotate(intervalPart.high);
  }
  if (low.value !== Number.POSITIVE_INFINITY) result.push({ low, high: highest });
  return result;
}

type Operator = OfKind<'combination'>['operator'];

export function joined(operator: Operator, a: Intervals, b: Intervals, context: Context): Intervals {
  if (operator === 'union') return merged([...a, ...b], context);
  if (operator === 'difference') return joined('intersection', a, merged(complement(b), context), context);
  return merged(complement(merged([...complement(a), ...complement(b)], context)), context);
}
