/** Complex numbers, as pairs of doubles, with principal branches: for expressions in which i stands. */
import { toNumber } from '../exact/rational.ts';
import type { Field } from './evaluate.ts';
import { pointOf } from './points.ts';
import { realField, unknown } from './real.ts';

export type Complex = { readonly re: number; readonly im: number };

export type ComplexField = Field<Complex> & { readonly scale: { largest: number } };

export function complexField(round: number, seed: number): ComplexField {
  const scale = { largest: 0 };
  const reals = realField(round, seed);
  const kept = (value: Complex) => {
    if (!Number.isFinite(value.re) || !Number.isFinite(value.im)) return null;
    scale.largest = Math.max(scale.largest, size(value));
    return value;
  };
  return {
    scale,
    number: ({ value }) => kept({ re: toNumber(value), im: 0 }),
    constant: (name) => {
      if (name === 'i') return { re: 0, im: 1 };
      return name === 'pi' ? { re: Math.PI, im: 0 } : name === 'e' ? { re: Math.E, im: 0 } : null;
    },
    symbol: (name) => ({ re: toNumber(pointOf(name, round, seed)), im: 0 }),
    add: (a, b) => kept(add(a, b)),
    multiply: (a, b) => kept(multiply(a, b)),
    power: (base, exponent, valueHere) => {
      const value = valueHere(exponent);
      return value === null ? null : kept(power(base, value));
    },
    call: (name, values, tree) => {
      const [first] = values;
      if (first && values.length === 1 && Object.hasOwn(unary, name))
        return kept(unary[name]?.(first) ?? first);
      if (values.every(({ im }) => im === 0)) {
        const real = reals.call(
          name,
          values.map(({ re }) => re),
          tree,
        );
        return real === null ? null : kept({ re: real, im: 0 });
      }
      const flat = values.flatMap(({ re, im }) => [re, im]);
      return kept({ re: unknown(`${name} re`, flat), im: unknown(`${name} im`, flat) });
    },
    count: ({ re, im }) => (im === 0 && Number.isSafeInteger(re) ? re : null),
  };
}

export function size({ re, im }: Complex): number {
  return Math.hypot(re, im);
}

export function difference(a: Complex, b: Complex): Complex {
  return { re: a.re - b.re, im: a.im - b.im };
}

function add(a: Complex, b: Complex): Complex {
  return { re: a.re + b.re, im: a.im + b.im };
}

function multiply(a: Complex, b: Complex): Complex {
  return { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re };
}

function inverse({ re, im }: Complex): Complex {
  const square = re * re + im * im;
  return { re: re / square, im: -im / square };
}

function power(base: Complex, exponent: Complex): Complex {
  if (size(base) === 0) return exponent.re > 0 ? base : { re: Number.NaN, im: 0 };
  const isWhole = exponent.im === 0 && Number.isInteger(exponent.re);
  if (isWhole && Math.abs(exponent.re) <= 1_024) return wholePower(base, exponent.re);
  return exponential(multiply(exponent, logarithm(base)));
}

function wholePower(base: Complex, exponent: number): Complex {
  let result: Complex = { re: 1, im: 0 };
  let square = base;
  for (let rest = Math.abs(exponent); rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = multiply(result, square);
    square = multiply(square, square);
  }
  return exponent < 0 ? inverse(result) : result;
}

function exponential({ re, im }: Complex): Complex {
  const length = Math.exp(re);
  return { re: length * Math.cos(im), im: length * Math.sin(im) };
}

function logarithm(value: Complex): Complex {
  return { re: Math.log(size(value)), im: Math.atan2(value.im, value.re) };
}

const i: Complex = { re: 0, im: 1 };
const minusI: Complex = { re: 0, im: -1 };
const half: Complex = { re: 0.5, im: 0 };

function cosine(z: Complex): Complex {
  return multiply(half, add(exponential(multiply(i, z)), exponential(multiply(minusI, z))));
}

function sine(z: Complex): Complex {
  const turned = difference(exponential(multiply(i, z)), exponential(multiply(minusI, z)));
  return multiply({ re: 0, im: -0.5 }, turned);
}

const unary: Readonly<Record<string, (z: Complex) => Complex>> = {
  sin: sine,
  cos: cosine,
  tan: (z) => multiply(sine(z), inverse(cosine(z))),
  ln: logarithm,
  exp: exponential,
  abs: (z) => ({ re: size(z), im: 0 }),
  re: ({ re }) => ({ re, im: 0 }),
  im: ({ im }) => ({ re: im, im: 0 }),
  arg: (z) => ({ re: Math.atan2(z.im, z.re), im: 0 }),
  overline: ({ re, im }) => ({ re, im: -im }),
  bar: ({ re, im }) => ({ re, im: -im }),
};
