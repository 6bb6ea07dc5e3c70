/**
 * What the agents that prove and grade note in a journal, kind by kind, and how such a line is read again. What
 * `proof show`, a live view and an export tell of a proof is a fold over these lines; the final proof stands in the run's
 * end. The agents write them (src/agents/proof/note.ts), anybody reads them: `proofNoteOf`.
 *
 * A rubric reaches the graders through `spec.brief.criteria`: verify-loop and proof-grader show it to graders alone,
 * never to the solver. Empty means that there is none.
 */
import { z } from 'zod';
import type { Event } from '../core/event.ts';

const count = z.number().int().nonnegative();
const points = z.number().int().min(0).max(7);

/** Attempts are counted from 1, iterations from 0; what comes before the first iteration of an attempt has null. */
const place = { attempt: count, iteration: count.nullable() };
/** What the solver is asked for in a turn. */
const turn = z.enum(['solve', 'improve', 'correct']);

/** `void`: the grader's complaints did not survive their review; neither a pass nor a failure. */
const verdict = z.enum(['pass', 'fail', 'void']);

const finding = z.object({
  kind: z.enum(['critical-error', 'justification-gap']),
  /** The place in the words of the proof. */
  quote: z.string(),
  /** Where the proof has these words: lines from 1 on, both included; null where it has them nowhere. */
  lines: z.object({ first: count, last: count }).nullable(),
  explanation: z.string(),
  /** Who found it, from 1 on. */
  graders: z.array(count),
});

export const proofNoteShapes = {
  'attempt-start': z.object({ attempt: count }),
  /** The solver's proof as it stands after one of its turns. `rebuttal`: what it holds against the last report. */
  draft: z.object({ ...place, turn, text: z.string(), rebuttal: z.string().nullable() }),
  /**
   * One grader's report, before anybody's review. `pass` is its vote, null where it was called off before it had one;
   * `points` its grade where it gave one.
   */
  report: z.object({
    ...place,
    grader: count,
    pass: z.boolean().nullable(),
    points: points.nullable(),
    report: z.string(),
  }),
  /** What came of a verification; `bugReport` is what the solver will be sent, empty where nothing is. */
  verification: z.object({
    ...place,
    verdict,
    votes: z.object({ yes: count, no: count, of: count }),
    /** The median of the grades that were given. */
    points: points.nullable(),
    bugReport: z.string(),
  }),
  /** What the reviewer of a grader's report made of its complaints. */
  'report-review': z.object({
    ...place,
    kept: z.array(z.string()),
    dropped: z.array(z.object({ complaint: z.string(), why: z.string() })),
  }),
  /** The counters at the beginning of an iteration. */
  counters: z.object({ attempt: count, iteration: count, passes: count, failures: count }),
  /** A person's hint, and the turn from which it holds. */
  hint: z.object({ ...place, turn, hint: z.string() }),
  /** A reply without a proof; it was asked for again. */
  'missing-section': z.object({ ...place, turn }),
  /** A call failed, and the loop went on with what it had (`compat.failedCalls: count`). */
  'call-failed': z.object({ ...place, message: z.string() }),
  'attempt-end': z.object({
    attempt: count,
    /** `failures`: too many in a row; `iterations`: used up; `limit`: of the run; `call-failed`: before the first iteration. */
    end: z.enum(['accepted', 'failures', 'iterations', 'limit', 'refused', 'malformed', 'call-failed']),
    iteration: count.nullable(),
    passes: count,
    failures: count,
  }),
  /** Two accepted proofs, by the attempts they are of; `better` is null where the two orders disagree. */
  comparison: z.object({
    attempts: z.tuple([count, count]),
    better: count.nullable(),
    reasons: z.array(z.string()),
  }),
  /** Which accepted proof is handed in, of how many. `isComplete`: false where a limit ended the comparison. */
  selection: z.object({
    pool: z.array(z.object({ attempt: count, score: z.number() })),
    chosen: count,
    isComplete: z.boolean(),
  }),
  /** Nothing survived. The best partial result is the answer of the run's end; here is how far it came. */
  abstention: z.object({ attempt: count, passes: count, points: points.nullable(), openGaps: z.string() }),
  /** What came of grading a proof that was brought along: agent `proof-grader`. */
  grading: z.object({
    pass: z.boolean(),
    votes: z.object({ yes: count, no: count, of: count }),
    points: points.nullable(),
    findings: z.array(finding),
  }),
};

type Shapes = typeof proofNoteShapes;
export type ProofNoteKind = keyof Shapes;
export type ProofNoteData<Kind extends ProofNoteKind> = z.infer<Shapes[Kind]>;
export type ProofNote = {
  readonly [Kind in ProofNoteKind]: { readonly kind: Kind; readonly data: ProofNoteData<Kind> };
}[ProofNoteKind];

/** The note in a line of a journal; null where it is another line, or another agent's note of the same name. */
export function proofNoteOf(event: Event): ProofNote | null {
  if (event.kind !== 'note' || !isProofNoteKind(event.body.kind)) return null;
  const { kind } = event.body;
  const parsed = proofNoteShapes[kind].safeParse(event.body.data);
  return parsed.success ? ({ kind, data: parsed.data } as ProofNote) : null;
}

function isProofNoteKind(kind: string): kind is ProofNoteKind {
  return Object.hasOwn(proofNoteShapes, kind);
}
