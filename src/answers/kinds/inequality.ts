/** Solves inequalities that are linear in one name, or in its absolute value, into pieces of the real line. */
import { canonical, keyOf } from '../canonical.ts';
import { minusOne } from '../exact/rational.ts';
import {
  childrenOf,
  difference,
  exact,
  mapTree,
  product,
  quotient,
  type Relation,
  sum,
  symbol,
  type Tree,
  whole,
  withChildren,
} from '../tree.ts';
import { isName } from './assignment.ts';
import { complement, endOf, everything, highest, joined, lowest, merged, type Piece } from './pieces.ts';
import type { Context } from './rule.ts';

export type Solution = { readonly name: string; readonly pieces: readonly Piece[] };

const unknown = symbol('\ue000unknown');

export function isInequality(tree: Tree): tree is Extract<Tree, { kind: 'relation' }> {
  return tree.kind === 'relation' && tree.operators.every((operator) => '<≤>≥≠'.includes(operator));
}

/** `1 < x ≤ 3`, `|x| > 2`, and several of them with "and" or "or". Null where it is beyond what is solved here. */
export function solutionOf(tree: Tree, context: Context): Solution | null {
  if (tree.kind === 'list') return solutionOfList(tree, context);
  if (!isInequality(tree)) return null;
  const name = nameIn(tree);
  if (!name) return null;
  const isSize = name.kind === 'call' && name.name === 'abs' && name.items[0]?.kind === 'symbol';
  let pieces = everything;
  for (const [at, operator] of tree.operators.entries()) {
    const [left, right] = [tree.sides[at], tree.sides[at + 1]];
    const part = left && right ? solved(difference(left, right), operator, name, context) : null;
    if (!part) return null;
    pieces = joined('intersection', pieces, part, context);
  }
  if (!isSize) return { name: keyOf(name), pieces };
  return { name: keyOf(name.items[0] ?? name), pieces: mirrored(pieces, context) };
}

function solutionOfList(tree: Extract<Tree, { kind: 'list' }>, context: Context): Solution | null {
  const parts = tree.items.map((item) => (isInequality(item) ? solutionOf(item, context) : null));
  const [first, ...rest] = parts.filter((part) => part !== null);
  if (!first || rest.length !== tree.items.length - 1 || tree.joiner === 'comma') return null;
  if (rest.some(({ name }) => name !== first.name)) return null;
  const operator = tree.joiner === 'or' ? 'union' : 'intersection';
  return {
    name: first.name,
    pieces: rest.reduce((sofar, part) => joined(operator, sofar, part.pieces, context), first.pieces),
  };
}

/** The one thing that is not a number: a letter, `f(x)`, `|x|`. */
function nameIn(tree: Tree): Tree | null {
  const found = new Map<string, Tree>();
  const look = (each: Tree): void => {
    const isAtom = each.kind === 'symbol' || (each.kind === 'call' && isName(each) && hasSymbol(each));
    if (isAtom) found.set(keyOf(each), each);
    else for (const child of childrenOf(each)) look(child);
  };
  look(tree);
  const [only] = found.values();
  return found.size === 1 && only ? only : null;
}

function hasSymbol(tree: Tree): boolean {
  return tree.kind === 'symbol' || childrenOf(tree).some(hasSymbol);
}

/** Where `form` stands in the relation to zero: a line through two of its points, and a third to see that it is one. */
function solved(form: Tree, operator: Relation, name: Tree, context: Context): readonly Piece[] | null {
  const key = keyOf(name);
  const lifted = replaced(form, (each) => (keyOf(each) === key ? unknown : null));
  const at = (value: number) =>
    canonical(
      mapTree(lifted, (each) => (each === unknown ? whole(value) : each)),
      context.work,
    );
  const [zero, one, two] = [at(0), at(1), at(2)];
  const slope = difference(one, zero);
  if (!context.compare(sum([two, zero]), product([whole(2), one])).isEqual) return null;
  const steepness = endOf(slope, true, context)?.value;
  if (!steepness || !Number.isFinite(steepness)) return null;
  const root = canonical(quotient(product([exact(minusOne), zero]), slope), context.work);
  const [open, closed] = [endOf(root, true, context), endOf(root, false, context)];
  if (!open || !closed) return null;
  if (operator === '≠') return complement([{ low: closed, high: closed }]);
  const isBelow = (operator === '<' || operator === '≤') === steepness > 0;
  const end = operator === '<' || operator === '>' ? open : closed;
  return isBelow ? [{ low: lowest, high: end }] : [{ low: end, high: highest }];
}

/** Top down, so that a name inside a name is left alone. */
function replaced(tree: Tree, change: (tree: Tree) => Tree | null): Tree {
  const changed = change(tree);
  if (changed) return changed;
  const children = childrenOf(tree).map((child) => replaced(child, change));
  return children.length === 0 ? tree : withChildren(tree, children);
}

/** |x| lies in these pieces: so x does, or −x. */
function mirrored(pieces: readonly Piece[], context: Context): readonly Piece[] {
  const zero = endOf(whole(0), false, context);
  if (!zero) return pieces;
  const positive = joined('intersection', pieces, [{ low: zero, high: highest }], context);
  const negative = positive.map(({ low, high }) => ({
    low: opposite(high, context),
    high: opposite(low, context),
  }));
  return merged([...positive, ...negative], context);
}

function opposite(end: Piece['low'], context: Context): Piece['low'] {
  return endOf(product([exact(minusOne), end.tree]), end.isOpen, context) ?? end;
}
