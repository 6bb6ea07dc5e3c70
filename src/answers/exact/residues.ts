/**
 * Whether two expressions are the same fraction of polynomials, decided by calculating with residues of two primes at
 * seeded points. What is no polynomial (a root, π, a sine) is one more unknown: then equality still holds, and only
 * inequality says nothing. −1 has a root modulo both primes, which stands for i.
 */
import { keyOf } from '../canonical.ts';
import type { Work } from '../limits.ts';
import { evaluate, type Field } from '../numeric/evaluate.ts';
import { hash } from '../numeric/real.ts';
import { exact, type Tree } from '../tree.ts';
import { powerOf } from './rational.ts';

type Prime = { readonly modulus: bigint; readonly rootOfMinusOne: bigint };

const primes: readonly Prime[] = [2_305_843_009_213_693_921n, 4_611_686_018_427_387_817n].map(createPrime);

export type SameFraction = 'same' | 'different' | 'unknown';

/** Both in canonical form. */
export function sameFraction(a: Tree, b: Tree, seed: number, work: Work): SameFraction {
  let isPolynomial = true;
  let hasValue = false;
  for (const prime of primes) {
    for (const round of [1, 2]) {
      const known = { isAll: true };
      const field = residues(prime, `${seed}/${round}`, known, work);
      const [left, right] = [evaluate(a, field, work), evaluate(b, field, work)];
      isPolynomial &&= known.isAll;
      if (left === null || right === null) continue;
      hasValue = true;
      if (left !== right) return isPolynomial ? 'different' : 'unknown';
    }
  }
  return hasValue ? 'same' : 'unknown';
}

function residues(
  { modulus, rootOfMinusOne }: Prime,
  salt: string,
  known: { isAll: boolean },
  work: Work,
): Field<bigint> {
  const atom = (text: string) => {
    const [high, low] = [hash(`${salt}:${text}`), hash(`${text}:${salt}:`)];
    return ((BigInt(high) << 32n) | BigInt(low)) % modulus;
  };
  const unknownOf = (tree: Tree) => {
    known.isAll = false;
    return atom(keyOf(tree));
  };
  return {
    number: ({ value }) => {
      const under = inverse(mod(value.under, modulus), modulus);
      return under === null ? null : mod(mod(value.over, modulus) * under, modulus);
    },
    constant: (name) => (name === 'i' ? rootOfMinusOne : name === 'infinity' ? null : atom(`~${name}`)),
    symbol: (name) => atom(`$${name}`),
    add: (a, b) => (a + b) % modulus,
    multiply: (a, b) => (a * b) % modulus,
    power: (base, tree) => {
      const full = toInteger(tree);
      // The base is one unknown with its exponent, not with what else the base may be.
      if (full === null)
        return unknownOf({ kind: 'power', base: exact({ over: base, under: 1n }), exponent: tree });
      if (full < 0n) {
        const inverted = inverse(base, modulus);
        return inverted === null ? null : powerModulo(inverted, -full, modulus);
      }
      return powerModulo(base, full, modulus);
    },
    call: (name, values, tree) => {
      if (values.length === 0 || work.left < 0) return unknownOf(tree);
      known.isAll = false;
      return atom(`${name}(${values.join()})`);
    },
    hasCounts: false,
    count: () => null,
  };
}

function toInteger(tree: Tree): bigint | null {
  if (tree.kind === 'number') return tree.value.under === 1n ? tree.value.over : null;
  if (tree.kind !== 'power') return null;
  const [base, exponent] = [toInteger(tree.base), toInteger(tree.exponent)];
  if (base === null || exponent === null || exponent < 0n) return null;
  return powerOf({ over: base, under: 1n }, exponent)?.over ?? null;
}

function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

function powerModulo(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function inverse(value: bigint, modulus: bigint): bigint | null {
  return value === 0n ? null : powerModulo(value, modulus - 2n, modulus);
}

function createPrime(modulus: bigint): Prime {
  for (let base = 2n; ; base += 1n) {
    const root = powerModulo(base, (modulus - 1n) / 4n, modulus);
    if ((root * root) % modulus === modulus - 1n) return { modulus, rootOfMinusOne: root };
  }
}
