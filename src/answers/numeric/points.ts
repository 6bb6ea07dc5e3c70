/**
 * Where expressions are compared numerically: fractions that depend on the seed, the round and the name alone, so that
 * two expressions meet at the same points. Rounds differ in sign and size, and some are whole numbers.
 */
import { type Rational, rational } from '../exact/rational.ts';

export const rounds = 14;
/** Rounds in which both sides must have a value before they are called equal. */
export const needed = 4;

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
