/** Digits to a base, letters among them, as in `1A3_{16}` or `1011_2`. */

import { rational } from '../exact/rational.ts';
import { BoundReached, limits } from '../limits.ts';
import type { Tree } from '../tree.ts';

export function digitsToBase(flat: string): Tree | null {
  const [, text, written] =
    /^\(?\s*([0-9A-Za-z]+)\s*(?:\)\s*)?_\s*(?:\{\s*)?(\d{1,2})\s*\}?$/.exec(flat) ?? [];
  if (!text || !written || !/\d/.test(text)) return null;
  if (text.length > limits.digits) throw new BoundReached('digits');
  const base = Number(written);
  const digits = [...text.toLowerCase()].map((digit) => Number.parseInt(digit, 36));
  if (base < 2 || base > 36 || digits.some((digit) => !(digit < base))) return null;
  const value = digits.reduce((sofar, digit) => sofar * BigInt(base) + BigInt(digit), 0n);
  return { kind: 'based', digits: text.toLowerCase(), base, value: rational(value) };
}
