/** When each candidate of a session was settled: by time alive, and by what had been spent until then. Pure. */
import type { Event } from '../../../core/event.ts';
import { totalTokens } from '../../../core/usage.ts';
import { applySession, emptySession } from '../../../families/ahc/session/fold.ts';
import { evolutionNoteOf } from '../../../notes/evolution.ts';

export type Milestone = {
  readonly id: string;
  /** It was the best of the session from then on. */
  readonly isBest: boolean;
  readonly aliveMs: number;
  /** All that were known until then. */
  readonly tokens: number;
  /** Null from the first call on whose price is not known. */
  readonly costUsd: number | null;
};

/** In the order in which they were settled; one that was settled twice, as after a resume, has its later place. */
export function milestonesOf(events: readonly Event[]): readonly Milestone[] {
  const milestones = new Map<string, Milestone>();
  let state = emptySession;
  for (const event of events) {
    state = applySession(state, event);
    const note = evolutionNoteOf(event);
    if (note?.kind === 'candidate') {
      const { totals, aliveMs } = state.run;
      const costUsd = totals.callsOfUnknownCost > 0 ? null : totals.costUsd;
      const { id } = note.data;
      milestones.delete(id);
      milestones.set(id, { id, isBest: false, aliveMs, tokens: totalTokens(totals.tokens), costUsd });
    }
    const best = note?.kind === 'best' ? milestones.get(note.data.id) : undefined;
    if (best) milestones.set(best.id, { ...best, isBest: true });
  }
  return [...milestones.values()];
}
