/** Functions of whole numbers and fractions whose values are exact: factorials, binomials, divisors, rounding. */
import { limits } from '../limits.ts';
import { isWhole, type Rational, rational } from './rational.ts';

/** Null where it is none of them, or where its value would be too large. */
export function exactValue(name: string, values: readonly Rational[]): Rational | null {
  const [first, second] = values;
  if (!first) return null;
  if (name === 'floor') return rational(floored(first));
  if (name === 'ceil') return rational(-floored({ ...first, over: -first.over }));
  if (!values.every(isWhole)) return null;
  const whole = values.map(({ over }) => over);
  if (name === 'factorial' || name === 'doubleFactorial')
    return factorial(first.over, name === 'factorial' ? 1n : 2n);
  if (name === 'binomial' && second) return binomial(first.over, second.over);
  if (name === 'gcd') return rational(whole.map(size).reduce(commonDivisor));
  if (name !== 'lcm' || whole.includes(0n)) return null;
  return rational(whole.map(size).reduce((a, b) => (a * b) / commonDivisor(a, b)));
}

function floored({ over, under }: Rational): bigint {
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

function size(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function commonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y > 0n) [x, y] = [y, x % y];
  return x;
}
