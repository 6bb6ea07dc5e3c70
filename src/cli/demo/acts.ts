/** The acts of the demo, in their order. */
import type { Act } from './act.ts';
import { aoc } from './aoc.ts';
import { ensemble } from './ensemble.ts';

export const acts: readonly Act[] = [aoc, ensemble];
