/**
 * What the algebra library may be given: small, shallow, with few digits, and with powers and factorials that stay
 * small when they are worked out. It is checked on our tree, before the library sees anything.
 */
import { limits, type Work } from '../limits.ts';
import { complexField, size } from '../numeric/complex.ts';
import { evaluate } from '../numeric/evaluate.ts';
import { childrenOf, hasNames, type Tree } from '../tree.ts';

export function isHarmless(tree: Tree, work: Work): boolean {
  return isSmall(tree, 0, { nodes: 0 }, work);
}

const { algebra } = limits;

function isSmall(tree: Tree, depth: number, count: { nodes: number }, work: Work): boolean {
  count.nodes += 1;
  if (count.nodes > algebra.nodes || depth > algebra.depth) return false;
  if (tree.kind === 'number' && digits(tree.value.over) + digits(tree.value.under) > algebra.digits)
    return false;
  if (tree.kind === 'power' && !isSmallPower(tree.base, tree.exponent, work)) return false;
  if (tree.kind === 'call' && /actorial|binomial/.test(tree.name)) {
    if (!tree.items.every((item) => isBelow(item, algebra.factorial, work))) return false;
  }
  return childrenOf(tree).every((child) => isSmall(child, depth + 1, count, work));
}

/** A sum to a power is multiplied out: the more terms, the smaller the power must be. */
function isSmallPower(base: Tree, exponent: Tree, work: Work): boolean {
  const terms = base.kind === 'sum' ? base.items.length : 1;
  const most = terms > 1 ? Math.floor(24 / terms) : algebra.exponent;
  if (exponent.kind === 'number') return isBelow(exponent, most, work);
  return hasNames(exponent) || isBelow(exponent, algebra.exponent, work);
}

function isBelow(tree: Tree, most: number, work: Work): boolean {
  const value = evaluate(tree, complexField(0, 0), work);
  return value !== null && size(value) <= most;
}

function digits(value: bigint): number {
  return value.toString().length;
}
