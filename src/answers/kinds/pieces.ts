/** Sets of real numbers as sorted pieces that do not touch, so that unions are equal however they are written. */
import { canonical } from '../canonical.ts';
import { minusOne } from '../exact/rational.ts';
import { evaluate } from '../numeric/evaluate.ts';
import { realField } from '../numeric/real.ts';
import { exact, infinity, type OfKind, product, type Tree, whole } from '../tree.ts';
import type { Context } from './rule.ts';

/** An end of a piece; a closed one belongs to it. */
export type End = { readonly tree: Tree; readonly value: number; readonly isOpen: boolean };
export type Piece = { readonly low: End; readonly high: End };
export type Pieces = readonly Piece[];

const minusInfinity = product([exact(minusOne), infinity]);

export const lowest: End = { tree: minusInfinity, value: Number.NEGATIVE_INFINITY, isOpen: true };
export const highest: End = { tree: infinity, value: Number.POSITIVE_INFINITY, isOpen: true };
export const everything: Pieces = [{ low: lowest, high: highest }];

/** Null where an end is no number, or where it is no set of real numbers. */
export function piecesOf(tree: Tree, context: Context): Pieces | null {
  switch (tree.kind) {
    case 'domain': {
      const zero = endOf(whole(0), true, context);
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
    case 'combination': {
      const parts = tree.items.map((item) => piecesOf(item, context));
      const [first, ...rest] = parts.filter((part) => part !== null);
      if (!first || parts.includes(null)) return null;
      return rest.reduce((sofar, part) => joined(tree.operator, sofar, part, context), first);
    }
    default:
      return null;
  }
}

function intervalPieces(tree: OfKind<'tuple' | 'interval'>, context: Context): Pieces | null {
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
  const isNear = Math.abs(difference) <= 1e-6 * Math.max(1, Math.abs(a.value), Math.abs(b.value));
  return isNear && compare(a.tree, b.tree).equal ? 0 : difference || 0;
}

export function merged(pieces: Pieces, context: Context): Pieces {
  const whole = pieces.filter(({ low, high }) => {
    const difference = order(low, high, context);
    return difference < 0 || (difference === 0 && !low.isOpen && !high.isOpen);
  });
  const sorted = whole.toSorted(
    (a, b) => order(a.low, b.low, context) || Number(a.low.isOpen) - Number(b.low.isOpen),
  );
  const result: Piece[] = [];
  for (const piece of sorted) {
    const last = result.at(-1);
    const gap = last ? order(last.high, piece.low, context) : -1;
    if (!last || gap < 0 || (gap === 0 && last.high.isOpen && piece.low.isOpen)) result.push(piece);
    else result[result.length - 1] = { low: last.low, high: further(last.high, piece.high, context) };
  }
  return result;
}

function further(a: End, b: End, context: Context): End {
  const difference = order(a, b, context);
  if (difference === 0) return a.isOpen ? b : a;
  return difference < 0 ? b : a;
}

export function complement(pieces: Pieces): Pieces {
  const turned = (end: End) => (Number.isFinite(end.value) ? { ...end, isOpen: !end.isOpen } : end);
  const result: Piece[] = [];
  let low = lowest;
  for (const piece of pieces) {
    if (piece.low.value !== Number.NEGATIVE_INFINITY) result.push({ low, high: turned(piece.low) });
    low = turned(piece.high);
  }
  if (low.value !== Number.POSITIVE_INFINITY) result.push({ low, high: highest });
  return result;
}

type Operator = OfKind<'combination'>['operator'];

export function joined(operator: Operator, a: Pieces, b: Pieces, context: Context): Pieces {
  if (operator === 'union') return merged([...a, ...b], context);
  if (operator === 'difference') return joined('intersection', a, merged(complement(b), context), context);
  return merged(complement(merged([...complement(a), ...complement(b)], context)), context);
}
