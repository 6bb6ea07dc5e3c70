/**
 * The scores of a session on one scale: a relative score depends on the best known of each case at its time, so all are taken
 * again by the best that is known now. With them the course of the best, and what paid off: counts and differences without
 * statistics, because candidates of one session are not independent of one another. Pure.
 */
import type { Event } from '../../../core/event.ts';
import type { RunView } from '../../../core/fold.ts';
import type { Json } from '../../../core/json.ts';
import { isBetter, shareOfBest } from '../../../core/program.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import { totalTokens } from '../../../core/usage.ts';
import { contestInfo } from '../../../families/ahc/problem/facts.ts';
import { type CandidateNote, evolutionNoteOf } from '../../../notes/evolution.ts';
import { field, list } from '../../../text/json.ts';
import type { SessionFacts } from './context.ts';
import { applySession, candidateOf, emptySession, type SessionCandidate, type SessionState } from './fold.ts';
import { contestScore } from './names.ts';

export type Counting = Pick<SessionFacts, 'scoring' | 'direction'>;

/** `value`: as the contest counts; null where the candidate has no score. */
export function courseOfBest(state: SessionState, counting: Counting) {
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

type ScoreOf = (id: string) => number | null;

/** For many candidates of one state: what all of them need is made once. */
export function scoresOf(state: SessionState, { scoring, direction }: Counting): ScoreOf {
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

/** The best score that is known of each case. */
export function bestOfCases(
  state: SessionState,
  direction: Counting['direction'],
): ReadonlyMap<string, number> {
  const problem = state.run.header?.problem;
  // The best of each case when the problem was loaded, where it is one of this family.
  const best = new Map(
    typeof problem?.detail.facts === 'string' ? Object.entries(contestInfo(problem).best) : [],
  );
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

/** In the order in which candidates were settled; one that was settled twice, as after a resume, has its later place. */
export function milestonesOf(events: readonly Event[]) {
  return foldMilestones(events).milestones;
}

export function foldMilestones(events: readonly Event[]) {
  const milestones = new Map<string, ReturnType<typeof milestoneOf>>();
  let state = emptySession;
  let evaluations = 0;
  for (const event of events) {
    state = applySession(state, event);
    evaluations += casesRunIn(event);
    const note = evolutionNoteOf(event);
    if (note?.kind === 'candidate') {
      const { id } = note.data;
      milestones.delete(id);
      milestones.set(id, milestoneOf({ id, seq: event.seq, evaluations }, state.run));
    }
    const best = note?.kind === 'best' ? milestones.get(note.data.id) : undefined;
    if (best) milestones.set(best.id, { ...best, isBest: true });
  }
  return { state, milestones: [...milestones.values()] };
}

function casesRunIn(event: Event): number {
  if (event.kind !== 'evaluate-end' || event.body.status !== 'ok') return 0;
  return list(field(event.body.result as Json, 'data'), 'cases').length;
}

/** `evaluations`: programs times cases that were run until then. */
type Place = { readonly id: string; readonly seq: number; readonly evaluations: number };

function milestoneOf(place: Place, { totals, aliveMs }: RunView) {
  return {
    ...place,
    /** It became the best of the session then. */
    isBest: false,
    aliveMs,
    /** The known tokens spent until then. */
    tokens: totalTokens(totals.tokens),
    /** Null from the first call on whose price is not known. */
    costUsd: totals.callsOfUnknownCost > 0 ? null : totals.costUsd,
  };
}

/** What was made of some candidates. */
export type Credit = ReturnType<ReturnType<typeof creditor>>;

/** In the order in which operators were first used. */
export function creditByOperator(state: SessionState, counting: Counting) {
  const operators = [...new Set(state.candidates.map(({ note }) => note.operator))];
  const creditFor = creditor(state, counting);
  return operators.map((operator) => ({ operator, ...creditFor(({ note }) => note.operator === operator) }));
}

/** What was made for a hint. Of one that was said before there was a program, all first programs were. */
export function followed({ parameters, hints, generation }: CandidateNote, hint: number): boolean {
  return parameters.hint === hint || (generation === 0 && hints.includes(hint));
}

/** For many questions about one state: what all of them need is made once. */
export function creditor(state: SessionState, counting: Counting) {
  const scoreOf = scoresOf(state, counting);
  const steps = stepsOf(state, scoreOf, counting);
  const improved = new Set(state.candidates.filter((each) => isBetterThanParents(counting, scoreOf, each)));
  return (isMeant: (candidate: SessionCandidate) => boolean) => {
    const intended = state.candidates.filter(isMeant);
    const ids = new Set(intended.map(({ note }) => note.id));
    const count = (...statuses: readonly CandidateNote['status'][]): number =>
      intended.filter(({ note }) => statuses.includes(note.status)).length;
    const own = steps.filter(({ id }) => ids.has(id));
    return {
      made: intended.length,
      /** Ran on all cases of the search. */
      evaluated: count('evaluated'),
      /** Dropped early: by novelty, or by a race. */
      spared: count('cut', 'duplicate'),
      /** Candidates without use: they did not compile, failed, had no program, or got no reply. */
      useless: count('failed', 'compile-error', 'unusable', 'unanswered'),
      /** Better than every parent of theirs that has a score, on all cases of the search. */
      betterThanParents: intended.filter((each) => improved.has(each)).length,
      /** Made the best of the session better. */
      improvements: own.length,
      /** How much of the score these improvements are, as a positive number. */
      gain: own.reduce((sum, { gain }) => sum + gain, 0),
      /** Null where a model did not tell. */
      tokens: tokensOf(intended),
    };
  };
}

/** Each time that the best became better, and by how much. The first best is no improvement. */
function stepsOf({ best }: SessionState, scoreOf: ScoreOf, counting: Counting) {
  const steps: { readonly id: string; readonly gain: number }[] = [];
  let before: number | null = null;
  for (const { id } of best) {
    const score = scoreOf(id);
    if (score === null) continue;
    const improvement: number = before === null ? 0 : advantage(score, before, counting);
    if (improvement > 0) steps.push({ id, gain: improvement });
    if (before === null || improvement > 0) before = score;
  }
  return steps;
}

function isBetterThanParents(counting: Counting, scoreOf: ScoreOf, { note }: SessionCandidate): boolean {
  const score = scoreOf(note.id);
  const parents = note.parents.flatMap((parent) => scoreOf(parent) ?? []);
  return (
    score !== null && parents.length > 0 && parents.every((each) => advantage(score, each, counting) > 0)
  );
}

function advantage(score: number, than: number, counting: Counting): number {
  return isMoreBetter(counting) ? score - than : than - score;
}

/** With relative scoring a score is a share of the best known: more is better, whichever way the contest counts. */
export function isMoreBetter({ direction, scoring }: Counting): boolean {
  return direction === 'maximise' || scoring === 'relative';
}

function tokensOf(candidates: readonly SessionCandidate[]): number | null {
  let sum = 0;
  for (const { note } of candidates) {
    const { input, output } = note.tokens;
    if (note.calls > 0 && (input === null || output === null)) return null;
    sum += (input ?? 0) + (output ?? 0);
  }
  return sum;
}
