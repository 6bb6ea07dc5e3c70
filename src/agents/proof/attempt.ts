/**
 * One attempt of the verify loop: its settings, with the defaults of its paper (Huang and Yang, "Gemini 2.5 Pro Capable
 * of Winning Gold at IMO 2025", 2025, and its published code), its state, and the solver's turns: a first solution, its
 * improvement, corrections from a fresh context. No proof is lost to a reply that holds none.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import type { Message } from '../../core/model.ts';
import type { ProblemSpec } from '../../core/problem.ts';
import { note } from '../../notes/proof.ts';
import { assistant, system, user } from '../kit/asking.ts';
import { cutBehind, sectionFrom } from '../kit/sections.ts';
import { gradingSettings } from './grader.ts';
import { said, spoken } from './talk.ts';

const count = z.number().int();

export const verifyLoopSettings = z.object({
  /** Verifications in a row that accept a proof. */
  passes: count.min(1).max(50).default(5),
  /** Failed verifications in a row that give up an attempt. */
  failures: count.min(1).max(100).default(10),
  /** Iterations that an attempt may take; used up, it has failed as well, and is told apart. */
  iterations: count.min(1).max(1000).default(30),
  /** Attempts from scratch. */
  attempts: count.min(1).max(100).default(10),
  /** How many accepted proofs are gathered before the best of them is chosen by comparing them in pairs. */
  pool: count.min(1).max(16).default(1),
  ...gradingSettings,
  /** A reviewer drops the wrong complaints of a report before it is sent to the solver. */
  review: z.boolean().default(false),
  /** Each is a user's turn of its own, in front of everything that the solver is asked. */
  hints: z.array(z.string().trim().min(1)).default([]),
  compat: z
    .strictObject({
      /**
       * `headings`: sections are found under headings in any form, and a reply without a proof is asked for again.
       * `substring`: they are cut where their names first occur, and an empty proof is verified, as in the original.
       */
      sections: z.enum(['headings', 'substring']).default('headings'),
      /** `strict`: yes and nothing else. `substring`: "yes" anywhere in the reply, as in the original. */
      verdict: z.enum(['strict', 'substring']).default('strict'),
      /** `end`: the run ends, to be resumed. `count`: the iteration counts, the last verdict and report stay. */
      failedCalls: z.enum(['end', 'count']).default('end'),
      /** Where the bug report begins that the solver is sent: of the whole report, or behind its Summary heading. */
      reportFrom: z.enum(['start', 'summary']).default('start'),
    })
    .prefault({}),
});

export type VerifyLoopSettings = z.infer<typeof verifyLoopSettings>;

export type Attempt = {
  /** The attempt's own branch. */
  readonly run: Run;
  readonly spec: ProblemSpec;
  readonly settings: VerifyLoopSettings;
  /** Of all attempts: those of the settings, and what was told while the run lived. */
  readonly hints: string[];
  /** Where it stands, for notes; moved on by the loop. */
  readonly place: { readonly attempt: number; iteration: number | null };
  /** Verifications so far, which name their branches. */
  verifications: number;
};

/** What the solver last sent: the whole reply goes back to it, its proof goes to the grader. */
export type Draft = {
  readonly text: string;
  readonly proof: string;
  /** What it, or a reviewer for it, holds against the last report. */
  readonly rebuttal: string | null;
};

export type Review = {
  /** `void`: no complaint survived its review. Neither a pass nor a failure. */
  readonly verdict: 'pass' | 'fail' | 'void';
  readonly points: number | null;
  /** What the solver is sent; empty where there is nothing to send. */
  readonly bugReport: string;
  /** Why the complaints of a void report do not hold. */
  readonly objections: string;
};

type Turn = 'solve' | 'improve' | 'correct';

export async function firstSolution(attempt: Attempt): Promise<Draft> {
  const messages = await question(attempt, 'solve');
  const text = await sayingOf(attempt)(attempt, 'solver', messages);
  return told(attempt, 'solve', draftIn(attempt, text) ?? { text, proof: text, rebuttal: null });
}

export async function improved(attempt: Attempt, first: Draft): Promise<Draft> {
  const messages = [
    ...(await question(attempt, 'improve')),
    assistant(first.text),
    user(attempt.run.prompt('improve')),
  ];
  const { draft, text } = await drafted(attempt, 'improve', messages);
  if (draft) return told(attempt, 'improve', draft);
  const firstHasProof = sectionFrom(first.text, 'Detailed Solution') !== null;
  return told(attempt, 'improve', firstHasProof ? first : { text, proof: text, rebuttal: null });
}

/** From a fresh context: the problem, the proof as it stands, the report. Nothing of earlier rounds. */
export async function corrected(attempt: Attempt, last: Draft, { bugReport }: Review): Promise<Draft> {
  const messages = [
    ...(await question(attempt, 'correct')),
    assistant(last.text),
    user(attempt.run.prompt('correct', { report: bugReport })),
  ];
  const { draft, text } = await drafted(attempt, 'correct', messages);
  // A reply that only defends the proof, under a heading or not, must not lose it.
  const rebuttal = sectionFrom(text, 'Rebuttal') ?? text;
  return told(attempt, 'correct', draft ?? { ...last, rebuttal });
}

/** Asks once more where a reply holds neither a proof nor a rebuttal. */
async function drafted(attempt: Attempt, turn: Turn, messages: readonly Message[]) {
  const text = await sayingOf(attempt)(attempt, 'solver', messages);
  const draft = draftIn(attempt, text);
  const isRebuttal = turn === 'correct' && sectionFrom(text, 'Rebuttal') !== null;
  if (draft || isRebuttal) return { draft, text };
  note(attempt.run, 'missing-section', { ...attempt.place, turn });
  const asked = [...messages, assistant(text), user(attempt.run.prompt('section'))];
  const again = await spoken(attempt, 'solver', asked);
  return { draft: draftIn(attempt, again), text: again };
}

/** The original takes what comes, be it nothing. */
function sayingOf({ settings }: Attempt): typeof said {
  return settings.compat.sections === 'substring' ? said : spoken;
}

function draftIn({ settings }: Attempt, text: string): Draft | null {
  if (settings.compat.sections === 'substring')
    return { text, proof: cutBehind(text, 'Detailed Solution'), rebuttal: null };
  const proof = sectionFrom(text, 'Detailed Solution', ['Rebuttal']);
  if (proof === null) return null;
  return { text, proof, rebuttal: sectionFrom(text, 'Rebuttal', ['Summary', 'Detailed Solution']) };
}

function told({ run, place }: Attempt, turn: Turn, draft: Draft): Draft {
  note(run, 'draft', { ...place, turn, text: draft.text, rebuttal: draft.rebuttal });
  return draft;
}

/** The instructions, the problem, and each hint as a turn of its own. */
async function question(attempt: Attempt, turn: Turn): Promise<Message[]> {
  const { run, spec, hints, place } = attempt;
  for (const hint of await run.inbox()) {
    hints.push(hint);
    note(run, 'hint', { ...place, turn, hint });
  }
  return [
    system(run.prompt('solver')),
    { role: 'user', content: spec.statement },
    ...hints.map((hint) => user(run.prompt('hint', { hint }))),
  ];
}
