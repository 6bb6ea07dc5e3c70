/**
 * What a session has come to, folded from the journal of its run event by event: `status`, reports and every file that a
 * session leaves show this and nothing else. Pure; who runs it and where its files are is for others to know.
 */
import type { Event } from '../../../core/event.ts';
import { applyEvent, emptyView, type RunView } from '../../../core/fold.ts';
import type { Json } from '../../../core/json.ts';
import {
  type CandidateNote,
  type EvolutionNotes,
  evolutionNoteOf,
  type Strategy,
} from '../../../notes/evolution.ts';

export type SessionCandidate = {
  readonly note: CandidateNote;
  readonly atMs: number;
  /** Cases that were run later, for other reasons than the search: never mixed with those of the search. */
  readonly more: readonly Pick<EvolutionNotes['more-cases'], 'evaluation' | 'why'>[];
};

type BestStep = Pick<EvolutionNotes['best'], 'generation' | 'score' | 'id'> & {
  readonly atMs: number;
};

export type SessionState = {
  readonly run: RunView;
  /** In the order in which they began: a change of model makes a fork. */
  readonly runs: readonly string[];
  readonly endedAtMs: number | null;
  readonly setting: EvolutionNotes['setting'] | null;
  readonly analysis: Json | null;
  /** The strategies of the islands in their order. */
  readonly strategies: readonly Strategy[];
  /** In the order in which they were settled. */
  readonly candidates: readonly SessionCandidate[];
  readonly generation: number;
  /** The best now: of the search, or as it was chosen at the end. */
  readonly bestId: string | null;
  readonly best: readonly BestStep[];
  readonly final: EvolutionNotes['final'] | null;
  readonly doing: readonly Doing[];
  readonly failing: readonly Failing[];
  /** Which of the beginnings went on; null where as many began as there are islands. */
  readonly trial: EvolutionNotes['trial'] | null;
  readonly migrations: readonly EvolutionNotes['migration'][];
  readonly hints: readonly EvolutionNotes['hint'][];
  /** What its user said, and what became of it. */
  readonly heard: readonly EvolutionNotes['heard'][];
  readonly changes: readonly EvolutionNotes['changed'][];
  /** The part of its time that it waited for the user. */
  readonly waitedMs: number;
  /** Why nothing is searched for any more. */
  readonly over: string | null;
};

export const emptySession: SessionState = {
  run: emptyView,
  runs: [],
  generation: 0,
  waitedMs: 0,
  endedAtMs: null,
  setting: null,
  analysis: null,
  strategies: [],
  candidates: [],
  bestId: null,
  best: [],
  final: null,
  doing: [],
  failing: [],
  trial: null,
  over: null,
  migrations: [],
  hints: [],
  heard: [],
  changes: [],
};

export function foldSession(events: readonly Event[], from: SessionState = emptySession): SessionState {
  return events.reduce(applySession, from);
}

export function applySession(before: SessionState, event: Event): SessionState {
  const run = applyEvent(before.run, event);
  const state = { ...before, run, failing: failingNow(before.failing, event) };
  switch (event.kind) {
    case 'run-start':
      return { ...state, runs: [event.body.runId] };
    case 'run-fork': {
      const runs = [...before.runs, event.body.runId];
      return { ...state, runs, endedAtMs: null, doing: [], failing: [], over: null };
    }
    case 'run-resume':
      // Calls in flight are made again, and `doing` still describes them.
      return { ...state, endedAtMs: null };
    case 'run-end':
      return { ...state, endedAtMs: event.atMs };
    case 'note':
      return withNote(state, event);
    default:
      return state;
  }
}

function withNote(state: SessionState, event: Event): SessionState {
  const note = evolutionNoteOf(event);
  switch (note?.kind) {
    case 'setting':
      return { ...state, setting: note.data };
    case 'analysis':
      return { ...state, analysis: note.data.analysis };
    case 'strategies':
      return { ...state, strategies: note.data.strategies };
    case 'doing':
      return { ...state, doing: doingNow(state.doing, { branch: event.branch, ...note.data }) };
    case 'candidate':
      return withCandidate(state, note.data, event.atMs);
    case 'more-cases':
      return withMore(state, note.data);
    case 'best':
      return withBest(state, note.data, event.atMs);
    case 'generation':
      return { ...state, generation: Math.max(state.generation, note.data.generation) };
    case 'final':
      return { ...state, final: note.data, bestId: note.data.chosen };
    case 'migration':
      return { ...state, migrations: [...state.migrations, note.data] };
    case 'trial':
      return { ...state, trial: note.data };
    case 'hint':
      return { ...state, hints: [...state.hints, note.data] };
    case 'heard':
      return { ...state, heard: [...state.heard, note.data] };
    case 'changed':
      return {
        ...state,
        changes: [...state.changes, note.data],
        setting: state.setting && changedSetting(state.setting, note.data.settings),
        over: null,
      };
    case 'waited':
      return { ...state, waitedMs: note.data.ms };
    case 'search-over':
      return { ...state, over: note.data.because };
    default:
      return state;
  }
}

