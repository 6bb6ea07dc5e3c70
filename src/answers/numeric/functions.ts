/** Functions of real numbers, as doubles; NaN is "has no real value here". */
import { someTree, type Tree } from '../tree.ts';
import { hash } from './points.ts';

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

export function jumps(name: string): boolean {
  return Object.hasOwn(whole, name);
}

export function realCall(name: string, values: readonly number[], tree: Tree): number {
  const [first = Number.NaN, second = Number.NaN] = values;
  if (Object.hasOwn(whole, name) && values.length > 0) return whole[name]?.(values) ?? Number.NaN;
  const isConjugate = name === 'overline' || name === 'bar';
  if (Object.hasOwn(unary, name) && values.length === 1 && !(isConjugate && hasName(tree)))
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

/** A name under a bar may be a mean, a segment, a complex number: it is not the name itself. */
function hasName(tree: Tree): boolean {
  return someTree(tree, ({ kind }) => kind === 'symbol');
}

export function realPower(base: number, exponent: number): number {
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
