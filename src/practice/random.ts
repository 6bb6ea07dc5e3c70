/** Draws for the makers of puzzle inputs, all of them determined by a seed. Knows no puzzle. */
import { seededChance } from '../core/seeded-chance.ts';

export type Random = {
  /** A whole number from `min` to `max`, both included. */
  int(min: number, max: number): number;
  shuffle<T>(list: readonly T[]): T[];
};

export function seededRandom(seed: string): Random {
  const { next } = seededChance(seed);
  return {
    int: (min, max) => min + Math.floor(next() * (max - min + 1)),
    shuffle(list) {
      const keyed = list.map((item) => ({ item, key: next() }));
      return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item);
    },
  };
}
