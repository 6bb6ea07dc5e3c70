/** Exact fractions of whole numbers, always in lowest terms with a positive denominator. Growth is bounded. */
import { BoundReached, limits } from '../limits.ts';

export type Rational = { readonly over: bigint; readonly under: bigint };

const largest = 10n ** BigInt(limits.resultDigits);

export function rational(over: bigint, under = 1n): Rational {
  if (under === 0n) throw new RangeError('a fraction over zero');
  const sign = under < 0n ? -1n : 1n;
  const common = commonDivisor(absolute(over), absolute(under)) || 1n;
  const result = { over: (sign * over) / common, under: (sign * under) / common };
  if (absolute(result.over) > largest || result.under > largest) throw new BoundReached('digits');
  return result;
}

export const zero = rational(0n);
export const one = rational(1n);
export const minusOne = rational(-1n);

export function add(a: Rational, b: Rational): Rational {
  return rational(a.over * b.under + b.over * a.under, a.under * b.under);
}

export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.over * b.over, a.under * b.under);
}

export function negate(a: Rational): Rational {
  return { over: -a.over, under: a.under };
}

export function subtract(a: Rational, b: Rational): Rational {
  return add(a, negate(b));
}

/** Null where it would be larger than arithmetic may produce, or where nothing is divided by. */
export function powerOf(base: Rational, exponent: bigint): Rational | null {
  if (exponent < 0n) {
    return base.over === 0n ? null : powerOf(rational(base.under, base.over), -exponent);
  }
  const digits = BigInt(Math.max(digitsOf(base.over), digitsOf(base.under)));
  if (exponent === 0n) return one;
  const isSmall = absolute(base.over) <= 1n && base.under === 1n;
  if (isSmall) return rational(exponent % 2n === 0n ? base.over * base.over : base.over);
  if (digits * exponent > BigInt(limits.resultDigits)) return null;
  return rational(base.over ** exponent, base.under ** exponent);
}

export function compareRationals(a: Rational, b: Rational): number {
  const difference = a.over * b.under - b.over * a.under;
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

export function areSame(a: Rational, b: Rational): boolean {
  return a.over === b.over && a.under === b.under;
}

export function isInteger(a: Rational): boolean {
  return a.under === 1n;
}

export function magnitude(a: Rational): Rational {
  return { over: absolute(a.over), under: a.under };
}

export function toNumber({ over, under }: Rational): number {
  const direct = Number(over) / Number(under);
  if (Number.isFinite(direct)) return direct;
  // Both are beyond what a double holds: the leading digits decide.
  const shift = BigInt(Math.max(0, digitsOf(under) - 30));
  const scale = 10n ** shift;
  return Number(over / scale) / Number(under / scale || 1n);
}

/** 10 to a power, negative ones too. */
export function powerOfTen(exponent: number): Rational {
  if (Math.abs(exponent) > limits.resultDigits) throw new BoundReached('digits');
  const power = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? rational(1n, power) : rational(power);
}

export function digitsOf(value: bigint): number {
  return Math.ceil(absolute(value).toString(16).length * 1.21);
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function commonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y > 0n) [x, y] = [y, x % y];
  return x;
}

/** Null for other functions, or if the value would be too large. */
export function exactValue(name: string, values: readonly Rational[]): Rational | null {
  const [first, second] = values;
  if (!first) return null;
  if (name === 'floor') return rational(floor(first));
  if (name === 'ceil') return rational(-floor({ ...first, over: -first.over }));
  if (!values.every(isInteger)) return null;
  const all = values.map(({ over }) => over);
  if (name === 'factorial' || name === 'doubleFactorial')
    return factorial(first.over, name === 'factorial' ? 1n : 2n);
  if (name === 'binomial' && second) return binomial(first.over, second.over);
  if (name === 'gcd') return rational(all.map(absolute).reduce(commonDivisor));
  if (name !== 'lcm' || all.includes(0n)) return null;
  return rational(all.map(absolute).reduce((a, b) => (a * b) / commonDivisor(a, b)));
}

function floor({ over, under }: Rational): bigint {
  return over >= 0n ? over / under : -((-over + under - 1n) / under);
}

function factorial(value: bigint, step: bigint): Rational | null {
  if (value < 0n || value > BigInt(limits.factorial)) return null;
  let result = 1n;
  for (let factor = value; factor > 1n; factor -= step) result *= factor;
  return rational(result);
}

function binomial(over: bigint, under: bigint): Rational | null {
  if (under < 0n || over < 0n || over > BigInt(limits.factorial)) return null;
  if (under > over) return rational(0n);
  let result = 1n;
  const fewer = under * 2n > over ? over - under : under;
  for (let at = 1n; at <= fewer; at += 1n) result = (result * (over - fewer + at)) / at;
  return rational(result);
}
