/**
 * What a journal tells of a proof: its attempts, and in them round by round the drafts, the reports on them, what came of
 * each verification, and the counters; hints with the turn from which they hold; the proof that was handed in. One fold
 * over the notes of the agents that prove and grade. Pure.
 */
import type { Solution } from '../../core/agent.ts';
import type { Event, Header, RunEnd } from '../../core/event.ts';
import { standingNotes } from '../../notes/note.ts';
import { type ProofNote, type ProofNoteData, type ProofNoteKind, proofNoteOf } from '../../notes/proof.ts';

/** A note, and the event that it is. */
export type Noted<Kind extends ProofNoteKind> = ProofNoteData<Kind> & { readonly seq: number };

/** What belongs to one iteration of an attempt; `iteration` is null before the first. */
export type Round = {
  readonly iteration: number | null;
  readonly counters: Noted<'counters'> | null;
  readonly hints: readonly Noted<'hint'>[];
  readonly drafts: readonly Noted<'draft'>[];
  readonly reports: readonly Noted<'report'>[];
  readonly reviews: readonly Noted<'report-review'>[];
  readonly verification: Noted<'verification'> | null;
  readonly failedCalls: readonly Noted<'call-failed'>[];
};

export type ProofAttempt = {
  readonly number: number;
  readonly rounds: readonly Round[];
  /** Null while it lives, and where its run was broken off. */
  readonly end: Noted<'attempt-end'> | null;
};

export type ProofRecord = {
  readonly header: Header | null;
  readonly end: RunEnd | null;
  readonly attempts: readonly ProofAttempt[];
  /** Those that were given before the first turn. */
  readonly earlyHints: readonly string[];
  readonly comparisons: readonly Noted<'comparison'>[];
  readonly selection: Noted<'selection'> | null;
  readonly abstention: Noted<'abstention'> | null;
  /** Of all rounds, in the order in which they were written. */
  readonly reports: readonly Noted<'report'>[];
  /** Of a proof that was brought along. */
  readonly grading: Noted<'grading'> | null;
  /** What was handed in or brought along; else the last draft there is. Null where there is none. */
  readonly proof: { readonly text: string; readonly standing: Standing } | null;
};

/**
 * `accepted` by its graders; `partial`: handed in all the same; `draft`: what there was when the run was broken off. Of a
 * proof that was brought along: `passed`, `failed`, or `undecided`.
 */
export type Standing = 'accepted' | 'partial' | 'draft' | 'passed' | 'failed' | 'undecided';

export function proofRecord(events: readonly Event[]): ProofRecord {
  const notes = standingNotes(events).flatMap((event) => {
    const note = proofNoteOf(event);
    return note ? [{ note, seq: event.seq }] : [];
  });
  const record = notes.reduce((before, { note, seq }) => add(before, note, seq), empty);
  const header = headerOf(events);
  const end = endOf(events);
  const brought = broughtProof(record, header);
  return {
    ...record,
    ...{ header, end },
    earlyHints: earlyHintsOf(header),
    proof: brought ?? proofOf(record, end),
    attempts: brought ? [] : record.attempts,
    reports: reportsOf(record),
  };
}

const empty: ProofRecord = {
  header: null,
  end: null,
  attempts: [],
  earlyHints: [],
  reports: [],
  comparisons: [],
  selection: null,
  abstention: null,
  grading: null,
  proof: null,
};

const emptyRound = {
  counters: null,
  hints: [],
  drafts: [],
  reports: [],
  reviews: [],
  verification: null,
  failedCalls: [],
};

function add(record: ProofRecord, { kind, data }: ProofNote, seq: number): ProofRecord {
  switch (kind) {
    case 'attempt-start':
      return inAttempt(record, data.attempt, (attempt) => attempt);
    case 'counters':
      return inRound(record, data, (round) => ({ ...round, counters: { ...data, seq } }));
    case 'hint':
      return inRound(record, data, (round) => ({ ...round, hints: [...round.hints, { ...data, seq }] }));
    case 'draft':
      return inRound(record, data, (round) => ({ ...round, drafts: [...round.drafts, { ...data, seq }] }));
    case 'report':
      return inRound(record, data, (round) => ({ ...round, reports: [...round.reports, { ...data, seq }] }));
    case 'report-review':
      return inRound(record, data, (round) => ({ ...round, reviews: [...round.reviews, { ...data, seq }] }));
    case 'verification':
      return inRound(record, data, (round) => ({ ...round, verification: { ...data, seq } }));
    case 'call-failed':
      return inRound(record, data, (round) => ({
        ...round,
        failedCalls: [...round.failedCalls, { ...data, seq }],
      }));
    case 'attempt-end':
      return inAttempt(record, data.attempt, (attempt) => ({ ...attempt, end: { ...data, seq } }));
    case 'comparison':
      return { ...record, comparisons: [...record.comparisons, { ...data, seq }] };
    case 'selection':
      return { ...record, selection: { ...data, seq } };
    case 'abstention':
      return { ...record, abstention: { ...data, seq } };
    case 'grading':
      return { ...record, grading: { ...data, seq } };
    default:
      return record;
  }
}

