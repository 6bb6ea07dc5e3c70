/**
 * Real numbers, as doubles. What leaves the reals on the way has no value: the root of a negative number, its
 * logarithm. So √x·√y and √(xy) are compared where both are real, and not across the cuts of complex functions.
 */
import { toNumber } from '../exact/rational.ts';
import type { Tree } from '../tree.ts';
import type { Field } from './evaluate.ts';
import { hash, pointOf } from './points.ts';

export type RealField = Field<number> & {
  /** The largest that was added up: what a difference must be measured against. */
  readonly scale: { largest: number };
};

export function realField(round: number, seed: number): RealField {
  const scale = { largest: 0 };
  const kept = (value: number) => {
    if (!Number.isFinite(value)) return null;
    scale.largest = Math.max(scale.largest, Math.abs(value));
    return value;
  };
  return {
    scale,
    number: ({ value }) => kept(toNumber(value)),
    constant: (name) => (name === 'pi' ? Math.PI : name === 'e' ? Math.E : null),
    symbol: (name) => toNumber(pointOf(name, round, seed)),
    add: (a, b) => kept(a + b),
    multiply: (a, b) => kept(a * b),
    power: (base, exponent, valueHere) => {
      const value = valueHere(exponent);
      return value === null ? null : kept(realPower(base, value));
    },
    call: (name, values, tree) => kept(realCall(name, values, tree)),
    count: (value) => (Number.isSafeInteger(value) ? value : null),
  };
}

function realPower(base: number, exponent: number): number {
  if (base === 0 && exponent <= 0) return Number.NaN;
  return base ** exponent;
}

type Unary = (value: number) => number;

const unary: Readonly<Record<string, Unary>> = {
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
  ln: Math.log,
  exp: Math.exp,
  abs: Math.abs,
  sign: Math.sign,
  floor: Math.floor,
  ceil: Math.ceil,
  re: (x) => x,
  im: () => 0,
  overline: (x) => x,
  factorial: (x) => product(x, 1),
  doubleFactorial: (x) => product(x, 2),
  degrees: (x) => (x * Math.PI) / 180,
  percent: (x) => x / 100,
};

function realCall(name: string, values: readonly number[], tree: Tree): number {
  const [first = Number.NaN, second = Number.NaN] = values;
  const known = Object.hasOwn(unary, name) ? unary[name] : undefined;
  if (known && values.length === 1) return known(first);
  if (name === 'log') return Math.log(first) / (values.length === 1 ? Math.LN10 : Math.log(second));
  if (name === 'root' && values.length === 2) return realRoot(first, second);
  if (name === 'binomial' && values.length === 2) return binomial(first, second);
  if (name === 'max') return Math.max(...values);
  if (name === 'min') return Math.min(...values);
  if (name === 'gcd') return values.reduce(commonDivisor);
  if (name === 'lcm') return values.reduce((a, b) => Math.abs(a * b) / commonDivisor(a, b));
  return unknown(`${name}/${values.length}/${tree.kind}`, values);
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
export function unknown(name: string, values: readonly number[]): number {
  let result = 1 + (hash(name) % 1_000) / 1_000;
  for (const [at, value] of values.entries()) {
    const turn = (hash(`${name}#${at}`) % 1_000) / 500 + 0.3;
    result += Math.sin(value * turn + at) / (1 + at) + value / (7 + at);
  }
  return result;
}
