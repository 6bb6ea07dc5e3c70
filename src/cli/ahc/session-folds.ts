/** What became of a session's candidates, counted. Pure. */
import type { SeenSession } from '../../index.ts';

/** By what became of them, in the order in which that first happened. */
export function statusCounts({ candidates }: SeenSession['state']): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { note } of candidates) counts[note.status] = (counts[note.status] ?? 0) + 1;
  return counts;
}
