/**
 * The notes of the agents that prove and grade, how they are read, and each in a line for people. The final proof
 * stands in the run's end. A rubric reaches the graders, and never the solver, through `spec.brief.criteria`; empty
 * means none.
 */
import { z } from 'zod';
import type { Run } from '../core/agent.ts';
import type { Event } from '../core/event.ts';
import { count } from '../text/format.ts';
import type { EventLine } from '../text/line.ts';
import { createDescriber, majorLine, minorLine, type NoteOf, noteIn } from './note.ts';

const whole = z.number().int().nonnegative();
const points = z.number().int().min(0).max(7);

/** Attempts are counted from 1, iterations from 0; what comes before the first iteration of an attempt has null. */
const place = { attempt: whole, iteration: whole.nullable() };
const turn = z.enum(['solve', 'improve', 'correct']);

/** `void`: no finding survived its review; neither a pass nor a failure. */
const verdict = z.enum(['pass', 'fail', 'void']);

export const findingKinds = ['critical-error', 'justification-gap', 'proves-less'] as const;

export const findingNames: Readonly<Record<(typeof findingKinds)[number], string>> = {
  'critical-error': 'Critical error',
  'justification-gap': 'Justification gap',
  'proves-less': 'Proves less than was asked',
};

/** `overruled`: a reviewer says that it does not hold; `mended`: nor does it any more, since the text was changed. */
const answers = ['open', 'overruled', 'mended'] as const;
export type FindingAnswer = (typeof answers)[number];

const finding = z.object({
  kind: z.enum(findingKinds),
  /** The place in the words of the proof. */
  quote: z.string(),
  /** Where the proof has these words: lines from 1 on, both included; null where it has them nowhere. */
  lines: z.object({ first: whole, last: whole }).nullable(),
  explanation: z.string(),
  /** The graders that found it, from 1 on. */
  graders: z.array(whole),
});

export const proofNoteShapes = {
  'attempt-start': z.object({ attempt: whole }),
  /** The solver's proof after one of its turns. `rebuttal`: its objections to the last report. */
  draft: z.object({ ...place, turn, text: z.string(), rebuttal: z.string().nullable() }),
  /** A grader's report; `points` is null where it gave none. */
  report: z.object({
    ...place,
    grader: whole,
    pass: z.boolean(),
    points: points.nullable(),
    /** What each part of the rubric earned, where the grader went through them. */
    parts: z.array(z.object({ part: z.string(), reason: z.string(), points: z.number().int() })).optional(),
    report: z.string(),
  }),
  /** What came of a verification; `bugReport` is what the solver will be sent, empty where nothing is. */
  verification: z.object({
    ...place,
    verdict,
    votes: z.object({ yes: whole, no: whole, of: whole }),
    /** The median of the grades that were given. */
    points: points.nullable(),
    bugReport: z.string(),
  }),
  /**
   * What was found in the last draft before it; it is open until an answer says otherwise. `against`: its grader did not
   * pass the draft. No graders: the draft's own words say so.
   */
  finding: z.object({ ...place, id: whole, against: z.boolean(), ...finding.shape }),
  /** A reviewer's judgement of a finding, on the last draft before it. */
  'finding-answer': z.object({ ...place, id: whole, answer: z.enum(answers), why: z.string() }),
  /** The counters at the beginning of an iteration. */
  counters: z.object({ attempt: whole, iteration: whole, passes: whole, failures: whole }),
  /** A person's hint, and the turn from which it holds. */
  hint: z.object({ ...place, turn, hint: z.string() }),
  /** A reply without a proof; it was asked for again. */
  'missing-section': z.object({ ...place, turn }),
  /** A call failed, and the loop went on with what it had (`judging: published`). */
  'call-failed': z.object({ ...place, message: z.string() }),
  'attempt-end': z.object({
    attempt: whole,
    /** `failures`: too many in a row; `cut-off`: a reply, also when it was asked for once more; `partial`: its solver leaves the text as it is, although a finding is open; `iterations`: used up; `limit`: of the run; `context`: of a model, which was full; `call-failed`: before the first iteration. */
    end: z.enum([
      'accepted',
      'failures',
      'partial',
      'iterations',
      'limit',
      'context',
      'refused',
      'malformed',
      'cut-off',
      'call-failed',
    ]),
    iteration: whole.nullable(),
    passes: whole,
    failures: whole,
    /** The ids of findings that no change of an accepted text has answered. */
    doubts: z.array(whole),
  }),
  /** Two accepted proofs, by the attempts they are of; `better` is null where the two orders disagree. */
  comparison: z.object({
    attempts: z.tuple([whole, whole]),
    better: whole.nullable(),
    reasons: z.array(z.string()),
  }),
  /** Which accepted proof is handed in, of how many. `isComplete`: false where a limit ended the comparison. */
  selection: z.object({
    pool: z.array(z.object({ attempt: whole, score: z.number() })),
    chosen: whole,
    isComplete: z.boolean(),
  }),
  /** Nothing survived. The best partial result is the answer of the run's end; here is how far it came. */
  abstention: z.object({ attempt: whole, passes: whole, points: points.nullable(), openGaps: z.string() }),
  /** What came of grading a proof that was brought along: agent `proof-grader`. */
  grading: z.object({
    pass: z.boolean(),
    votes: z.object({ yes: whole, no: whole, of: whole }),
    points: points.nullable(),
    /** `answer`: where a reviewer judged it. */
    findings: z.array(finding.extend({ answer: z.enum(answers).optional(), why: z.string().optional() })),
  }),
};

