/**
 * Real numbers, as doubles with a bound of their error. What leaves the reals on the way has no value: the root of a
 * negative number, its logarithm. So √x·√y and √(xy) are compared where both are real, and not across the cuts of
 * complex functions. They are compared at points that depend on the seed, the round and the name alone, so that two
 * expressions meet at the same ones.
 */
import { type Rational, rational, toNumber } from '../exact/rational.ts';
import { hasNames, type Tree } from '../tree.ts';
import type { Field } from './evaluate.ts';

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
    power: (base, tree, valueHere) => {
      const power = valueHere(tree);
      return power === null ? null : through(([x = 0, y = 0]) => realPower(x, y), [base, power]);
    },
    call: (name, values, tree) => {
      const apply = (at: readonly number[]) => realCall(name, at, tree);
      if (!Object.hasOwn(whole, name)) return through(apply, values);
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
    extrapolate: (values, order) => {
      let row = values.map(({ value }) => value);
      let step = Number.POSITIVE_INFINITY;
      for (let factor = 2 ** order; row.length > 1; factor *= 2 ** order) {
        const next = row.slice(1).map((later, at) => later + (later - (row[at] ?? later)) / (factor - 1));
        step = Math.abs((next.at(-1) ?? 0) - (row.at(-1) ?? 0));
        row = next;
      }
      // If the steps converge, the remaining error is a small part of the last step.
      return kept(row[0] ?? Number.NaN, 2 * Math.max(...values.map(({ error }) => error)) + step / 4);
    },
  };
}

function kept(value: number, error: number): Real | null {
  const total = error + Math.abs(value) * epsilon;
  return Number.isFinite(value) && Number.isFinite(error) ? { value, error: total } : null;
}

/** How far the value moves when its arguments move by their errors. */
function through(apply: (values: readonly number[]) => number, values: readonly Real[]): Real | null {
  const at = values.map(({ value }) => value);
  const result = apply(at);
  if (!Number.isFinite(result)) return null;
  let error = 4 * Math.abs(result) * epsilon;
  for (const [index, argument] of values.entries()) {
    for (const shift of [argument.value + argument.error, argument.value - argument.error]) {
      const distance = Math.abs(apply(at.with(index, shift)) - result);
      // Beyond the edge of where it is defined nothing is known of it, and nothing is gained by asking.
      if (Number.isFinite(distance)) error = Math.max(error, 2 * distance);
    }
  }
  return kept(result, error);
}

const unary: Readonly<Record<string, (value: number) => number>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  cot: (x) => 1 / Math.tan(x),
  sec: (x) => 1 / Math.cos(x),
  csc: (x) => 1 / Math.sin(x),
  arcsin: Math.asin,
  arccos: Math.acos,
  arctan: Math.atan,
  arccot: (x) => Math.PI / 2 - Math.atan(x),
  arcsec: (x) => Math.acos(1 / x),
  arccsc: (x) => Math.asin(1 / x),
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  coth: (x) => 1 / Math.tanh(x),
  arsinh: Math.asinh,
  arcosh: Math.acosh,
  artanh: Math.atanh,
  ln: (x) => (x > 0 ? Math.log(x) : Number.NaN),
  abs: Math.abs,
  re: (x) => x,
  im: () => 0,
  overline: (x) => x,
  bar: (x) => x,
  degrees: (x) => (x * Math.PI) / 180,
  percent: (x) => x / 100,
};

/** They jump: what a value that is a little off gives says nothing of their error. */
const whole: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sign: ([x = Number.NaN]) => Math.sign(x),
  floor: ([x = Number.NaN]) => Math.floor(x),
  ceil: ([x = Number.NaN]) => Math.ceil(x),
  factorial: ([x = Number.NaN]) => product(x, 1),
  doubleFactorial: ([x = Number.NaN]) => product(x, 2),
  gcd: (values) => values.reduce(commonDivisor),
  lcm: (values) => values.reduce((a, b) => Math.abs(a * b) / commonDivisor(a, b)),
};

