/** The acts of the demo, in their order. */
import type { Act } from './act.ts';
import { aoc } from './aoc.ts';
import { arc } from './arc.ts';
import { ensemble } from './ensemble.ts';
import { proof } from './proof.ts';

export const acts: readonly Act[] = [aoc, proof, ensemble, arc];
