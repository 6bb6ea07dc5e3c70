/**
 * What an answer is once it has been read: a small typed tree. Quotients are powers of −1 and differences are products
 * with −1, so that there is one way to say a thing. It knows nothing of LaTeX, nor of what equals what.
 */
import { minusOne, type Rational, rational } from './exact/rational.ts';

export type Relation = '=' | '<' | '≤' | '>' | '≥' | '≠' | '∈' | '≡' | '∼';

/** What can be calculated. */
type Expression =
  /** `decimals`: how many were written; null for what is exact. */
  | { readonly kind: 'number'; readonly value: Rational; readonly decimals: number | null }
  | { readonly kind: 'constant'; readonly name: 'pi' | 'e' | 'i' | 'infinity' }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'sum'; readonly items: readonly Tree[] }
  | { readonly kind: 'product'; readonly items: readonly Tree[] }
  | { readonly kind: 'power'; readonly base: Tree; readonly exponent: Tree }
  /** Functions that are known, and those that are not. */
  | { readonly kind: 'call'; readonly name: string; readonly items: readonly Tree[] }
  /** ∑, ∏, ∫, lim over a variable that is bound in its body. */
  | {
      readonly kind: 'big';
      readonly operator: string;
      readonly variable: string;
      readonly items: readonly [lower: Tree, upper: Tree, body: Tree];
    };

export type Unit = {
  /** The measured dimension: two units of one dimension can be converted. */
  readonly dimension: string;
  readonly factor: Rational;
  readonly name: string;
  /** One letter right behind its number: it may be a variable, so that it cannot be left out. */
  readonly isLetter?: true;
};

type Compound =
  | { readonly kind: 'quantity'; readonly value: Tree; readonly unit: Unit }
  | { readonly kind: 'percent'; readonly value: Tree }
  | { readonly kind: 'residue'; readonly value: Tree; readonly modulus: Tree }
  /** Digits to a base, as in `52_8`; `value` is what they say. */
  | { readonly kind: 'based'; readonly digits: string; readonly base: number; readonly value: Rational }
  | {
      readonly kind: 'tuple';
      readonly items: readonly Tree[];
      readonly brackets: 'round' | 'square' | 'angle';
    }
  /** Several answers without brackets. */
  | { readonly kind: 'list'; readonly items: readonly Tree[]; readonly joiner: 'comma' | 'and' | 'or' }
  | { readonly kind: 'set'; readonly items: readonly Tree[] }
  | {
      readonly kind: 'interval';
      readonly low: Tree;
      readonly high: Tree;
      readonly isLowOpen: boolean;
      readonly isHighOpen: boolean;
    }
  | { readonly kind: 'domain'; readonly name: string }
  | {
      readonly kind: 'combination';
      readonly operator: 'union' | 'intersection' | 'difference';
      readonly items: readonly Tree[];
    }
  | { readonly kind: 'matrix'; readonly rows: readonly (readonly Tree[])[] }
  | { readonly kind: 'relation'; readonly sides: readonly Tree[]; readonly operators: readonly Relation[] }
  | { readonly kind: 'ratio'; readonly items: readonly Tree[] }
  | { readonly kind: 'choice'; readonly letter: string }
  /** Minutes after midnight may have seconds as a fraction; `half` is null where neither a.m. nor p.m. is said. */
  | { readonly kind: 'time'; readonly seconds: number; readonly half: 'am' | 'pm' | null }
  | { readonly kind: 'date'; readonly year: number | null; readonly month: number; readonly day: number }
  | { readonly kind: 'text'; readonly text: string };

export type Tree = Expression | Compound;
export type OfKind<K extends Tree['kind']> = Extract<Tree, { kind: K }>;

const expressionKinds = ['number', 'constant', 'symbol', 'sum', 'product', 'power', 'call', 'big'];

export function isExpression(tree: Tree): tree is Expression {
  return expressionKinds.includes(tree.kind);
}

export function exact(value: Rational): Tree {
  return { kind: 'number', value, decimals: null };
}

export function integer(value: number): Tree {
  return exact(rational(BigInt(value)));
}

export function symbol(name: string): Tree {
  return { kind: 'symbol', name };
}

export function sum(items: readonly Tree[]): Tree {
  return items.length === 1 && items[0] ? items[0] : { kind: 'sum', items };
}

export function product(items: readonly Tree[]): Tree {
  return items.length === 1 && items[0] ? items[0] : { kind: 'product', items };
}

export function power(base: Tree, tree: Tree): Tree {
  return { kind: 'power', base, exponent: tree };
}

export function call(name: string, ...items: readonly Tree[]): Tree {
  return { kind: 'call', name, items };
}

export function negate(tree: Tree): Tree {
  if (tree.kind === 'number') return { ...tree, value: { over: -tree.value.over, under: tree.value.under } };
  return product([exact(minusOne), tree]);
}

export function quotient(over: Tree, tree: Tree): Tree {
  return product([over, power(tree, exact(minusOne))]);
}

export function difference(a: Tree, b: Tree): Tree {
  return sum([a, negate(b)]);
}

/** The name of what a sum, an integral or a limit goes over, whatever it was called. */
export const boundName = '\ue000bound';

/** Whether the tree contains a name that is not bound. */
export function hasNames(tree: Tree): boolean {
  return someTree(tree, (each) => each.kind === 'symbol' && each.name !== boundName);
}

export const infinity: Tree = { kind: 'constant', name: 'infinity' };

/** The trees right below. */
export function childrenOf(tree: Tree): readonly Tree[] {
  switch (tree.kind) {
    case 'power':
      return [tree.base, tree.exponent];
    case 'interval':
      return [tree.low, tree.high];
    case 'quantity':
    case 'percent':
      return [tree.value];
    case 'residue':
      return [tree.value, tree.modulus];
    case 'matrix':
      return tree.rows.flat();
    case 'relation':
      return tree.sides;
    default:
      return 'items' in tree ? tree.items : [];
  }
}

/** The same with other trees right below, in the order of `childrenOf`. */
function withChildren(tree: Tree, children: readonly Tree[]): Tree {
  const [first = tree, second = tree, third = tree] = children;
  switch (tree.kind) {
    case 'power':
      return { ...tree, base: first, exponent: second };
    case 'interval':
      return { ...tree, low: first, high: second };
    case 'quantity':
    case 'percent':
      return { ...tree, value: first };
    case 'residue':
      return { ...tree, value: first, modulus: second };
    case 'matrix': {
      let next = 0;
      return { ...tree, rows: tree.rows.map((row) => row.map(() => children[next++] ?? tree)) };
    }
    case 'relation':
      return { ...tree, sides: children };
    case 'big':
      return { ...tree, items: [first, second, third] };
    default:
      return 'items' in tree ? ({ ...tree, items: children } as Tree) : tree;
  }
}

/** The same tree with each child changed. */
export function mapChildren(tree: Tree, change: (tree: Tree) => Tree): Tree {
  const children = childrenOf(tree);
  return children.length === 0 ? tree : withChildren(tree, children.map(change));
}

/** Bottom up. */
export function mapTree(tree: Tree, change: (tree: Tree) => Tree): Tree {
  return change(mapChildren(tree, (child) => mapTree(child, change)));
}

export function someTree(tree: Tree, test: (tree: Tree) => boolean): boolean {
  return test(tree) || childrenOf(tree).some((child) => someTree(child, test));
}
