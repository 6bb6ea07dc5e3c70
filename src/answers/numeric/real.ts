/**
 * Real numbers, as doubles with a bound of their error. What leaves the reals on the way has no value: the root of a
 * negative number, its logarithm. So √x·√y and √(xy) are compared where both are real, and not across the cuts of
 * complex functions.
 */
import { toNumber } from '../exact/rational.ts';
import type { Field } from './evaluate.ts';
import { jumps, realCall, realPower } from './functions.ts';
import { pointOf } from './points.ts';

export type Real = { readonly value: number; readonly error: number };

const epsilon = 2 ** -52;

/** `stretch`: how many times as far from zero the points lie. */
export function realField(round: number, seed: number, stretch = 1): Field<Real> {
  return {
    number: ({ value }) => kept(toNumber(value), 0),
    constant: (name) => (name === 'pi' ? kept(Math.PI, 0) : name === 'e' ? kept(Math.E, 0) : null),
    symbol: (name) => kept(toNumber(pointOf(name, round, seed)) * stretch, 0),
    add: (a, b) => kept(a.value + b.value, a.error + b.error),
    multiply: (a, b) =>
      kept(a.value * b.value, Math.abs(a.value) * b.error + Math.abs(b.value) * a.error + a.error * b.error),
    power: (base, exponent, valueHere) => {
      const power = valueHere(exponent);
      return power === null ? null : through(([x = 0, y = 0]) => realPower(x, y), [base, power]);
    },
    call: (name, values, tree) => {
      const apply = (at: readonly number[]) => realCall(name, at, tree);
      if (!jumps(name)) return through(apply, values);
      // An argument that is not known exactly may lie on either side of a jump.
      const settled = values.map(({ value, error }) =>
        Math.abs(value - Math.round(value)) <= error ? Math.round(value) : value,
      );
      return kept(apply(settled), 0);
    },
    hasCounts: true,
    count: ({ value, error }) =>
      error < 0.1 && Number.isSafeInteger(Math.round(value)) && Math.abs(value - Math.round(value)) <= error
        ? Math.round(value)
        : null,
  };
}

function kept(value: number, error: number): Real | null {
  return Number.isFinite(value) && Number.isFinite(error)
    ? { value, error: error + Math.abs(value) * epsilon }
    : null;
}

/** How far the value moves when its arguments move by their errors. */
function through(apply: (values: readonly number[]) => number, values: readonly Real[]): Real | null {
  const at = values.map(({ value }) => value);
  const result = apply(at);
  if (!Number.isFinite(result)) return null;
  let error = 4 * Math.abs(result) * epsilon;
  for (const [index, argument] of values.entries()) {
    for (const moved of [argument.value + argument.error, argument.value - argument.error]) {
      const distance = Math.abs(apply(at.with(index, moved)) - result);
      // Beyond the edge of where it is defined nothing is known of it, and nothing is gained by asking.
      if (Number.isFinite(distance)) error = Math.max(error, 2 * distance);
    }
  }
  return kept(result, error);
}
