/**
 * Assignments, equations, inequalities and memberships. A name may be left out; an equation may be multiplied by a
 * number; an inequality in one name is the set of its solutions.
 */
import { canonical, keyOf } from '../canonical.ts';
import { minusOne } from '../exact/rational.ts';
import { evaluate } from '../numeric/evaluate.ts';
import { hasNames } from '../numeric/meeting.ts';
import { pointOf, rounds } from '../numeric/points.ts';
import { realField } from '../numeric/real.ts';
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
import { different, type Judgement, same } from '../verdict.ts';
import { assignmentIn, isName } from './assignment.ts';
import {
  complement,
  endOf,
  everything,
  highest,
  joined,
  lowest,
  merged,
  type Piece,
  piecesOf,
} from './pieces.ts';
import type { Context, Rule } from './rule.ts';
import { samePieces } from './sets.ts';

export const relations: Rule = (gold, reply, context) => {
  if ([gold, reply].some((tree) => isCondition(tree) || builtFrom(tree)))
    return conditions(gold, reply, context);
  if (gold.kind !== 'relation' && reply.kind !== 'relation') return null;
  const [x, y] = [membershipIn(gold), membershipIn(reply)];
  if (x || y) return memberships(x, y, { gold, reply }, context);
  return equations(gold, reply, context);
};

function isCondition(tree: Tree): boolean {
  return (
    isInequality(tree) || (tree.kind === 'list' && tree.joiner !== 'comma' && tree.items.every(isInequality))
  );
}

/** The condition of `\{x \mid …\}`. */
function builtFrom(tree: Tree): Tree | null {
  const [only] = tree.kind === 'combination' && tree.items.length === 1 ? tree.items : [];
  return only && isCondition(only) ? only : null;
}

type Sides = { readonly gold: Tree; readonly reply: Tree };

/** At least one is an inequality, or some with "and" or "or". */
function conditions(gold: Tree, reply: Tree, context: Context): Judgement | null {
  const [x, y] = [builtFrom(gold) ?? gold, builtFrom(reply) ?? reply];
  const [isGold, isReply] = [isCondition(x), isCondition(y)];
  if (
    !isCondition(gold) &&
    isCondition(reply) &&
    !context.options.allowSetRelation &&
    context.relation === 'gold'
  ) {
    return different('inequality', 'the gold answer is a set, the reply an inequality');
  }
  const [a, b] = [solutionOf(x, context), solutionOf(y, context)];
  if (isGold && isReply) {
    if (a && b) {
      const isSameName = a.name === b.name || !context.options.strict;
      return isSameName
        ? renamed(samePieces(a.pieces, b.pieces, context))
        : different('inequality', 'other names');
    }
    return links(x, y, context);
  }
  const [solution, other] = isGold ? [a, y] : [b, x];
  const membership = membershipIn(other);
  const pieces = piecesOf(membership?.set ?? other, context);
  if (!solution || !pieces) return different('inequality', `an inequality is no ${other.kind}`);
  if (membership && membership.name !== solution.name && context.options.strict) {
    return different('inequality', 'other names');
  }
  return renamed(
    isGold ? samePieces(solution.pieces, pieces, context) : samePieces(pieces, solution.pieces, context),
  );
}

function renamed(judgement: Judgement): Judgement {
  return { ...judgement, rule: 'solutions' };
}

type Membership = { readonly name: string; readonly set: Tree };

function membershipIn(tree: Tree): Membership | null {
  if (tree.kind !== 'relation' || tree.operators.length !== 1 || tree.operators[0] !== '∈') return null;
  const [name, set] = tree.sides;
  return name && set && isName(name) ? { name: keyOf(name), set: asSet(set) } : null;
}

function asSet(tree: Tree): Tree {
  const [low, high] = tree.kind === 'tuple' ? tree.items : [];
  if (tree.kind !== 'tuple' || tree.items.length !== 2 || !low || !high) return tree;
  return { kind: 'interval', low, high, isLowOpen: true, isHighOpen: true };
}

function memberships(
  a: Membership | null,
  b: Membership | null,
  { gold, reply }: Sides,
  context: Context,
): Judgement {
  if (a && b && a.name !== b.name && context.options.strict) return different('membership', 'other names');
  return context.compare(a?.set ?? gold, b?.set ?? reply);
}