type NoteSchemas = typeof proofNoteShapes;
export type ProofNoteKind = keyof NoteSchemas;
export type ProofNoteData<Kind extends ProofNoteKind> = z.infer<NoteSchemas[Kind]>;
export type ProofNote = NoteOf<NoteSchemas>;

export function note<Kind extends ProofNoteKind>(run: Run, kind: Kind, data: ProofNoteData<Kind>): void {
  run.note(kind, data);
}

/** The note that an event is; null for other events and for other agents' notes of the same name. */
export function proofNoteOf(event: Event): ProofNote | null {
  return noteIn(proofNoteShapes, event);
}

export const describeProofNote = createDescriber(proofNoteShapes, lineOf);

/** `attempt 1, iteration 3: 2 passes, 0 errors in a row`; null where the event says nothing of them. */
export function countersIn(event: Event): string | null {
  const note = proofNoteOf(event);
  if (note?.kind === 'counters') return countersText(note.data);
  return note?.kind === 'attempt-start' ? `attempt ${note.data.attempt}` : null;
}

function lineOf({ kind, data }: ProofNote): EventLine {
  switch (kind) {
    case 'counters':
      return majorLine(countersText(data), 'accent');
    case 'attempt-start':
      return majorLine(`attempt ${data.attempt} begins`, 'strong');
    case 'attempt-end': {
      const isDoubtful = data.doubts.length > 0;
      const tone = data.end !== 'accepted' ? 'bad' : isDoubtful ? 'warn' : 'good';
      return majorLine(`attempt ${data.attempt} has ended: ${attemptEndText(data)}`, tone);
    }
    case 'verification': {
      const { verdict, votes, points } = data;
      const tone = verdict === 'pass' ? 'good' : 'warn';
      return majorLine(`${verdicts[verdict]}${votesText(votes)}${pointsText(points)}`, tone);
    }
    case 'hint':
      return majorLine(`hint from the turn "${data.turn}" on: ${data.hint}`, 'warn');
    case 'finding':
      return majorLine(`finding ${data.id}: ${findingNames[data.kind].toLowerCase()}`, 'warn');
    case 'finding-answer':
      return majorLine(`finding ${data.id} is ${data.answer}`, data.answer === 'open' ? 'warn' : 'faint');
    case 'missing-section':
      return majorLine('the reply holds no proof; it is asked for again', 'warn');
    case 'call-failed':
      return majorLine(`a call failed, and is counted: ${data.message}`, 'warn');
    case 'comparison': {
      const [one, other] = data.attempts;
      const text = data.better === null ? 'neither is better' : `that of attempt ${data.better} is better`;
      return majorLine(`the proofs of attempts ${one} and ${other}: ${text}`, 'faint');
    }
    case 'selection': {
      const pool = count(data.pool.length, 'accepted proof');
      return majorLine(`of ${pool} that of attempt ${data.chosen} is chosen`, 'good');
    }
    case 'abstention': {
      const best = `of attempt ${data.attempt}, with ${formatPasses(data.passes)} in a row`;
      return majorLine(`nothing was accepted; the best is ${best}`, 'warn');
    }
    case 'grading': {
      const verdict = `${data.pass ? 'passed' : 'not passed'}${votesText(data.votes)}${pointsText(data.points)}`;
      return majorLine(`${verdict}, ${count(data.findings.length, 'finding')}`, data.pass ? 'good' : 'bad');
    }
    case 'draft':
    case 'report':
      // Its words have just been shown: they were a reply.
      return minorLine(`${kind} of ${placeText(data)}`);
  }
}

const attemptEnds: Readonly<Record<ProofNoteData<'attempt-end'>['end'], string>> = {
  accepted: 'its proof is accepted',
  failures: 'too many failed verifications in a row',
  partial: 'its solver leaves its text as it is, although a finding is open',
  iterations: 'its iterations are used up',
  limit: 'a limit of the run was reached',
  context: 'the context of its model was full',
  refused: 'the model refused',
  malformed: 'no reply could be used',
  'cut-off': 'its model’s replies were cut off',
  'call-failed': 'a call failed before its first iteration',
};

export function attemptEndText({
  end,
  doubts,
}: Pick<ProofNoteData<'attempt-end'>, 'end' | 'doubts'>): string {
  return doubts.length === 0
    ? attemptEnds[end]
    : `${attemptEnds[end]}, with ${count(doubts.length, 'doubt')}`;
}

function countersText(data: ProofNoteData<'counters'>): string {
  const { attempt, iteration, passes, failures } = data;
  return `attempt ${attempt}, iteration ${iteration}: ${formatPasses(passes)}, ${count(failures, 'error')} in a row`;
}

export function formatPasses(passes: number): string {
  return passes === 1 ? '1 pass' : `${passes} passes`;
}

/** `attempt 1, iteration 3`, or `attempt 1, at the beginning`. */
export function placeText({ attempt, iteration }: { attempt: number; iteration: number | null }): string {
  return `attempt ${attempt}, ${iteration === null ? 'at the beginning' : `iteration ${iteration}`}`;
}

const verdicts: Readonly<Record<ProofNoteData<'verification'>['verdict'], string>> = {
  pass: 'verified',
  fail: 'not verified',
  void: 'no finding survived its review: neither a pass nor an error',
};

/** Nothing where one grader decides. */
function votesText({ yes, no, of }: { yes: number; no: number; of: number }): string {
  if (of <= 1) return '';
  const unasked = of - yes - no;
  return `, ${yes} of ${count(yes + no, 'grader')} for it${unasked > 0 ? `, ${unasked} not waited for` : ''}`;
}

export function pointsText(points: number | null): string {
  return points === null ? '' : `, ${points} of 7 points`;
}
