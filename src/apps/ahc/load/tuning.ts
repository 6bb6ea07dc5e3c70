/** The way to `ahc-tuning.ts` that costs nothing until it is gone. */
import type { ahcTuning } from '../tuning/tuning.ts';

export type AhcTuning = typeof ahcTuning;

export async function loadAhcTuning(): Promise<AhcTuning> {
  // Loaded here because a reader of C++ is of no use to other commands.
  return (await import('../tuning/tuning.ts')).ahcTuning;
}
