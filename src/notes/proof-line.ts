/** A note of the agents that prove and grade, as one line for people; and the counters as a status line has them. Pure. */
import type { Event } from '../core/event.ts';
import { count } from '../text/format.ts';
import type { EventLine } from '../text/line.ts';
import { type ProofNote, type ProofNoteData, proofNoteOf } from './proof.ts';

/** Null where it is no such note. */
export function describeProofNote(event: Event): EventLine | null {
  const note = proofNoteOf(event);
  return note && lineOf(note);
}

/** `attempt 1, iteration 3: 2 passes, 0 errors in a row`; null where the event says nothing of them. */
export function countersIn(event: Event): string | null {
  const note = proofNoteOf(event);
  if (note?.kind === 'counters') return countersText(note.data);
  return note?.kind === 'attempt-start' ? `attempt ${note.data.attempt}` : null;
}

function lineOf({ kind, data }: ProofNote): EventLine {
  switch (kind) {
    case 'counters':
      return { text: countersText(data), tone: 'accent', isQuiet: false };
    case 'attempt-start':
      return { text: `attempt ${data.attempt} begins`, tone: 'strong', isQuiet: false };
    case 'attempt-end':
      return {
        text: `attempt ${data.attempt} has ended: ${attemptEnds[data.end]}`,
        tone: data.end === 'accepted' ? 'good' : 'bad',
        isQuiet: false,
      };
    case 'verification':
      return {
        text: verificationText(data),
        tone: data.verdict === 'pass' ? 'good' : 'warn',
        isQuiet: false,
      };
    case 'hint':
      return { text: `hint from the turn "${data.turn}" on: ${data.hint}`, tone: 'warn', isQuiet: false };
    case 'report-review':
      return { text: reviewText(data), tone: 'faint', isQuiet: false };
    case 'missing-section':
      return { text: 'the reply holds no proof; it is asked for again', tone: 'warn', isQuiet: false };
    case 'call-failed':
      return { text: `a call failed, and is counted: ${data.message}`, tone: 'warn', isQuiet: false };
    case 'comparison':
      return { text: comparisonText(data), tone: 'faint', isQuiet: false };
    case 'selection':
      return {
        text: `of ${count(data.pool.length, 'accepted proof')} that of attempt ${data.chosen} is chosen`,
        tone: 'good',
        isQuiet: false,
      };
    case 'abstention':
      return {
        text: `nothing was accepted; the best is of attempt ${data.attempt}, with ${passesText(data.passes)} in a row`,
        tone: 'warn',
        isQuiet: false,
      };
    case 'grading':
      return {
        text: `${data.pass ? 'passed' : 'not passed'}${votesText(data.votes)}${pointsText(data.points)}, ${count(data.findings.length, 'finding')}`,
        tone: data.pass ? 'good' : 'bad',
        isQuiet: false,
      };
    case 'draft':
    case 'report':
      // Its words have just been shown: they were a reply.
      return { text: `${kind} of ${placeText(data)}`, tone: 'faint', isQuiet: true };
  }
}

export const attemptEnds: Readonly<Record<ProofNoteData<'attempt-end'>['end'], string>> = {
  accepted: 'its proof is accepted',
  failures: 'too many failed verifications in a row',
  iterations: 'its iterations are used up',
  limit: 'a limit of the run was reached',
  refused: 'the model refused',
  malformed: 'no reply could be used',
  'call-failed': 'a call failed before its first iteration',
};

export function countersText(data: ProofNoteData<'counters'>): string {
  const { attempt, iteration, passes, failures } = data;
  return `attempt ${attempt}, iteration ${iteration}: ${passesText(passes)}, ${count(failures, 'error')} in a row`;
}

export function passesText(passes: number): string {
  return passes === 1 ? '1 pass' : `${passes} passes`;
}

/** `attempt 1, iteration 3`, or where in an attempt it stands before the first. */
export function placeText({ attempt, iteration }: { attempt: number; iteration: number | null }): string {
  return `attempt ${attempt}, ${iteration === null ? 'at the beginning' : `iteration ${iteration}`}`;
}

const verdicts: Readonly<Record<ProofNoteData<'verification'>['verdict'], string>> = {
  pass: 'verified',
  fail: 'not verified',
  void: 'no complaint of the report survived its review: neither a pass nor an error',
};

function verificationText({ verdict, votes, points }: ProofNoteData<'verification'>): string {
  return `${verdicts[verdict]}${votesText(votes)}${pointsText(points)}`;
}

/** Nothing where one grader decides. */
export function votesText({ yes, no, of }: { yes: number; no: number; of: number }): string {
  if (of <= 1) return '';
  const unasked = of - yes - no;
  return `, ${yes} of ${count(yes + no, 'grader')} for it${unasked > 0 ? `, ${unasked} not waited for` : ''}`;
}

export function pointsText(points: number | null): string {
  return points === null ? '' : `, ${points} of 7 points`;
}

function reviewText({ kept, dropped }: ProofNoteData<'report-review'>): string {
  return `review of the report: ${count(kept.length, 'complaint')} kept, ${dropped.length} dropped`;
}

function comparisonText({ attempts: [one, other], better }: ProofNoteData<'comparison'>): string {
  const told = better === null ? 'neither is better' : `that of attempt ${better} is better`;
  return `the proofs of attempts ${one} and ${other}: ${told}`;
}
