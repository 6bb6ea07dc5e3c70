/** Chance that a seed determines; not fit for secrets. For many numbers, seed it once with `run.random()`, which is slow. */
import type { RandomSource } from './io.ts';

/** The same numbers for the same seed, on every machine and in every version of this program. */
export function seededChance(seed: string): RandomSource {
  let [a, b, c, d] = stateOf(seed);
  // sfc32 (Chris Doty-Humphrey, public domain): small, fast, 2^128 of state.
  const next = () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The first numbers still resemble the seed.
  for (let i = 0; i < 16; i++) next();
  return { next };
}

/** Four words from a text: FNV-1a from four starting points. */
function stateOf(seed: string): [number, number, number, number] {
  const word = (start: number) => {
    let hash = 0x811c9dc5 ^ start;
    for (let i = 0; i < seed.length; i++) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
    return hash | 0;
  };
  return [word(0), word(0x9e3779b9), word(0x7f4a7c15), word(0x2545f491)];
}
