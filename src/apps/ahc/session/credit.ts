/**
 * What paid off in a session: operators, hints, islands, and on which inputs the best program is better than the first one.
 * Counts and differences only, no statistics, because candidates of one session are not independent of one another. Pure.
 */
import { type CaseOutcome, type Direction, pointsOf } from '../../../core/program.ts';
import { mean } from '../../../core/statistics/bootstrap.ts';
import { grouped } from '../../../families/ahc/features.ts';
import { type Counting, scoresOf } from './course.ts';
import { candidateOf, type SessionCandidate, type SessionState } from './fold.ts';

/** What was made of some candidates. */
export type Credit = {
  readonly made: number;
  /** Ran on all cases of the search. */
  readonly evaluated: number;
  /** Dropped early: by novelty, or by a race. */
  readonly spared: number;
  /** Of no use: did not compile, failed, held no program, was not answered. */
  readonly useless: number;
  /** Better than every parent of theirs that has a score, on all cases of the search. */
  readonly betterThanParents: number;
  /** Made the best of the session better. */
  readonly improvements: number;
  /** How much of the score these improvements are, as a positive number. */
  readonly gain: number;
  /** Null where a model did not tell. */
  readonly tokens: number | null;
};

/** In the order in which operators were first used. */
export function creditByOperator(
  state: SessionState,
  counting: Counting,
): readonly (Credit & { readonly operator: string })[] {
  const operators = [...new Set(state.candidates.map(({ note }) => note.operator))];
  const creditFor = creditor(state, counting);
  return operators.map((operator) => ({ operator, ...creditFor(({ note }) => note.operator === operator) }));
}

/** For many questions about one state: what all of them need is made once. */
export function creditor(
  state: SessionState,
  counting: Counting,
): (isMeant: (candidate: SessionCandidate) => boolean) => Credit {
  const scoreOf = scoresOf(state, counting);
  const steps = stepsOf(state, scoreOf, counting);
  const better = new Set(state.candidates.filter((each) => isBetterThanParents(counting, scoreOf, each)));
  return (isMeant) => {
    const meant = state.candidates.filter(isMeant);
    const ids = new Set(meant.map(({ note }) => note.id));
    const count = (...statuses: readonly SessionCandidate['note']['status'][]): number =>
      meant.filter(({ note }) => statuses.includes(note.status)).length;
    const own = steps.filter(({ id }) => ids.has(id));
    return {
      made: meant.length,
      evaluated: count('evaluated'),
      spared: count('cut', 'duplicate'),
      useless: count('failed', 'compile-error', 'unusable', 'unanswered'),
      betterThanParents: meant.filter((each) => better.has(each)).length,
      improvements: own.length,
      gain: own.reduce((sum, { gain }) => sum + gain, 0),
      tokens: tokensOf(meant),
    };
  };
}

type ScoreOf = (id: string) => number | null;

/** Each time that the best became better, and by how much. The first best is no improvement. */
function stepsOf(
  state: SessionState,
  scoreOf: ScoreOf,
  counting: Counting,
): { readonly id: string; readonly gain: number }[] {
  const steps: { id: string; gain: number }[] = [];
  let before: number | null = null;
  for (const { id } of state.best) {
    const score = scoreOf(id);
    if (score === null) continue;
    const gain: number = before === null ? 0 : advantage(score, before, counting);
    if (gain > 0) steps.push({ id, gain });
    if (before === null || gain > 0) before = score;
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

/** With relative scoring a score is a share of the best known: more is better, whichever way the contest counts. */
function advantage(score: number, than: number, { direction, scoring }: Counting): number {
  return direction === 'maximise' || scoring === 'relative' ? score - than : than - score;
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

export type GroupStanding = {
  readonly label: string;
  readonly cases: number;
  /** Mean points of the program that the session began with, and of its best; null where one has none. */
  readonly first: number | null;
  readonly best: number | null;
};

/**
 * By each feature (a number that the inputs begin with) that differs between inputs: what the best and the first program get
 * on the cases that both were run on.
 */
export function standingsByFeature(
  state: SessionState,
  counting: Counting,
): readonly { readonly feature: string; readonly groups: readonly GroupStanding[] }[] {
  const first = state.candidates.find(({ note }) => note.score !== null);
  const best = candidateOf(state, state.bestId);
  if (!first || !best) return [];
  const before = new Map(outcomesOf(first).map((each) => [each.name, each]));
  const both = outcomesOf(best).flatMap((now) => {
    const then = before.get(now.name);
    return then ? [{ now, then }] : [];
  });
  const features = [...new Set(both.flatMap(({ now }) => Object.keys(now.features)))];
  return features.flatMap((feature) => {
    const values = new Set(both.map(({ now }) => now.features[feature]));
    if (values.size < 2) return [];
    const groups = grouped(both, ({ now }) => now.features[feature]);
    return [{ feature, groups: groups.map(({ label, members }) => standingOf(label, members, counting)) }];
  });
}

function standingOf(
  label: string,
  members: readonly { readonly now: CaseOutcome; readonly then: CaseOutcome }[],
  counting: Counting,
): GroupStanding {
  const bestKnown = ({ now, then }: (typeof members)[number]): number | null =>
    betterScore(now.score, then.score, counting.direction);
  const meanOf = (pick: 'now' | 'then'): number | null => {
    const points = members.map((each) => pointsOf(each[pick], counting, bestKnown(each)));
    const known = points.filter((each) => each !== null);
    return known.length < points.length ? null : mean(known);
  };
  return { label, cases: members.length, first: meanOf('then'), best: meanOf('now') };
}

function betterScore(a: number | null, b: number | null, direction: Direction): number | null {
  if (a === null || b === null) return a ?? b;
  return direction === 'maximise' ? Math.max(a, b) : Math.min(a, b);
}

function outcomesOf({ note }: SessionCandidate): readonly CaseOutcome[] {
  return note.evaluation?.cases ?? [];
}
