/**
 * Assignments, equations, inequalities and memberships. A name may be left out; an equation may be multiplied by a
 * number; an inequality in one name is the set of its solutions.
 */
import { canonical, keyOf } from '../canonical.ts';
import { minusOne } from '../exact/rational.ts';
import { evaluate } from '../numeric/evaluate.ts';
import { pointOf, realField, rounds } from '../numeric/real.ts';
import { different, type Judgement, same } from '../options.ts';
import {
  childrenOf,
  difference,
  exact,
  hasNames,
  integer,
  isExpression,
  mapChildren,
  mapTree,
  type OfKind,
  product,
  quotient,
  type Relation,
  sum,
  symbol,
  type Tree,
} from '../tree.ts';
import { type Assignment, assignmentIn, isName } from './assignment.ts';
import { type Context, named, type Rule } from './rule.ts';
import {
  compareIntervalSets,
  complement,
  type End,
  endOf,
  everything,
  highest,
  type Intervals,
  joined,
  lowest,
  merged,
  toIntervals,
} from './sets.ts';

export const relations: Rule = (gold, reply, context) => {
  if ([gold, reply].some((tree) => isCondition(tree) || builtFrom(tree)))
    return conditions(gold, reply, context);
  if (gold.kind !== 'relation' && reply.kind !== 'relation') return null;
  const [a, b] = [parseMembership(gold), parseMembership(reply)];
  if (!a && !b) return equations(gold, reply, context);
  if (a && b && a.name !== b.name && context.options.strict) return different('membership', 'other names');
  return context.compare(a?.set ?? gold, b?.set ?? reply);
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

/** At least one is an inequality, or some with "and" or "or". */
function conditions(gold: Tree, reply: Tree, context: Context): Judgement | null {
  const { relation, options } = context;
  const isAllowed = options.allowSetRelation || relation !== 'gold';
  if (!isAllowed && !isCondition(gold) && isCondition(reply))
    return different('inequality', 'the gold answer is a set, the reply an inequality');
  const [x, y] = [builtFrom(gold) ?? gold, builtFrom(reply) ?? reply];
  const [a, b] = [solveInequality(x, context), solveInequality(y, context)];
  const compared = (one: Solution, solution: Solution) =>
    one.name === solution.name || !options.strict
      ? { ...compareIntervalSets(one.pieces, solution.pieces, context), rule: 'solutions' }
      : different('inequality', 'other names');
  const isGold = isCondition(x);
  if (isGold && isCondition(y)) return a && b ? compared(a, b) : links(x, y, context);
  const [solution, other] = isGold ? [a, y] : [b, x];
  const membership = parseMembership(other);
  const parts = toIntervals(membership?.set ?? other, context);
  if (!solution || !parts) return different('inequality', `an inequality is no ${other.kind}`);
  const set = { name: membership?.name ?? solution.name, pieces: parts };
  return isGold ? compared(solution, set) : compared(set, solution);
}

function parseMembership(tree: Tree) {
  if (tree.kind !== 'relation' || tree.operators.length !== 1 || tree.operators[0] !== '∈') return null;
  const [name, set] = tree.sides;
  return name && set && isName(name) ? { name: keyOf(name), set: asSet(set) } : null;
}

function asSet(tree: Tree): Tree {
  const [low, high] = tree.kind === 'tuple' ? tree.items : [];
  if (tree.kind !== 'tuple' || tree.items.length !== 2 || !low || !high) return tree;
  return { kind: 'interval', low, high, isLowOpen: true, isHighOpen: true };
}

function equations(gold: Tree, reply: Tree, context: Context): Judgement {
  const [a, b] = [assignmentIn(gold), assignmentIn(reply)];
  if (a && b) {
    const isSameName = !a.name || !b.name || keyOf(a.name) === keyOf(b.name) || !context.options.strict;
    const [isFirst, isSecond] = [a, b].map(({ value }) => value.kind === 'residue');
    if (isFirst !== isSecond) return different('modulus', 'only one of them is taken modulo something');
    if (isSameName) return markAsValue(context.compare(a.value, withParameter(b.value, a.value)));
    return sameFunction(a, b, context) ?? compareAsEquations(gold, reply, context);
  }
  if (a && reply.kind !== 'relation') return markAsValue(context.compare(a.value, reply));
  if (b && gold.kind !== 'relation') return markAsValue(context.compare(gold, b.value));
  const [said, told] = [gold, reply].map((tree) => relationValue(tree, context));
  if (said && told) return markAsValue(context.compare(said, told));
  return compareAsEquations(gold, reply, context);
}

/** `(3x)(4x^2) = 12x^3` says what comes of a calculation; `x^2 = 4` does not. */
function relationValue(tree: Tree, { compare }: Context): Tree | null {
  if (tree.kind !== 'relation') return tree;
  const [left, right] = tree.sides;
  if (!left || !right || tree.operators.join() !== '=' || ![left, right].every(isExpression)) return null;
  return compare(left, right).equal ? right : null;
}

/** `n = 4k + 1` and `n = 4m + 1`: a letter for any whole number may be another one. */
function withParameter(tree: Tree, as: Tree): Tree {
  const [from, to] = [variableName(tree), variableName(as)];
  const isParameter = (name: Tree | null) => name?.kind === 'symbol' && /^[klmnt]$/.test(name.name);
  if (!from || !to || !isParameter(from) || !isParameter(to)) return tree;
  return mapTree(tree, (each) => (keyOf(each) === keyOf(from) ? to : each));
}

function markAsValue(judgement: Judgement): Judgement {
  return named('value of a name', judgement);
}

/** `f(x) = x²` and `f(t) = t²`. */
function sameFunction(a: Assignment, b: Assignment, { compare }: Context): Judgement | null {
  const [f, g] = [a.name, b.name];
  if (f?.kind !== 'call' || g?.kind !== 'call' || f.name !== g.name) return null;
  if (f.items.length !== 1 || g.items.length !== 1) return null;
  const [from, to] = [g.items[0], f.items[0]];
  if (from?.kind !== 'symbol' || to?.kind !== 'symbol') return null;
  const value = mapTree(b.value, (each) => (each.kind === 'symbol' && each.name === from.name ? to : each));
  return markAsValue(compare(a.value, value));
}

function compareAsEquations(gold: Tree, reply: Tree, context: Context): Judgement {
  const [a, b] = [gold, reply].map((tree) => {
    const [left, right] = tree.kind === 'relation' && tree.operators.join() === '=' ? tree.sides : [];
    return left && right && difference(left, right);
  });
  if (!a || !b) return different('equation', `${gold.kind} is no ${reply.kind}`);
  return factorBetween(a, b, context) === null
    ? different('equation', 'not a multiple of it')
    : same('equation', 'the same but for a factor');
}

type Link = { readonly form: Tree; readonly operator: Relation };

/** Inequalities in several names: link by link, up to positive factors. */
function links(gold: Tree, reply: Tree, context: Context): Judgement {
  const [a, b] = [chainLinks(gold), chainLinks(reply)];
  if (a.length !== b.length || a.length === 0) return different('inequality', 'other inequalities');
  const left = new Set(b);
  for (const link of a) {
    const found = [...left].find((other) => isSameLink(link, other, context));
    if (!found) return different('inequality', 'another inequality');
    left.delete(found);
  }
  return same('inequality', 'the same but for positive factors');
}

function chainLinks(tree: Tree): readonly Link[] {
  if (tree.kind === 'list') return tree.items.flatMap(chainLinks);
  if (tree.kind !== 'relation') return [];
  return tree.operators.flatMap((operator, at): Link[] => {
    const [left, right] = [tree.sides[at], tree.sides[at + 1]];
    if (!left || !right) return [];
    const isTurned = operator === '>' || operator === '≥';
    if (!isTurned) return [{ form: difference(left, right), operator }];
    return [{ form: difference(right, left), operator: operator === '>' ? '<' : '≤' }];
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
    const there = (tree: Tree) =>
      mapTree(tree, (each) =>
        each.kind === 'symbol' ? exact(pointOf(each.name, round, options.seed)) : each,
      );
    const isMultiple = context.compare(product([a, there(b)]), product([b, there(a)])).equal;
    return isMultiple ? x.value / y.value : null;
  }
  return null;
}

type Solution = { readonly name: string; readonly pieces: Intervals };

const unknown = symbol('\ue000unknown');

function isInequality(tree: Tree): tree is OfKind<'relation'> {
  return tree.kind === 'relation' && tree.operators.every((operator) => '<≤>≥≠'.includes(operator));
}

/** `1 < x ≤ 3`, `|x| > 2`, and several of them with "and" or "or". Null where it is beyond what is solved here. */
function solveInequality(tree: Tree, context: Context): Solution | null {
  if (tree.kind === 'list') return solutionOfList(tree, context);
  if (!isInequality(tree)) return null;
  const name = variableName(tree);
  if (!name) return null;
  let parts = everything;
  for (const [at, operator] of tree.operators.entries()) {
    const [left, right] = [tree.sides[at], tree.sides[at + 1]];
    const part = left && right ? solved(difference(left, right), operator, name, context) : null;
    if (!part) return null;
    parts = joined('intersection', parts, part, context);
  }
  const size = name.kind === 'call' && name.name === 'abs' ? name.items[0] : undefined;
  if (size?.kind !== 'symbol') return { name: keyOf(name), pieces: parts };
  return { name: keyOf(size), pieces: mirrorIntervals(parts, context) };
}

function solutionOfList(tree: OfKind<'list'>, context: Context): Solution | null {
  const parts = tree.items.map((item) => (isInequality(item) ? solveInequality(item, context) : null));
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
function variableName(tree: Tree): Tree | null {
  const found = new Map<string, Tree>();
  const poll = (each: Tree): void => {
    const isAtom = each.kind === 'symbol' || (each.kind === 'call' && isName(each) && hasNames(each));
    if (isAtom) found.set(keyOf(each), each);
    else for (const child of childrenOf(each)) poll(child);
  };
  poll(tree);
  const [only] = found.values();
  return found.size === 1 && only ? only : null;
}

/** Where `form` stands in the relation to zero: a line through two of its points, and a third to see that it is one. */
function solved(form: Tree, operator: Relation, name: Tree, context: Context): Intervals | null {
  const key = keyOf(name);
  // Top down, so that a name inside a name is left alone.
  const lifted = (tree: Tree): Tree => (keyOf(tree) === key ? unknown : mapChildren(tree, lifted));
  const line = lifted(form);
  const at = (value: number) =>
    canonical(
      mapTree(line, (each) => (each === unknown ? integer(value) : each)),
      context.work,
    );
  const [zero, one, two] = [at(0), at(1), at(2)];
  const slope = difference(one, zero);
  if (!context.compare(sum([two, zero]), product([integer(2), one])).equal) return null;
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

/** |x| lies in these pieces: so x does, or −x. */
function mirrorIntervals(parts: Intervals, context: Context): Intervals {
  const zero = endOf(integer(0), false, context);
  if (!zero) return parts;
  const opposite = (end: End) => endOf(product([exact(minusOne), end.tree]), end.isOpen, context) ?? end;
  const positive = joined('intersection', parts, [{ low: zero, high: highest }], context);
  const negative = positive.map(({ low, high }) => ({ low: opposite(high), high: opposite(low) }));
  return merged([...positive, ...negative], context);
}
