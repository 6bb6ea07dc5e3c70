/**
 * Complex numbers, as pairs of doubles with a bound of their error, and with principal branches: for expressions in
 * which i stands.
 */
import { toNumber } from '../exact/rational.ts';
import type { Field } from './evaluate.ts';
import { pointOf, realField, unknownFunction } from './real.ts';

type Pair = { readonly re: number; readonly im: number };
export type Complex = Pair & { readonly error: number };

const epsilon = 2 ** -51;

export function complexField(round: number, seed: number): Field<Complex> {
  const field = realField(round, seed);
  return {
    number: ({ value }) => kept({ re: toNumber(value), im: 0 }, 0),
    constant: (name) => {
      if (name === 'infinity') return null;
      return kept(name === 'i' ? i : { re: name === 'pi' ? Math.PI : Math.E, im: 0 }, 0);
    },
    symbol: (name) => kept({ re: toNumber(pointOf(name, round, seed)), im: 0 }, 0),
    add: (a, b) => kept(add(a, b), a.error + b.error),
    multiply: (a, b) => kept(multiply(a, b), size(a) * b.error + size(b) * a.error),
    power: (base, tree, valueHere) => {
      const power = valueHere(tree);
      return power === null ? null : through(([x = zero, y = zero]) => raised(x, y), [base, power]);
    },
    call: (name, values, tree) => {
      const [first] = values;
      const known = Object.hasOwn(unary, name) ? unary[name] : undefined;
      if (first && known && values.length === 1) return through(([z = zero]) => known(z), values);
      if (values.every(({ im, error }) => Math.abs(im) <= error)) {
        const arguments_ = values.map(({ re, error }) => ({ value: re, error }));
        const real = field.call(name, arguments_, tree);
        return real && kept({ re: real.value, im: 0 }, real.error);
      }
      return through((at) => {
        const flat = at.flatMap(({ re, im }) => [re, im]);
        return { re: unknownFunction(`${name} re`, flat), im: unknownFunction(`${name} im`, flat) };
      }, values);
    },
    hasCounts: false,
    count: ({ re, im, error }) => field.count({ value: im === 0 ? re : Number.NaN, error }),
  };
}

function kept(value: Pair, error: number): Complex | null {
  const total = error + size(value) * epsilon;
  return Number.isFinite(total) ? { ...value, error: total } : null;
}

/** How far the value moves when its arguments move by their errors. */
function through(apply: (values: readonly Pair[]) => Pair, values: readonly Complex[]): Complex | null {
  const result = apply(values);
  let error = 8 * size(result) * epsilon;
  for (const [index, { re, im, error: own }] of values.entries()) {
    for (const moved of [
      { re: re + own, im },
      { re, im: im + own },
    ]) {
      const distance = size(difference(apply((values as readonly Pair[]).with(index, moved)), result));
      if (Number.isFinite(distance)) error = Math.max(error, 3 * distance);
    }
  }
  return kept(result, error);
}

export function size({ re, im }: Pair): number {
  return Math.hypot(re, im);
}

export function difference(a: Pair, b: Pair): Pair {
  return { re: a.re - b.re, im: a.im - b.im };
}

const zero: Pair = { re: 0, im: 0 };
const i: Pair = { re: 0, im: 1 };
const minusI: Pair = { re: 0, im: -1 };
const half: Pair = { re: 0.5, im: 0 };

function add(a: Pair, b: Pair): Pair {
  return { re: a.re + b.re, im: a.im + b.im };
}

function multiply(a: Pair, b: Pair): Pair {
  return { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re };
}

function inverse({ re, im }: Pair): Pair {
  const square = re * re + im * im;
  return { re: re / square, im: -im / square };
}

function raised(base: Pair, pair: Pair): Pair {
  if (size(base) === 0) return pair.re > 0 ? base : { re: Number.NaN, im: 0 };
  const isComplete = pair.im === 0 && Number.isInteger(pair.re);
  if (isComplete && Math.abs(pair.re) <= 1_024) return integerPower(base, pair.re);
  return exponential(multiply(pair, logarithm(base)));
}

function integerPower(base: Pair, exponent: number): Pair {
  let result: Pair = { re: 1, im: 0 };
  let square = base;
  for (let rest = Math.abs(exponent); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = multiply(result, square);
    square = multiply(square, square);
  }
  return exponent < 0 ? inverse(result) : result;
}

function exponential({ re, im }: Pair): Pair {
  const length = Math.exp(re);
  return { re: length * Math.cos(im), im: length * Math.sin(im) };
}

function logarithm(value: Pair): Pair {
  return { re: Math.log(size(value)), im: Math.atan2(value.im, value.re) };
}

function cosine(z: Pair): Pair {
  return multiply(half, add(exponential(multiply(i, z)), exponential(multiply(minusI, z))));
}

function sine(z: Pair): Pair {
  const pair = difference(exponential(multiply(i, z)), exponential(multiply(minusI, z)));
  return multiply({ re: 0, im: -0.5 }, pair);
}

const unary: Readonly<Record<string, (z: Pair) => Pair>> = {
  sin: sine,
  cos: cosine,
  tan: (z) => multiply(sine(z), inverse(cosine(z))),
  ln: logarithm,
  abs: (z) => ({ re: size(z), im: 0 }),
  re: ({ re }) => ({ re, im: 0 }),
  im: ({ im }) => ({ re: im, im: 0 }),
  arg: (z) => ({ re: Math.atan2(z.im, z.re), im: 0 }),
  overline: ({ re, im }) => ({ re, im: -im }),
  bar: ({ re, im }) => ({ re, im: -im }),
};
