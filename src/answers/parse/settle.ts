/**
 * What the parser leaves open is settled: percent and degrees at the top become kinds of their own, ± becomes two
 * answers, a factor before a vector or matrix goes into it. Null where brackets of sets stand inside arithmetic.
 */
import { isInteger, multiply, powerOfTen } from '../exact/rational.ts';
import { limits } from '../limits.ts';
import {
  childrenOf,
  integer,
  isExpression,
  mapChildren,
  mapTree,
  negate,
  type OfKind,
  product,
  someTree,
  sum,
  type Tree,
} from '../tree.ts';
import { unitNamed } from './units.ts';
import { decorations } from './words.ts';

export function settle(tree: Tree): Tree | null {
  const scaled = mapTree(
    mapTree(toUnitVectors(tree), (each) => scientific(determinant(each))),
    toVectors,
  );
  const settled = topDown(scaled);
  return isWellFormed(settled) ? settled : null;
}

/** `2.5 \times 10^{-3}` has the decimals of 0.0025. */
function scientific(tree: Tree): Tree {
  const [first, second, ...rest] = tree.kind === 'product' ? tree.items : [];
  if (first?.kind !== 'number' || first.decimals === null || second?.kind !== 'power' || rest.length > 0)
    return tree;
  const { base, exponent } = second;
  const isTen = base.kind === 'number' && base.value.over === 10n && base.value.under === 1n;
  const tens = exponent.kind === 'number' && isInteger(exponent.value) ? Number(exponent.value.over) : null;
  if (!isTen || tens === null || Math.abs(tens) > limits.digits) return tree;
  return {
    kind: 'number',
    value: multiply(first.value, powerOfTen(tens)),
    decimals: Math.max(0, first.decimals - tens),
  };
}

/** `\frac12 \begin{pmatrix} … \end{pmatrix}`, sums and products of matrices, and what is turned by `^T`. */
function toVectors(tree: Tree): Tree {
  if (tree.kind === 'power') return rotatedPower(tree.base, tree.exponent) ?? tree;
  if (tree.kind === 'sum')
    return tree.items.every(isVector) ? tree.items.reduce((a, b) => added(a, b) ?? tree) : tree;
  if (tree.kind !== 'product') return tree;
  const trees = tree.items.filter(isVector);
  const factors = tree.items.filter((item) => !isVector(item));
  const vector = trees.slice(1).reduce((a, b) => multiplyMatrices(a, b) ?? tree, trees[0] ?? tree);
  if (vector === tree) return tree;
  if (vector.kind === 'matrix') {
    return { ...vector, rows: vector.rows.map((row) => row.map((item) => product([...factors, item]))) };
  }
  if (vector.kind !== 'tuple' || factors.some(({ kind }) => kind === 'symbol')) return tree;
  return { ...vector, items: vector.items.map((item) => product([...factors, item])) };
}

/** `3\mathbf i - 2\mathbf j` is (3, -2). */
function toUnitVectors(tree: Tree): Tree {
  const terms = tree.kind === 'sum' ? flat(tree) : [];
  const entries = new Map<string, Tree>();
  for (const term of terms) {
    const trees = flat(term);
    const unit = trees.find(
      ({ kind, ...rest }) => kind === 'call' && 'name' in rest && decorations.has(rest.name),
    );
    const [letter] = unit ? childrenOf(unit) : [];
    const name = letter?.kind === 'symbol' || letter?.kind === 'constant' ? letter.name : '';
    if (!/^[ijk]$/.test(name) || entries.has(name)) return tree;
    entries.set(name, product(trees.filter((factor) => factor !== unit)));
  }
  if (entries.size < 2) return tree;
  const names = entries.has('k') ? ['i', 'j', 'k'] : ['i', 'j'];
  return { kind: 'tuple', items: names.map((name) => entries.get(name) ?? integer(0)), brackets: 'round' };
}

