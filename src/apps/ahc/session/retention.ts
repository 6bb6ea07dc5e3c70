/**
 * Whose outputs stay on disk: those of the best candidates and of the newest ones, within a bound of bytes. Programs,
 * scores and records are small and all stay. Pure.
 */
import { isBetter } from '../../../core/program.ts';
import type { SessionState } from '../../../families/ahc/session/fold.ts';
import type { SessionFacts } from '../../../families/ahc/session/session-facts.ts';

export const keptBest = 10;
export const keptNewest = 10;
export const mostOutputBytes = 256 * 1024 * 1024;

/** Ids in the order in which they are worth keeping: the best now, the best, the newest. */
export function wantedOutputs(
  { candidates, bestId }: SessionState,
  { direction, scoring }: Pick<SessionFacts, 'direction' | 'scoring'>,
): readonly string[] {
  const way = scoring === 'relative' ? 'maximise' : direction;
  const scored = candidates
    .flatMap(({ note }) => (note.score === null ? [] : [{ id: note.id, score: note.score }]))
    .toSorted((a, b) => (a.score === b.score ? 0 : isBetter(a.score, b.score, way) ? -1 : 1));
  const newest = candidates
    .filter(({ note }) => note.evaluation !== null)
    .slice(-keptNewest)
    .map(({ note }) => note.id)
    .reverse();
  const best = scored.slice(0, keptBest).map(({ id }) => id);
  return [...new Set([...(bestId === null ? [] : [bestId]), ...best, ...newest])];
}

/** Those of the wanted that fit; one that is too large makes way for those behind it. */
export function withinBound(
  wanted: readonly string[],
  bytesOf: (id: string) => number,
  most = mostOutputBytes,
): ReadonlySet<string> {
  const kept = new Set<string>();
  let bytes = 0;
  for (const id of wanted) {
    const more = bytesOf(id);
    if (bytes + more > most) continue;
    bytes += more;
    kept.add(id);
  }
  return kept;
}
