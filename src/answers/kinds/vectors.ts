/** Tuples, vectors and matrices, entry by entry; ratios up to a common factor. */
import { keyOf } from '../canonical.ts';
import { different, type Judgement, same } from '../options.ts';
import { childrenOf, integer, product, quotient, type Tree } from '../tree.ts';
import { type Context, inOrder, named, orderByKind, type Rule } from './rule.ts';

export const vectors: Rule = (gold, reply, context) => {
  const [a, b] = [withoutPoint(gold), withoutPoint(reply)];
  const [aName = gold, bName = reply] = [childrenOf(gold)[0], childrenOf(reply)[0]];
  if (a !== gold && b !== reply && keyOf(aName) !== keyOf(bName)) return different('tuple', 'other names');
  if (a.kind === 'matrix' && b.kind === 'matrix') {
    const [one, second] = [a, b].map(({ rows }) => `${rows.length}×${rows[0]?.length}`);
    if (one !== second) return different('matrix', `${one} and ${second}`);
    return inOrder(a.rows.flat(), b.rows.flat(), context, 'matrix');
  }
  if (a.kind === 'tuple' && b.kind === 'tuple') return inOrder(a.items, b.items, context, 'tuple');
  return (
    matrixAndOther(a, b, context) ??
    (a.kind === 'tuple' || b.kind === 'tuple' ? different('tuple', `${a.kind} is no ${b.kind}`) : null)
  );
};

/** `A(1, 2)` is a point by its name. */
function withoutPoint(tree: Tree): Tree {
  const [name, tuple] = tree.kind === 'product' ? tree.items : [];
  return name?.kind === 'symbol' && /^[A-Z]/.test(name.name) && tuple?.kind === 'tuple' ? tuple : tree;
}

/** A column is a vector, written down; one entry is a number. */
function matrixAndOther(a: Tree, b: Tree, context: Context): Judgement | null {
  const matrix = orderByKind('matrix', a, b);
  if (!matrix) return null;
  const { it, other, ordered } = matrix;
  const entries = it.rows.flat();
  const [only] = entries;
  const isColumn = it.rows.every((row) => row.length === 1);
  // Programs write a vector, of either direction, as a list in brackets.
  const isList = other.kind === 'interval' && !other.isLowOpen && !other.isHighOpen;
  const isVector = isColumn || (it.rows.length === 1 && context.relation === 'gold' && a.kind === 'matrix');
  if ((other.kind === 'tuple' || isList) && isVector && entries.length > 1) {
    const items = childrenOf(other);
    return a.kind === 'matrix'
      ? inOrder(entries, items, context, 'vector')
      : inOrder(items, entries, context, 'vector');
  }
  if (entries.length === 1 && only && other.kind !== 'tuple') return context.compare(...ordered(only, other));
  return different('matrix', `a matrix is no ${other.kind}`);
}

export const ratios: Rule = (gold, reply, context) => {
  const ratio = orderByKind('ratio', gold, reply);
  if (!ratio) return null;
  const { it, other } = ratio;
  if (other.kind === 'ratio') return proportional(it.items, other.items, context);
  const [over, tree] = it.items;
  if (it.items.length !== 2 || !over || !tree) return different('ratio', `a ratio is no ${other.kind}`);
  return named('ratio', context.compare(quotient(over, tree), other));
};

function proportional(a: readonly Tree[], b: readonly Tree[], { compare }: Context): Judgement {
  const [firstOfA, firstOfB] = [a[0], b[0]];
  if (a.length !== b.length || !firstOfA || !firstOfB) return different('ratio', 'not as many parts');
  // Nothing is in proportion to nothing: then the parts must be the same.
  if ([...a, ...b].some((part) => compare(part, integer(0)).equal))
    return inOrder(a, b, { compare }, 'ratio');
  for (const [at, part] of a.entries()) {
    const other = b[at];
    const judgement = other && compare(product([part, firstOfB]), product([other, firstOfA]));
    if (!judgement?.equal) return different('ratio', `part ${at + 1} is not in proportion`);
  }
  return same('ratio', 'the same proportion');
}
