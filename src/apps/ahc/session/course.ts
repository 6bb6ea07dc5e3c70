/**
 * The course of the best score on one scale. Relative scores move with the best that is known of each case, so those of an
 * hour ago say nothing beside those of now: here all are taken by what is known in the end. Pure.
 */
import { isBetter, shareOfBest } from '../../../core/program.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import { factsIn } from '../../../families/ahc/problem/facts.ts';
import { type BestStep, candidateOf, type SessionState } from '../../../families/ahc/session/fold.ts';
import { contestScore } from '../../../families/ahc/session/names.ts';
import type { SessionFacts } from '../../../families/ahc/session/session-facts.ts';

export type CoursePoint = BestStep & {
  /** As its contest counts, on the one scale; null where it had none. */
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

/** The score of a candidate over the cases of the search, by all that is known now; null where it has none. */
export function scoreNow(state: SessionState, counting: Counting, id: string | null): number | null {
  return id === null ? null : scoresOf(state, counting)(id);
}

/** By the id of a candidate, its score over the cases of the search on the one scale; null where it has none. */
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

/** What was known when the problem was posed, where it is one of this family. */
function knownBefore({ run }: SessionState): Readonly<Record<string, number>> {
  if (typeof run.header?.problem.detail.facts !== 'string') return {};
  return factsIn(run.header.problem).best;
}