/** Sums in a sum, and products in a product. */
function flat(tree: Tree): readonly Tree[] {
  if (tree.kind !== 'sum' && tree.kind !== 'product') return [tree];
  return tree.items.flatMap((item) => (item.kind === tree.kind ? flat(item) : [item]));
}

/** Entry by entry, where there are as many; else null. */
function added(a: Tree, b: Tree): Tree | null {
  const [entries, width] = [childrenOf(b), (of: Tree) => of.kind === 'matrix' && of.rows[0]?.length];
  if (a.kind !== b.kind || childrenOf(a).length !== entries.length || width(a) !== width(b)) return null;
  let at = 0;
  return mapChildren(a, (entry) => sum([entry, entries[at++] ?? entry]));
}

/** Columns as rows. */
function transposeRows(rows: readonly (readonly Tree[])[]): readonly (readonly Tree[])[] {
  return (rows[0] ?? []).map((_, column) => rows.flatMap((row) => row[column] ?? []));
}

/** Null where they do not fit, where they grow large, and for vectors, which are multiplied in two ways. */
function multiplyMatrices(a: Tree, b: Tree): Tree | null {
  let left = limits.items;
  const isLarge = [a, b].some((tree) => someTree(tree, () => --left < 0));
  if (isLarge || a.kind !== 'matrix' || b.kind !== 'matrix' || a.rows[0]?.length !== b.rows.length)
    return null;
  const columns = transposeRows(b.rows);
  const entry = (row: readonly Tree[], column: readonly Tree[]) =>
    sum(row.map((item, at) => product([item, column[at] ?? item])));
  return { kind: 'matrix', rows: a.rows.map((row) => columns.map((column) => entry(row, column))) };
}

/** `A^T`, `A^2`, `(1, 2)^T`. */
function rotatedPower(base: Tree, tree: Tree): Tree | null {
  const isList = base.kind === 'tuple' || (base.kind === 'interval' && !base.isLowOpen && !base.isHighOpen);
  if (isList && tree.kind === 'symbol' && /^(?:T|\\?top)$/.test(tree.name))
    return { kind: 'matrix', rows: childrenOf(base).map((item) => [item]) };
  if (base.kind !== 'matrix') return null;
  if (tree.kind === 'symbol')
    return /^(?:T|\\?top)$/.test(tree.name) ? { ...base, rows: transposeRows(base.rows) } : null;
  const times = tree.kind === 'number' && isInteger(tree.value) ? Number(tree.value.over) : 0;
  if (times < 1 || times > 8) return null;
  const siblings = Array.from({ length: times - 1 }, () => base);
  return siblings.reduce<Tree | null>((power) => power && multiplyMatrices(power, base), base);
}

/** Worked out where it is small. */
function determinant(tree: Tree): Tree {
  const [matrix] = tree.kind === 'call' && tree.name === 'det' ? tree.items : [];
  if (matrix?.kind !== 'matrix' || matrix.rows.length > 4) return tree;
  const isSquare = matrix.rows.every((row) => row.length === matrix.rows.length);
  return isSquare ? expanded(matrix.rows) : tree;
}

/** Along its first row. */
function expanded(rows: readonly (readonly Tree[])[]): Tree {
  const [first = [], ...rest] = rows;
  const [only] = first;
  if (rest.length === 0 && only) return only;
  return sum(
    first.map((entry, at) => {
      const minor = expanded(rest.map((row) => row.toSpliced(at, 1)));
      return at % 2 === 0 ? product([entry, minor]) : negate(product([entry, minor]));
    }),
  );
}

const degrees = unitNamed('degrees');

/** `180^\circ - 2x` is an angle in degrees throughout. */
function toAngle(tree: OfKind<'sum'>): Tree | null {
  if (!degrees || !tree.items.some(isAngle)) return null;
  return { kind: 'quantity', value: sum(tree.items.map(degreesToRadians)), unit: degrees };
}

function isAngle(tree: Tree): boolean {
  if (tree.kind === 'product') return tree.items.some(isAngle);
  return tree.kind === 'call' && tree.name === 'degrees';
}

