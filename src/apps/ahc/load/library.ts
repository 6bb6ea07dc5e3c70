/** The way to `ahc-library.ts` that costs nothing until it is gone. */
import type { ahcLibrary } from '../../../open/families/ahc/library.ts';

export type AhcLibrary = typeof ahcLibrary;

export async function loadAhcLibrary(): Promise<AhcLibrary> {
  // Loaded here because most commands need no algorithms.
  return (await import('../../../open/families/ahc/library.ts')).ahcLibrary;
}
