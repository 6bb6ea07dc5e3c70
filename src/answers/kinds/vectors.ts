/** Tuples, vectors and matrices, entry by entry; ratios up to a common factor. */
import { keyOf } from '../canonical.ts';
import { childrenOf, product, quotient, type Tree, whole } from '../tree.ts';
import { different, type Judgement, same } from '../verdict.ts';
import { inOrder } from './matching.ts';
import { type Context, either, type Rule } from './rule.ts';

export const vectors: Rule = (gold, reply, context) => {
  const [a, b] = [withoutPoint(gold), withoutPoint(reply)];
  if (
    a !== gold &&
    b !== reply &&
    keyOf(childrenOf(gold)[0] ?? gold) !== keyOf(childrenOf(reply)[0] ?? reply)
  )
    return different('tuple', 'other names');
  if (a.kind === 'matrix' && b.kind === 'matrix') return matrices(a, b, context);
  if (a.kind === 'tuple' && b.kind === 'tuple') return inOrder(a.items, b.items, context, 'tuple');
  const matrix = either('matrix', a, b);
  if (matrix) return matrixAndOther(matrix.it.rows, matrix.other, a.kind === 'matrix', context);
  return a.kind === 'tuple' || b.kind === 'tuple' ? different('tuple', `${a.kind} is no ${b.kind}`) : null;
};

/** `A(1, 2)` is a point by its name. */
function withoutPoint(tree: Tree): Tree {
  const [name, tuple] = tree.kind === 'product' ? tree.items : [];
  return name?.kind === 'symbol' && /^[A-Z]/.test(name.name) && tuple?.kind === 'tuple' ? tuple : tree;
}

type Matrix = Extract<Tree, { kind: 'matrix' }>;

function matrices(gold: Matrix, reply: Matrix, context: Context): Judgement {
  const [a, b] = [gold.rows, reply.rows];
  if (a.length !== b.length || a[0]?.length !== b[0]?.length) {
    return different('matrix', `${a.length}×${a[0]?.length} and ${b.length}×${b[0]?.length}`);
  }
  return inOrder(a.flat(), b.flat(), context, 'matrix');
}

/** A column is a vector, written down; one entry is a number. */
function matrixAndOther(
  rows: readonly (readonly Tree[])[],
  other: Tree,
  isGoldMatrix: boolean,
  context: Context,
): Judgement {
  const entries = rows.flat();
  const [only] = entries;
  const isColumn = rows.every((row) => row.length === 1);
  if (other.kind === 'tuple' && isColumn && entries.length > 1) {
    const [a, b] = isGoldMatrix ? [entries, other.items] : [other.items, entries];
    return inOrder(a, b, context, 'vector');
  }
  if (entries.length === 1 && only && other.kind !== 'tuple') {
    return isGoldMatrix ? context.compare(only, other) : context.compare(other, only);
  }
  return different('matrix', `a matrix is no ${other.kind}`);
}

export const ratios: Rule = (gold, reply, context) => {
  const ratio = either('ratio', gold, reply);
  if (!ratio) return null;
  const { it, other } = ratio;
  if (other.kind === 'ratio') return proportional(it.items, other.items, context);
  const [over, under] = it.items;
  if (it.items.length !== 2 || !over || !under) return different('ratio', `a ratio is no ${other.kind}`);
  const judgement = context.compare(quotient(over, under), other);
  return { ...judgement, rule: `ratio, ${judgement.rule}` };
};

function proportional(a: readonly Tree[], b: readonly Tree[], { compare }: Context): Judgement {
  const [firstOfA, firstOfB] = [a[0], b[0]];
  if (a.length !== b.length || !firstOfA || !firstOfB) return different('ratio', 'not as many parts');
  // Nothing is in proportion to nothing: then the parts must be the same.
  if ([...a, ...b].some((part) => compare(part, whole(0)).isEqual))
    return inOrder(a, b, { compare }, 'ratio');
  for (const [at, part] of a.entries()) {
    const other = b[at];
    const judgement = other && compare(product([part, firstOfB]), product([other, firstOfA]));
    if (!judgement?.isEqual) return different('ratio', `part ${at + 1} is not in proportion`);
  }
  return same('ratio', 'the same proportion');
}
