/**
 * Expressions, from the surest to the last resort: the same form; exact numbers; decimals; points at which they
 * clearly differ; the same fraction of polynomials; a proof by the algebra library; fifty digits at several points.
 */
import { agreeing } from '../algebra/algebra.ts';
import { isHarmless } from '../algebra/guard.ts';
import { canonical, keyOf } from '../canonical.ts';
import { sameFraction } from '../exact/residues.ts';
import { limits, spend } from '../limits.ts';
import { evaluate } from '../numeric/evaluate.ts';
import { hasNames, isComplex, type Meeting, meet, sizeAt } from '../numeric/meeting.ts';
import { needed, pointOf, rounds } from '../numeric/points.ts';
import { realField } from '../numeric/real.ts';
import { difference, isExpression, someTree, type Tree, whole } from '../tree.ts';
import { different, type Judgement, same } from '../verdict.ts';
import { compareNumbers, decimalsOf, isRoundingOfReal } from './numbers.ts';
import type { Context, Rule } from './rule.ts';

export const expressions: Rule = (gold, reply, context) => {
  if (!isCalculable(gold) || !isCalculable(reply)) return null;
  const { work, options } = context;
  const [a, b] = [canonical(gold, work), canonical(reply, work)];
  if (a.kind === 'number' && b.kind === 'number') {
    const numerals = [
      { value: a.value, decimals: decimalsOf(gold) },
      { value: b.value, decimals: decimalsOf(reply) },
    ] as const;
    return compareNumbers(...numerals, options.precision);
  }
  if (keyOf(a) === keyOf(b)) return same('form', 'the same after putting in order');
  return rounded(gold, reply, { a, b }, context) ?? compared(a, b, context);
};

function isCalculable(tree: Tree): boolean {
  return isExpression(tree) || tree.kind === 'based';
}

type Forms = { readonly a: Tree; readonly b: Tree };

/** A decimal against an exact value that is no fraction, such as a root. */
function rounded(gold: Tree, reply: Tree, { a, b }: Forms, { options, work }: Context): Judgement | null {
  const [decimal, exactForm, places] =
    decimalsOf(gold) === null ? [b, a, decimalsOf(reply)] : [a, b, decimalsOf(gold)];
  if (places === null || decimal.kind !== 'number') return null;
  const value = hasNames(exactForm) ? null : evaluate(exactForm, realField(0, options.seed), work);
  const precision = Math.min(options.precision, 13);
  if (value === null || places < options.precision) return different('number', 'a decimal is not that value');
  return isRoundingOfReal(decimal.value, value.value, { precision: Math.max(precision, 1), decimals: places })
    ? same('rounding', `the same to ${options.precision} decimals`, 'numeric')
    : different('number', 'another number', 'numeric');
}

function compared(a: Tree, b: Tree, context: Context): Judgement {
  const meeting = meet(a, b, context.options.seed, context.work);
  if (meeting === 'apart') return different('points', 'they differ at a point', 'numeric');
  const fraction = sameFraction(a, b, context.options.seed, context.work);
  if (fraction === 'same') return same('polynomials', 'the same fraction of polynomials');
  if (fraction === 'different' && !isComplex(a) && !isComplex(b))
    return different('polynomials', 'other polynomials');
  // However small it is: what follows looks at so many digits and no more.
  const apart = canonical(difference(a, b), context.work);
  if (sameFraction(apart, whole(0), context.options.seed, context.work) === 'different')
    return different('polynomials', 'they differ by a polynomial that is not zero');
  // What is too large for the library is too large for doubles to tell apart.
  if (!isHarmless(a, context.work) || !isHarmless(b, context.work)) return undecided;
  return byAlgebra(a, b, context) ?? byDoubles(a, b, meeting);
}

/** Many digits decide first: what the library calls zero must be none at points either. */
function byAlgebra(a: Tree, b: Tree, context: Context): Judgement | null {
  const { algebra, options, work } = context;
  const library = algebra();
  // Only where both are real: the library goes on into the complex numbers, along branches of its own.
  const digits = atPoints(a, b, (round) => {
    spend(work, limits.algebra.steps);
    const size = sizeAt(a, b, { round, seed: options.seed, work });
    const difference =
      size === null ? null : library.distance(a, b, (name) => pointOf(name, round, options.seed));
    return difference === null || size === null ? null : difference / size;
  });
  if (digits === 'apart') return different('digits', 'they differ in their digits', 'numeric');
  const zero = canonical(difference(a, b), work);
  if (isHarmless(zero, work) && library.isZero(zero)) return same('algebra', 'their difference is zero');
  return digits === 'together' ? same('digits', `the same to ${agreeing} digits`, 'numeric') : null;
}

function atPoints(
  a: Tree,
  b: Tree,
  /** In parts of what is compared. */
  distanceAt: (round: number) => number | null,
): Meeting {
  const isConstant = !hasNames(a) && !hasNames(b);
  const enough = isConstant ? 1 : needed;
  let met = 0;
  for (let round = 0; round < (isConstant ? 1 : rounds) && met < enough; round += 1) {
    const distance = distanceAt(round);
    if (distance === null) continue;
    if (distance > 10 ** -agreeing) return 'apart';
    met += 1;
  }
  return met >= enough ? 'together' : 'unknown';
}

/** Functions that the library does not know: doubles must do, and only where no number has many digits. */
function byDoubles(a: Tree, b: Tree, meeting: Meeting): Judgement {
  const isShort = [a, b].every((tree) => !someTree(tree, hasManyDigits));
  if (meeting === 'together' && isShort)
    return same('points', 'the same at all points that were tried', 'numeric');
  return undecided;
}

const undecided = different('undecided', 'nothing shows that they are equal', 'numeric');

function hasManyDigits(tree: Tree): boolean {
  return tree.kind === 'number' && `${tree.value.over}${tree.value.under}`.length > 12;
}
