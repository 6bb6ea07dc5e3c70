/** What a session has tried, counted: what became of its candidates, and how its operators fared. Pure. */
import type { SeenSession } from '../../index.ts';

type State = SeenSession['state'];

/** By what became of them, in the order in which that first happened. */
export function statusCounts({ candidates }: State): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { note } of candidates) counts[note.status] = (counts[note.status] ?? 0) + 1;
  return counts;
}

export type OperatorRow = {
  readonly operator: string;
  readonly made: number;
  /** Ran on all cases of the search, all AC. */
  readonly scored: number;
  /** Were the best at some time. */
  readonly best: number;
  /** Null where a model did not tell. */
  readonly tokens: number | null;
};

export function operatorRows({ candidates, best }: State): readonly OperatorRow[] {
  const leaders = new Set(best.map(({ id }) => id));
  const names = [...new Set(candidates.map(({ note }) => note.operator))];
  return names.map((operator) => {
    const own = candidates.filter(({ note }) => note.operator === operator).map(({ note }) => note);
    const isKnown = own.every(({ tokens }) => tokens.input !== null && tokens.output !== null);
    return {
      operator,
      made: own.length,
      scored: own.filter(({ score }) => score !== null).length,
      best: own.filter(({ id }) => leaders.has(id)).length,
      tokens: isKnown
        ? own.reduce((sum, { tokens }) => sum + (tokens.input ?? 0) + (tokens.output ?? 0), 0)
        : null,
    };
  });
}
