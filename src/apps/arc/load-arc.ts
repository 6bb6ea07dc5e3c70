/** The way to `arc.ts` that costs nothing until it is gone. */
import type { arc } from './arc.ts';

export type Arc = typeof arc;

export async function loadArc(): Promise<Arc> {
  // Loaded here because the library of pictures is of no use to commands that know no grid.
  return (await import('./arc.ts')).arc;
}