function equations(gold: Tree, reply: Tree, context: Context): Judgement {
  const [a, b] = [assignmentIn(gold), assignmentIn(reply)];
  if (a && b) {
    const isSameName = !a.name || !b.name || keyOf(a.name) === keyOf(b.name) || !context.options.strict;
    if (isSameName) return called(context.compare(a.value, b.value));
    return sameFunction(gold, reply, context) ?? asEquations(gold, reply, context);
  }
  if (a && reply.kind !== 'relation') return called(context.compare(a.value, reply));
  if (b && gold.kind !== 'relation') return called(context.compare(gold, b.value));
  return asEquations(gold, reply, context);
}

function called(judgement: Judgement): Judgement {
  return { ...judgement, rule: `value of a name, ${judgement.rule}` };
}

/** `f(x) = x²` and `f(t) = t²`. */
function sameFunction(gold: Tree, reply: Tree, context: Context): Judgement | null {
  const [a, b] = [assignmentIn(gold), assignmentIn(reply)];
  const [f, g] = [a?.name, b?.name];
  if (f?.kind !== 'call' || g?.kind !== 'call' || f.name !== g.name || !a || !b) return null;
  const [from, to] = [g.items[0], f.items[0]];
  if (f.items.length !== 1 || g.items.length !== 1 || from?.kind !== 'symbol' || to?.kind !== 'symbol')
    return null;
  const value = mapTree(b.value, (each) => (each.kind === 'symbol' && each.name === from.name ? to : each));
  return called(context.compare(a.value, value));
}

function asEquations(gold: Tree, reply: Tree, context: Context): Judgement {
  const [a, b] = [zeroForm(gold), zeroForm(reply)];
  if (!a || !b) return different('equation', `${gold.kind} is no ${reply.kind}`);
  const factor = factorBetween(a, b, context);
  return factor === null
    ? different('equation', 'not a multiple of it')
    : same('equation', 'the same but for a factor');
}

function zeroForm(tree: Tree): Tree | null {
  const [left, right] = tree.kind === 'relation' && tree.operators.join() === '=' ? tree.sides : [];
  return left && right ? difference(left, right) : null;
}

type Link = { readonly form: Tree; readonly operator: Relation };

/** Inequalities in several names: link by link, up to positive factors. */
function links(gold: Tree, reply: Tree, context: Context): Judgement {
  const [a, b] = [linksOf(gold), linksOf(reply)];
  if (a.length !== b.length || a.length === 0) return different('inequality', 'other inequalities');
  const left = new Set(b);
  for (const link of a) {
    const found = [...left].find((other) => isSameLink(link, other, context));
    if (!found) return different('inequality', 'another inequality');
    left.delete(found);
  }
  return same('inequality', 'the same but for positive factors');
}

function linksOf(tree: Tree): readonly Link[] {
  if (tree.kind === 'list') return tree.items.flatMap(linksOf);
  if (tree.kind !== 'relation') return [];
  return tree.operators.flatMap((operator, at) => {
    const [left, right] = [tree.sides[at], tree.sides[at + 1]];
    if (!left || !right) return [];
    if (operator === '>' || operator === '≥') {
      return [{ form: difference(right, left), operator: operator === '>' ? '<' : '≤' } as const];
    }
    return [{ form: difference(left, right), operator }];
  });
}

function isSameLink(a: Link, b: Link, context: Context): boolean {
  if (a.operator !== b.operator) return false;
  const factor = factorBetween(a.form, b.form, context);
  return factor !== null && (factor > 0 || a.operator === '≠');
}

/** The number by which one is a multiple of the other everywhere; null where there is none. */
function factorBetween(a: Tree, b: Tree, context: Context): number | null {
  const { options, work } = context;
  // Without a name it says something of numbers alone, true or false: nothing follows for another such.
  if (!hasNames(a) || !hasNames(b)) return null;
  for (let round = 0; round < rounds; round += 1) {
    const field = realField(round, options.seed);
    const [x, y] = [evaluate(a, field, work), evaluate(b, field, work)];
    if (!x || !y || Math.abs(x.value) < 1e-6 || Math.abs(y.value) < 1e-6) continue;
    const [aThere, bThere] = [a, b].map((tree) => placed(tree, round, options.seed));
    if (!aThere || !bThere) return null;
    const isMultiple = context.compare(product([a, bThere]), product([b, aThere])).isEqual;
    return isMultiple ? x.value / y.value : null;
  }
  return null;
}

function placed(tree: Tree, round: number, seed: number): Tree {
  return mapTree(tree, (each) => (each.kind === 'symbol' ? exact(pointOf(each.name, round, seed)) : each));
}

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
