/** The way to all that contests need, which costs nothing until it is gone. */
import type { ahc } from '../workspace/bundle-of-functions.ts';

export type Ahc = typeof ahc;

export async function loadAhc(): Promise<Ahc> {
  // Loaded here because other commands know no contest.
  return (await import('../workspace/bundle-of-functions.ts')).ahc;
}