/** Of what it began with, the numbers that were sent; what else was sent stands in `changes` alone. */
function changedSetting(
  setting: EvolutionNotes['setting'],
  request: EvolutionNotes['changed']['settings'],
): EvolutionNotes['setting'] {
  const numbers = Object.entries(request).filter(
    ([name, value]) => Object.hasOwn(setting, name) && typeof value === 'number',
  );
  return { ...setting, ...Object.fromEntries(numbers) };
}

/** Told twice, as after a resume that took a result back, it is one candidate: the later word holds. */
function withCandidate(state: SessionState, note: CandidateNote, atMs: number): SessionState {
  const known = state.candidates.findIndex((each) => each.note.id === note.id);
  const candidate = { note, atMs, more: [] };
  const candidates = known < 0 ? [...state.candidates, candidate] : state.candidates.with(known, candidate);
  return { ...state, candidates, generation: Math.max(state.generation, note.generation) };
}

function withMore(state: SessionState, { id, ...more }: EvolutionNotes['more-cases']): SessionState {
  const candidates = state.candidates.map((each) =>
    each.note.id === id ? { ...each, more: [...each.more, more] } : each,
  );
  return { ...state, candidates };
}

function withBest(state: SessionState, note: EvolutionNotes['best'], atMs: number): SessionState {
  const { id, generation, score } = note;
  const last = state.best.at(-1);
  if (last?.id === id && last.score === score) return { ...state, bestId: id };
  return { ...state, bestId: id, best: [...state.best, { id, generation, score, atMs }] };
}

/** Asked for every parent of every candidate: of thousands, so each list is put in order by id once. */
const byId = new WeakMap<readonly SessionCandidate[], ReadonlyMap<string, SessionCandidate>>();

export function candidateOf({ candidates }: SessionState, id: string | null): SessionCandidate | null {
  if (id === null) return null;
  const known = byId.get(candidates) ?? new Map(candidates.map((each) => [each.note.id, each]));
  byId.set(candidates, known);
  return known.get(id) ?? null;
}

type Doing = { readonly branch: string; readonly island: number; readonly what: string };

/** A call that failed in a branch, which has asked for nothing since. */
type Failing = { readonly branch: string; readonly why: string };

/** Branches that come and go leave their last words behind; more than this never work at once. */
const mostDoing = 64;

function doingNow(actions: readonly Doing[], now: Doing): readonly Doing[] {
  return [...actions.filter(({ branch }) => branch !== now.branch), now].slice(-mostDoing);
}

function failingNow(failing: readonly Failing[], event: Event): readonly Failing[] {
  const siblings = failing.filter(({ branch }) => branch !== event.branch);
  if (event.kind !== 'model-response' || event.body.status !== 'error') return siblings;
  const { message, model } = event.body.error;
  if (!model?.retryable) return siblings;
  return [...siblings, { branch: event.branch, why: `${model.kind}: ${message}` }];
}

/** Lines of work that wait for something now: those whose last words are still true. */
export function busyNow({ doing, failing, run }: SessionState): readonly Doing[] {
  return doing.flatMap((each, at) => {
    // A branch that has handed its work on to branches of its own says nothing of what these do.
    const isOvertaken = doing
      .slice(at + 1)
      .some(({ branch }) => branch !== each.branch && isWithin(branch, each.branch));
    if (each.what === '' || isOvertaken) return [];
    if (run.open.some(({ event }) => isWithin(event.branch, each.branch))) return [each];
    const failed = failing.find(({ branch }) => isWithin(branch, each.branch));
    return failed
      ? [{ ...each, what: `${each.what}; the call failed and is made again: ${failed.why}` }]
      : [];
  });
}

function isWithin(branch: string, other: string): boolean {
  return other === '' || branch === other || branch.startsWith(`${other}/`);
}
