/**
 * Numbers. Exact ones are equal or not. A decimal that was written with enough places is a rounded number too: it
 * equals the exact value it is the rounding of. Two decimals are not each other's rounding unless the shorter one has
 * enough places.
 */
import {
  add,
  compareRationals,
  magnitude,
  multiply,
  powerOfTen,
  type Rational,
  rational,
  subtract,
} from '../exact/rational.ts';
import type { Tree } from '../tree.ts';
import { different, type Judgement, same } from '../verdict.ts';

/** How many decimals were written; null for what is no plain decimal. */
export function decimalsOf(tree: Tree): number | null {
  return tree.kind === 'number' ? tree.decimals : null;
}

export type Numeral = { readonly value: Rational; readonly decimals: number | null };

/** Both exactly known. */
export function compareNumbers(gold: Numeral, reply: Numeral, precision: number): Judgement {
  if (compareRationals(gold.value, reply.value) === 0) return same('number', 'the same number');
  const [rounded, other] = roundedFirst(gold, reply);
  if (rounded.decimals === null || rounded.decimals < precision) return different('number', 'another number');
  if (other.decimals !== null && other.decimals <= rounded.decimals)
    return different('number', 'other digits');
  // What ends can be written to its end: there is nothing to round.
  if (other.decimals === null && placesOf(other.value) <= rounded.decimals)
    return different('number', 'another number');
  return isRoundingOf(rounded.value, other.value, Math.min(rounded.decimals, Math.max(precision, 1))) &&
    isWithinDigits(rounded.value, other.value, rounded.decimals)
    ? same('rounding', `the same to ${precision} decimals`, 'numeric')
    : different('number', 'another number');
}

/** Decimals of a fraction that ends; infinity for one that goes on. */
function placesOf({ under }: Rational): number {
  let places = 0;
  let rest = under;
  for (; rest % 10n === 0n; rest /= 10n) places += 1;
  for (const prime of [2n, 5n]) for (; rest % prime === 0n; rest /= prime) places += 1;
  return rest === 1n ? places : Number.POSITIVE_INFINITY;
}

function roundedFirst(a: Numeral, b: Numeral): readonly [Numeral, Numeral] {
  if (a.decimals === null) return [b, a];
  return b.decimals === null || a.decimals <= b.decimals ? [a, b] : [b, a];
}

/** Half a unit of the last place that is compared, and never so much that it is a great part of the number itself. */
function isRoundingOf(rounded: Rational, value: Rational, places: number): boolean {
  const distance = magnitude(subtract(rounded, value));
  const ulp = multiply(rational(1n, 2n), powerOfTen(-places));
  const share = add(multiply(rational(5n), powerOfTen(-places)), rational(1n, 1_000n));
  const atMost = multiply(magnitude(value), share);
  return compareRationals(distance, ulp) <= 0 && compareRationals(distance, atMost) <= 0;
}

/** Digits beyond those that are compared are not made up: one unit of the last, for who cut off instead of rounding. */
function isWithinDigits(rounded: Rational, value: Rational, decimals: number): boolean {
  const distance = magnitude(subtract(rounded, value));
  return compareRationals(distance, powerOfTen(-Math.min(decimals, 12))) < 0;
}

/** A rounded number against a value that is known as a double. */
export function isRoundingOfReal(
  rounded: Rational,
  value: number,
  { precision, decimals }: { readonly precision: number; readonly decimals: number },
): boolean {
  const at = Number(rounded.over) / Number(rounded.under);
  const distance = Math.abs(at - value);
  return (
    distance <= 0.5 * 10 ** -precision * (1 + 1e-9) &&
    distance <= Math.abs(value) * (5 * 10 ** -precision + 1e-3) &&
    // As far as doubles tell.
    distance <= 10 ** -Math.min(decimals, 12) + Math.abs(value) * 1e-13
  );
}
