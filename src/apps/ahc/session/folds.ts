/** What became of a session's candidates, and of its user's hints, counted. Pure. */
import type { AhcSession } from '../load/session.ts';
import type { SeenSession } from './look.ts';

/** By what became of them, in the order in which that first happened. */
export function statusCounts({ candidates }: SeenSession['state']): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { note } of candidates) counts[note.status] = (counts[note.status] ?? 0) + 1;
  return counts;
}

/** A hint of its user's, and what came of the candidates that were made with it. */
export function hintRows(ahc: AhcSession, { state, place }: Pick<SeenSession, 'state' | 'place'>) {
  const creditFor = ahc.creditor(state, place.manifest);
  return state.hints.map(({ number, text }) => {
    const credit = creditFor(({ note }) => note.hints.includes(number));
    const directed = state.candidates.filter(({ note }) => note.parameters.hint === number);
    return {
      ...{ number, text, made: credit.made, directed: directed.length },
      better_than_parents: credit.betterThanParents,
      improvements: credit.improvements,
      gain: credit.gain,
    };
  });
}