function inAttempt(
  record: ProofRecord,
  number: number,
  change: (attempt: ProofAttempt) => ProofAttempt,
): ProofRecord {
  const known = record.attempts.some((attempt) => attempt.number === number);
  const attempts = known ? record.attempts : [...record.attempts, { number, rounds: [], end: null }];
  return {
    ...record,
    attempts: attempts.map((attempt) => (attempt.number === number ? change(attempt) : attempt)),
  };
}

function inRound(
  record: ProofRecord,
  { attempt: number, iteration }: { readonly attempt: number; readonly iteration: number | null },
  change: (round: Round) => Round,
): ProofRecord {
  return inAttempt(record, number, (attempt) => {
    const known = attempt.rounds.some((round) => round.iteration === iteration);
    const rounds = known ? attempt.rounds : [...attempt.rounds, { iteration, ...emptyRound }];
    return {
      ...attempt,
      rounds: rounds.map((round) => (round.iteration === iteration ? change(round) : round)),
    };
  });
}

/** A fork's own stands behind that of its parent. */
function headerOf(events: readonly Event[]): Header | null {
  const heads = events.flatMap((event) =>
    event.kind === 'run-start' || event.kind === 'run-fork' ? [event.body] : [],
  );
  return heads.at(-1) ?? null;
}

/** A run that was resumed, or forked behind its parent's end, has not ended. */
function endOf(events: readonly Event[]): RunEnd | null {
  const last = events.findLast(
    ({ kind }) => kind === 'run-end' || kind === 'run-resume' || kind === 'run-fork',
  );
  return last?.kind === 'run-end' ? last.body : null;
}

function earlyHintsOf(header: Header | null): readonly string[] {
  const hints = header?.agent.settings.hints;
  return Array.isArray(hints) ? hints.filter((hint) => typeof hint === 'string') : [];
}

function reportsOf({ attempts }: ProofRecord): readonly Noted<'report'>[] {
  return attempts
    .flatMap(({ rounds }) => rounds.flatMap(({ reports }) => reports))
    .toSorted((a, b) => a.seq - b.seq);
}

/** Null where nobody brought one, or an agent wrote one of its own all the same. */
function broughtProof({ attempts, grading }: ProofRecord, header: Header | null): ProofRecord['proof'] {
  const text = header?.problem.family === 'proof' ? header.problem.detail.proof : undefined;
  if (
    typeof text !== 'string' ||
    attempts.some(({ rounds }) => rounds.some(({ drafts }) => drafts.length > 0))
  )
    return null;
  return { text, standing: grading ? (grading.pass ? 'passed' : 'failed') : 'undecided' };
}

function proofOf({ attempts }: ProofRecord, end: RunEnd | null): ProofRecord['proof'] {
  const answer = answerOf(end?.solution ?? null);
  const isAccepted = end?.outcome === 'answered' || end?.outcome === 'solved';
  if (answer !== null) return { text: answer, standing: isAccepted ? 'accepted' : 'partial' };
  // A run may be broken off between the acceptance and its end: the proof has been found all the same.
  const found = attempts.find((attempt) => attempt.end?.end === 'accepted');
  const last = lastDraft(found ? [found] : attempts);
  return last && { text: last.text, standing: found ? 'accepted' : 'draft' };
}

function lastDraft(attempts: readonly ProofAttempt[]): Noted<'draft'> | null {
  const drafts = attempts.flatMap(({ rounds }) => rounds.flatMap((round) => round.drafts));
  return drafts.toSorted((a, b) => a.seq - b.seq).at(-1) ?? null;
}

function answerOf(solution: Solution | null): string | null {
  return solution?.answer?.type === 'text' ? solution.answer.text : null;
}
