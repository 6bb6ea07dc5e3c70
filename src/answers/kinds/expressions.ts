/**
 * Expressions, from the surest to the last resort: the same form; exact numbers; decimals; points at which they
 * clearly differ; the same fraction of polynomials; a proof by the algebra library; fifty digits at several points.
 */
import { agreeing, isSafeToEvaluate } from '../algebra/algebra.ts';
import { canonical, keyOf } from '../canonical.ts';
import {
  add,
  compareRationals,
  magnitude,
  multiply,
  powerOfTen,
  type Rational,
  rational,
  subtract,
  toNumber,
} from '../exact/rational.ts';
import { sameFraction } from '../exact/residues.ts';
import { limits, spend } from '../limits.ts';
import { evaluate } from '../numeric/evaluate.ts';
import { compareAtSamples, isComplex, type SampledComparison, sizeAt } from '../numeric/meeting.ts';
import { needed, pointOf, realField, rounds } from '../numeric/real.ts';
import { different, type Judgement, same } from '../options.ts';
import { difference, hasNames, integer, isExpression, someTree, type Tree } from '../tree.ts';
import type { Context, Rule } from './rule.ts';

export const expressions: Rule = (gold, reply, context) => {
  if (!isCalculable(gold) || !isCalculable(reply)) return null;
  const { work, options } = context;
  const [a, b] = [canonical(gold, work), canonical(reply, work)];
  if (a.kind === 'number' && b.kind === 'number') {
    const numerals = [
      { value: a.value, decimals: countDecimals(gold) },
      { value: b.value, decimals: countDecimals(reply) },
    ] as const;
    return compareNumbers(...numerals, options.precision);
  }
  if (keyOf(a) === keyOf(b)) return same('form', 'the same after putting in order');
  return compareRounded(gold, reply, [a, b], context) ?? compared(a, b, context);
};

function isCalculable(tree: Tree): boolean {
  return isExpression(tree) || tree.kind === 'based';
}

/** A decimal against an exact value that is no fraction, such as a root. */
function compareRounded(gold: Tree, reply: Tree, [a, b]: readonly [Tree, Tree], { options, work }: Context) {
  const [decimal, exactForm, count] =
    countDecimals(gold) === null ? [b, a, countDecimals(reply)] : [a, b, countDecimals(gold)];
  if (count === null || decimal.kind !== 'number') return null;
  const value = hasNames(exactForm) ? null : evaluate(exactForm, realField(0, options.seed), work);
  const precision = Math.max(Math.min(options.precision, 13), 1);
  // What an integral or a limit comes to is known by its digits alone.
  const isFound = value && someTree(exactForm, ({ kind }) => kind === 'big') && value.error < 1e-10;
  if (isFound && Math.abs(value.value - toNumber(decimal.value)) <= value.error + 1e-13)
    return same('digits', 'the same to ten digits', 'numeric');
  if (value === null || count < options.precision) return different('number', 'a decimal is not that value');
  return isRoundingOfReal(decimal.value, value.value, precision, count)
    ? same('rounding', `the same to ${options.precision} decimals`, 'numeric')
    : different('number', 'another number', 'numeric');
}

function compared(a: Tree, b: Tree, context: Context): Judgement {
  const meeting = compareAtSamples(a, b, context.options.seed, context.work);
  if (meeting === 'apart') return different('points', 'they differ at a point', 'numeric');
  const fraction = sameFraction(a, b, context.options.seed, context.work);
  if (fraction === 'same') return same('polynomials', 'the same fraction of polynomials');
  if (fraction === 'different' && !isComplex(a) && !isComplex(b))
    return different('polynomials', 'other polynomials');
  // However small it is: what follows looks at so many digits and no more.
  const tree = canonical(difference(a, b), context.work);
  if (sameFraction(tree, integer(0), context.options.seed, context.work) === 'different')
    return different('polynomials', 'they differ by a polynomial that is not zero');
  // An expression too large for the library is also too large for doubles to compare.
  if (!isSafeToEvaluate(a, context.work) || !isSafeToEvaluate(b, context.work)) return undecided;
  return byAlgebra(a, b, context) ?? compareNumerically(a, b, meeting);
}

/** Many digits decide first: what the library calls zero must be none at points either. */
function byAlgebra(a: Tree, b: Tree, context: Context): Judgement | null {
  const { algebra, options, work } = context;
  const library = algebra();
  // Only where both are real: the library goes on into the complex numbers, along branches of its own.
  const digits = atPoints(a, b, (round) => {
    spend(work, limits.algebra.steps);
    const size = sizeAt(a, b, { round, seed: options.seed, work });
    if (size === null) return null;
    const distance = library.distance(a, b, (name) => pointOf(name, round, options.seed));
    return distance === null ? null : distance / size;
  });
  if (digits === 'apart') return different('digits', 'they differ in their digits', 'numeric');
  const zero = canonical(difference(a, b), work);
  if (isSafeToEvaluate(zero, work) && library.isZero(zero))
    return same('algebra', 'their difference is zero');
  return digits === 'together' ? same('digits', `the same to ${agreeing} digits`, 'numeric') : null;
}