function realCall(name: string, values: readonly number[], tree: Tree): number {
  const [first = Number.NaN, second = Number.NaN] = values;
  if (Object.hasOwn(whole, name) && values.length > 0) return whole[name]?.(values) ?? Number.NaN;
  // A name under a bar may be a mean, a segment, a complex number: it is not the name itself.
  const isConjugate = name === 'overline' || name === 'bar';
  if (Object.hasOwn(unary, name) && values.length === 1 && !(isConjugate && hasNames(tree)))
    return unary[name]?.(first) ?? Number.NaN;
  if (name === 'log' && first > 0)
    return Math.log(first) / (values.length === 1 ? Math.LN10 : Math.log(second));
  if (name === 'log') return Number.NaN;
  if (name === 'root' && values.length === 2) return realRoot(first, second);
  if (name === 'binomial' && values.length === 2) return binomial(first, second);
  if (name === 'max') return Math.max(...values);
  if (name === 'min') return Math.min(...values);
  return unknownFunction(`${name}/${values.length}/${tree.kind}`, values);
}

function realPower(base: number, exponent: number): number {
  const result = base ** exponent;
  // Nothing to the power of nothing or less has no value; what became too small for a double has one that is lost.
  return result === 0 ? (base === 0 && exponent > 0 ? 0 : Number.NaN) : base === 0 ? Number.NaN : result;
}

/** Odd roots of negative numbers are real. */
function realRoot(radicand: number, degree: number): number {
  if (radicand < 0 && Number.isInteger(degree) && degree % 2 !== 0) return -((-radicand) ** (1 / degree));
  return degree === 3 ? Math.cbrt(radicand) : radicand ** (1 / degree);
}

function product(value: number, step: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 400) return Number.NaN;
  let result = 1;
  for (let factor = value; factor > 1; factor -= step) result *= factor;
  return result;
}

function binomial(over: number, under: number): number {
  if (!Number.isInteger(under) || under < 0 || under > 400) return Number.NaN;
  let result = 1;
  for (let at = 1; at <= under; at += 1) result *= (over - under + at) / at;
  return Number.isInteger(over) && Math.abs(result) < 2 ** 53 ? Math.round(result) : result;
}

function commonDivisor(a: number, b: number): number {
  if (!Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return Number.NaN;
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y > 0) [x, y] = [y, x % y];
  return x;
}

/** Some smooth function of its own for each name. */
export function unknownFunction(name: string, values: readonly number[]): number {
  let result = 1 + (hash(name) % 1_000) / 1_000;
  for (const [at, value] of values.entries()) {
    const turn = (hash(`${name}#${at}`) % 1_000) / 500 + 0.3;
    result += Math.sin(value * turn + at) / (1 + at) + value / (7 + at);
  }
  return result;
}

export const rounds = 14;
/** Rounds in which both sides must have a value before they are called equal. */
export const needed = 4;

/** Rounds differ in sign and size, and some are whole numbers. */
export function pointOf(name: string, round: number, seed: number): Rational {
  const chance = hash(`${seed}/${round}/${name}`);
  const part = BigInt(1 + (chance % 9_973));
  switch (round % 7) {
    case 0:
      return rational(part + 3_000n, 9_973n);
    case 1:
      return rational(-part - 2_000n, 9_973n);
    case 2:
      return rational(part, 9_973n);
    case 3:
      return rational(3n * part + 12_000n, 9_973n);
    case 4:
      return rational(BigInt(2 + (chance % 11)));
    case 5:
      return rational(chance % 2 === 0 ? part : -part, 4_001n);
    default:
      return rational(BigInt(3 + (chance % 23)) + BigInt(round));
  }
}

/** FNV-1a, mixed once more: its low bits decide. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  value = Math.imul(value ^ (value >>> 12), 0x297a2d39);
  return (value ^ (value >>> 15)) >>> 0;
}
