/**
 * Chance: the machine's own, and beside it one that a seed determines. Neither is fit for secrets.
 * Knows nothing of runs, whose `run.random` is derived from seed, branch and ordinal elsewhere.
 */
import type { Chance } from '../core/io.ts';

export { seededChance } from '../core/seeded-chance.ts';

export const systemChance: Chance = { next: () => Math.random() };