/** `distanceAt`: in parts of what is compared. */
function atPoints(a: Tree, b: Tree, distanceAt: (round: number) => number | null): SampledComparison {
  const isConstant = !hasNames(a) && !hasNames(b);
  const sufficient = isConstant ? 1 : needed;
  let met = 0;
  for (let round = 0; round < (isConstant ? 1 : rounds) && met < sufficient; round += 1) {
    const distance = distanceAt(round);
    if (distance === null) continue;
    if (distance > 10 ** -agreeing) return 'apart';
    met += 1;
  }
  return met >= sufficient ? 'together' : 'unknown';
}

/** Functions that the library does not know: doubles must do, and only where no number has many digits. */
function compareNumerically(a: Tree, b: Tree, meeting: SampledComparison): Judgement {
  const isLong = (tree: Tree) =>
    tree.kind === 'number' && `${tree.value.over}${tree.value.under}`.length > 12;
  const isShort = [a, b].every((tree) => !someTree(tree, isLong));
  if (meeting === 'together' && isShort)
    return same('points', 'the same at all points that were tried', 'numeric');
  return undecided;
}

const undecided = different('undecided', 'nothing shows that they are equal', 'numeric');

/** How many decimals were written; null for what is no plain decimal. */
function countDecimals(tree: Tree): number | null {
  return tree.kind === 'number' ? tree.decimals : null;
}

type Numeral = { readonly value: Rational; readonly decimals: number | null };

/** Both exactly known. */
function compareNumbers(gold: Numeral, reply: Numeral, precision: number): Judgement {
  if (compareRationals(gold.value, reply.value) === 0) return same('number', 'the same number');
  const [rounded, other] = orderByPrecision(gold, reply);
  if (rounded.decimals === null || rounded.decimals < precision) return different('number', 'another number');
  if (other.decimals !== null && other.decimals <= rounded.decimals)
    return different('number', 'other digits');
  // A finite decimal needs no rounding.
  if (other.decimals === null && decimalPlaces(other.value) <= rounded.decimals)
    return different('number', 'another number');
  return isRoundingOf(rounded.value, other.value, Math.max(precision, 1), rounded.decimals)
    ? same('rounding', `the same to ${precision} decimals`, 'numeric')
    : different('number', 'another number');
}

/** The decimals of a finite decimal fraction; infinity for a repeating one. */
function decimalPlaces({ under }: Rational): number {
  let count = 0;
  let rest = under;
  for (; rest % 10n === 0n; rest /= 10n) count += 1;
  for (const prime of [2n, 5n]) for (; rest % prime === 0n; rest /= prime) count += 1;
  return rest === 1n ? count : Number.POSITIVE_INFINITY;
}

function orderByPrecision(a: Numeral, b: Numeral): readonly [Numeral, Numeral] {
  if (a.decimals === null) return [b, a];
  return b.decimals === null || a.decimals <= b.decimals ? [a, b] : [b, a];
}

/** Half a unit of the last place that is compared, and never so much that it is a great part of the number itself. */
function isRoundingOf(rounded: Rational, value: Rational, precision: number, decimals: number): boolean {
  const count = Math.min(decimals, precision);
  const distance = magnitude(subtract(rounded, value));
  const ulp = multiply(rational(1n, 2n), powerOfTen(-count));
  const share = add(multiply(rational(5n), powerOfTen(-count)), rational(1n, 1_000n));
  const atMost = multiply(magnitude(value), share);
  // Digits beyond those that are compared are not made up: one unit of the last, for a value that was cut off.
  const last = powerOfTen(-Math.min(decimals, 12));
  const isClose = compareRationals(distance, ulp) <= 0 && compareRationals(distance, atMost) <= 0;
  return isClose && compareRationals(distance, last) < 0;
}

/** A rounded number against a value that is known as a double. */
function isRoundingOfReal(rational: Rational, value: number, precision: number, decimals: number): boolean {
  const at = Number(rational.over) / Number(rational.under);
  const distance = Math.abs(at - value);
  return (
    distance <= 0.5 * 10 ** -precision * (1 + 1e-9) &&
    distance <= Math.abs(value) * (5 * 10 ** -precision + 1e-3) &&
    // As far as doubles tell.
    distance <= 10 ** -Math.min(decimals, 12) + Math.abs(value) * 1e-13
  );
}