function degreesToRadians(tree: Tree): Tree {
  if (tree.kind === 'product') return { ...tree, items: tree.items.map(degreesToRadians) };
  return tree.kind === 'call' && tree.name === 'degrees' && tree.items[0] ? tree.items[0] : tree;
}

function topDown(tree: Tree): Tree {
  if (tree.kind === 'call' && tree.items[0]) {
    if (tree.name === 'percent') return { kind: 'percent', value: tree.items[0] };
    if (tree.name === 'degrees' && degrees) return { kind: 'quantity', value: tree.items[0], unit: degrees };
  }
  if (tree.kind === 'sum' && !hasPlusMinus(tree)) return toAngle(tree) ?? tree;
  if (tree.kind === 'product') return signOutside(tree);
  if (isExpression(tree)) return expandPlusMinus(tree);
  if (tree.kind === 'relation') return toEquations({ ...tree, sides: tree.sides.map(topDown) });
  if (tree.kind === 'list' || tree.kind === 'set' || tree.kind === 'tuple') {
    // A list in a list or a set is part of it.
    const flat = tree.items.map(topDown).flatMap((child) => (child.kind === 'list' ? child.items : [child]));
    return { ...tree, items: flat };
  }
  return ['combination', 'interval', 'quantity'].includes(tree.kind) ? mapChildren(tree, topDown) : tree;
}

/** −5% is minus five, in percent. */
function signOutside(tree: OfKind<'product'>): Tree {
  const [first, second, ...rest] = tree.items;
  const isMinus = first?.kind === 'number' && first.value.over === -1n && first.value.under === 1n;
  if (!isMinus || !second || rest.length > 0) return expandPlusMinus(tree);
  const inner = topDown(second);
  if (inner.kind === 'percent' || inner.kind === 'quantity') return { ...inner, value: negate(inner.value) };
  return expandPlusMinus(tree);
}

function isPlusMinus(tree: Tree): tree is OfKind<'call'> {
  return tree.kind === 'call' && (tree.name === 'plusMinus' || tree.name === 'minusPlus');
}

function hasPlusMinus(tree: Tree): boolean {
  return someTree(tree, isPlusMinus);
}

/** `a ± b`: both, with all its signs turned at once. */
function expandPlusMinus(tree: Tree): Tree {
  if (!hasPlusMinus(tree)) return tree;
  const rotate = (isUpper: boolean) =>
    mapTree(tree, (each) => {
      if (!isPlusMinus(each) || !each.items[0]) return each;
      return (each.name === 'plusMinus') === isUpper ? each.items[0] : negate(each.items[0]);
    });
  return { kind: 'list', items: [rotate(true), rotate(false)], joiner: 'and' };
}

/** `x = ±2` is two equations. */
function toEquations(tree: OfKind<'relation'>): Tree {
  const last = tree.sides.at(-1);
  if (last?.kind !== 'list' || tree.operators.some((operator) => operator !== '=')) return tree;
  const items = last.items.map((item): Tree => ({ ...tree, sides: [...tree.sides.slice(0, -1), item] }));
  return { ...last, items };
}

/** Arithmetic is done with expressions, and with vectors inside functions that take them. */
function isWellFormed(tree: Tree): boolean {
  const children = childrenOf(tree);
  if (!isExpression(tree) || tree.kind === 'big') return children.every(isWellFormed);
  const isOfVectors =
    tree.kind === 'call' && ['det', 'norm', 'abs', 'tr', 'vec', 'overrightarrow'].includes(tree.name);
  if (tree.kind === 'call' && tree.name === 'cases') return children.every(isWellFormed);
  const isPoint = tree.kind === 'product' && tree.items.length === 2 && tree.items[1]?.kind === 'tuple';
  const allows = (child: Tree) => isExpression(child) || ((isOfVectors || isPoint) && isVector(child));
  return children.every((child) => allows(child) && isWellFormed(child));
}

function isVector({ kind }: Tree): boolean {
  return kind === 'matrix' || kind === 'tuple';
}
