/**
 * Assignments, equations, inequalities and memberships. A name may be left out; an equation may be multiplied by a
 * number; an inequality in one name is the set of its solutions.
 */
import { keyOf } from '../canonical.ts';
import { evaluate } from '../numeric/evaluate.ts';
import { hasNames } from '../numeric/meeting.ts';
import { pointOf, rounds } from '../numeric/points.ts';
import { realField } from '../numeric/real.ts';
import { difference, exact, mapTree, product, type Relation, type Tree } from '../tree.ts';
import { different, type Judgement, same } from '../verdict.ts';
import { assignmentIn, isName } from './assignment.ts';
import { isInequality, solutionOf } from './inequality.ts';
import { piecesOf } from './pieces.ts';
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
