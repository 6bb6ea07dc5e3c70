/**
 * The course of a session: its best scores on one scale, and when each candidate was settled. A relative score depends on
 * the best known of each case at its time, so all scores are taken again by the best that is known now. Pure.
 */
import type { Event } from '../../../core/event.ts';
import { isBetter, shareOfBest } from '../../../core/program.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import { totalTokens } from '../../../core/usage.ts';
import { factsIn } from '../../../families/ahc/problem/facts.ts';
import { evolutionNoteOf } from '../../../notes/evolution.ts';
import { applySession, type BestStep, candidateOf, emptySession, type SessionState } from './fold.ts';
import { contestScore } from './names.ts';
import type { SessionFacts } from './session-facts.ts';

export type CoursePoint = BestStep & {
  /** As the contest counts; null where the candidate has no score. */
  readonly value: number | null;
};

export type Counting = Pick<SessionFacts, 'scoring' | 'direction'>;

export function courseOfBest(state: SessionState, counting: Counting): readonly CoursePoint[] {
  const scoreOf = scoresOf(state, counting);
  return state.best.map((step) => ({
    ...step,
    value: scoreOf(step.id) ?? contestScore(step.score, counting.scoring),
  }));
}

/** The score of a candidate over the cases of the search; null where it has none. */
export function scoreNow(state: SessionState, counting: Counting, id: string | null): number | null {
  return id === null ? null : scoresOf(state, counting)(id);
}

/** For many candidates of one state: what all of them need is made once. */
export function scoresOf(
  state: SessionState,
  { scoring, direction }: Counting,
): (id: string) => number | null {
  if (scoring === 'absolute') return (id) => candidateOf(state, id)?.note.score ?? null;
  const best = bestOfCases(state, direction);
  return (id) => {
    const note = candidateOf(state, id)?.note;
    if (!note?.evaluation || note.score === null) return null;
    const shares = note.evaluation.cases.map(({ name, score }) =>
      score === null ? 0 : shareOfBest(score, best.get(name) ?? null, direction),
    );
    return contestScore(mean(shares), scoring);
  };
}

function bestOfCases(state: SessionState, direction: Counting['direction']): ReadonlyMap<string, number> {
  const best = new Map(Object.entries(knownBefore(state)));
  for (const { note, more } of state.candidates) {
    for (const evaluation of [note.evaluation, ...more.map((each) => each.evaluation)]) {
      for (const { name, verdict, score } of evaluation?.cases ?? []) {
        const known = best.get(name);
        if (verdict !== 'AC' || score === null) continue;
        if (known === undefined || isBetter(score, known, direction)) best.set(name, score);
      }
    }
  }
  return best;
}

/** The best of each case when the problem was loaded, where it is one of this family. */
function knownBefore({ run }: SessionState): Readonly<Record<string, number>> {
  if (typeof run.header?.problem.detail.facts !== 'string') return {};
  return factsIn(run.header.problem).best;
}

export type Milestone = {
  readonly id: string;
  /** It became the best of the session then. */
  readonly isBest: boolean;
  readonly aliveMs: number;
  /** Spent until then, as far as it is known. */
  readonly tokens: number;
  /** Null from the first call on whose price is not known. */
  readonly costUsd: number | null;
};

/** In the order in which candidates were settled; one that was settled twice, as after a resume, has its later place. */
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
