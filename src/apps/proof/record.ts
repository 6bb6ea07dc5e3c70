/**
 * What a journal tells of a proof: its attempts, and in them round by round the drafts, the reports on them, what came of
 * each verification, and the counters; hints with the turn from which they hold; the proof that was handed in. Pure.
 */
import type { Event, Header, RunEnd } from '../../core/event.ts';
import { survivingNotes } from '../../notes/note.ts';
import { type ProofNote, type ProofNoteData, type ProofNoteKind, proofNoteOf } from '../../notes/proof.ts';

type Note = ProofNote & { readonly seq: number };

/** What a note says, and the event that it is. */
type Noted<Kind extends ProofNoteKind> = ProofNoteData<Kind> & { readonly seq: number };

export type ProofRecord = ReturnType<typeof proofRecord>;
export type ProofAttempt = ProofRecord['attempts'][number];
export type Round = ReturnType<typeof toRound>;

/**
 * `accepted` by its graders; `doubtful`: accepted, or passed, with findings that no change has answered; `partial`: handed in all the same; `draft`: what there was when the run was broken off. Of a
 * proof that was brought along: `passed`, `failed`, or `undecided`.
 */
export type Standing = 'accepted' | 'doubtful' | 'partial' | 'draft' | 'passed' | 'failed' | 'undecided';

export function proofRecord(events: readonly Event[]) {
  const notes = notesIn(events);
  const header = headerOf(events);
  const end = endOf(events);
  const foundProof = providedProof(notes, header, end);
  return {
    header,
    end,
    attempts: foundProof ? [] : attemptsIn(notes),
    /** Hints that were given before the first turn. */
    earlyHints: earlyHintsOf(header),
    /** What graders found, in the order in which they found it, each with its last answer. */
    findings: findingsIn(notes),
    /** The reports of all rounds, in the order in which they were written. */
    reports: allOf(notes, 'report'),
    comparisons: allOf(notes, 'comparison'),
    selection: lastOf(notes, 'selection'),
    abstention: lastOf(notes, 'abstention'),
    /** The grading of a proof that the user brought. */
    grading: lastOf(notes, 'grading'),
    /** What was handed in or brought along; else the last draft there is. Null where there is none. */
    proof: foundProof ?? proofOf(notes, end),
  };
}

function notesIn(events: readonly Event[]): Note[] {
  return survivingNotes(events).flatMap((event) => {
    const note = proofNoteOf(event);
    return note ? [{ ...note, seq: event.seq }] : [];
  });
}

function allOf<Kind extends ProofNoteKind>(notes: readonly Note[], kind: Kind): readonly Noted<Kind>[] {
  const isIt = (note: Note): note is Note & { readonly data: ProofNoteData<Kind> } => note.kind === kind;
  return notes.filter(isIt).map(({ data, seq }) => ({ ...data, seq }));
}

function lastOf<Kind extends ProofNoteKind>(notes: readonly Note[], kind: Kind): Noted<Kind> | null {
  return allOf(notes, kind).at(-1) ?? null;
}

function findingsIn(notes: readonly Note[]) {
  const answers = allOf(notes, 'finding-answer');
  return allOf(notes, 'finding').map((finding) => {
    const { answer = 'open' as const, why = '' } = answers.findLast(({ id }) => id === finding.id) ?? {};
    return { ...finding, answer, why };
  });
}

function attemptsIn(notes: readonly Note[]) {
  const byAttempt = Map.groupBy(notes.filter(isOfAttempt), ({ data }) => data.attempt);
  return [...byAttempt].map(([number, own]) => ({
    number,
    rounds: [...Map.groupBy(own.filter(isRoundNote), ({ data }) => data.iteration)].map(toRound),
    /** Null while the attempt is at work, and if its run was cancelled. */
    end: lastOf(own, 'attempt-end'),
  }));
}

const roundKinds = ['counters', 'hint', 'draft', 'report', 'verification', 'call-failed'] as const;
type RoundNote = Extract<Note, { readonly kind: (typeof roundKinds)[number] }>;
type AttemptNote = RoundNote | Extract<Note, { readonly kind: 'attempt-start' | 'attempt-end' }>;

function isRoundNote(note: Note): note is RoundNote {
  return roundKinds.some((kind) => kind === note.kind);
}

function isOfAttempt(note: Note): note is AttemptNote {
  return isRoundNote(note) || note.kind === 'attempt-start' || note.kind === 'attempt-end';
}

/** What belongs to one iteration of an attempt; `iteration` is null before the first. */
function toRound([iteration, notes]: readonly [number | null, readonly Note[]]) {
  return {
    iteration,
    counters: lastOf(notes, 'counters'),
    hints: allOf(notes, 'hint'),
    drafts: allOf(notes, 'draft'),
    reports: allOf(notes, 'report'),
    verification: lastOf(notes, 'verification'),
    failedCalls: allOf(notes, 'call-failed'),
  };
}

/** A fork's own header comes after that of its parent. */
function headerOf(events: readonly Event[]): Header | null {
  const start = events.findLast((event) => event.kind === 'run-start' || event.kind === 'run-fork');
  return start?.body ?? null;
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

type FoundProof = { readonly text: string; readonly standing: Standing };

/** Null where the problem came without a proof, or an agent wrote one of its own all the same. */
function providedProof(notes: readonly Note[], header: Header | null, end: RunEnd | null): FoundProof | null {
  const text = header?.problem.family === 'proof' ? header.problem.detail.proof : undefined;
  if (typeof text !== 'string' || notes.some(({ kind }) => kind === 'draft')) return null;
  const grading = lastOf(notes, 'grading');
  if (end?.outcome === 'doubtful') return { text, standing: 'doubtful' };
  return { text, standing: grading ? (grading.pass ? 'passed' : 'failed') : 'undecided' };
}

function proofOf(notes: readonly Note[], end: RunEnd | null): FoundProof | null {
  const answer = end?.solution?.answer;
  const standing = standingAtEnd(notes, end);
  if (answer?.type === 'text') return { text: answer.text, standing };
  // A run may be broken off between the acceptance and its end: the proof has been found all the same.
  const found = attemptsIn(notes).find((attempt) => attempt.end?.end === 'accepted');
  const drafts = allOf(notes, 'draft').filter(({ attempt }) => !found || attempt === found.number);
  const last = drafts.at(-1);
  if (!last) return null;
  return { text: last.text, standing: !found?.end ? 'draft' : acceptedStanding(found.end) };
}

const acceptedStanding = ({ doubts }: { readonly doubts: readonly number[] }): Standing =>
  doubts.length === 0 ? 'accepted' : 'doubtful';

function standingAtEnd(notes: readonly Note[], end: RunEnd | null): Standing {
  if (end?.outcome === 'doubtful') return 'doubtful';
  if (end?.outcome !== 'answered' && end?.outcome !== 'solved') return 'partial';
  // Without one attempt, no grader has seen it.
  return notes.some(isOfAttempt) ? 'accepted' : 'draft';
}
