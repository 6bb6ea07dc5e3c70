/**
 * What the parts of the verify loop share: its settings, with the defaults of its paper (Huang and Yang, "Gemini 2.5
 * Pro Capable of Winning Gold at IMO 2025", 2025, and its published code), and the state of one attempt.
 */
import { z } from 'zod';
import type { Run } from '../../core/agent.ts';
import type { ProblemSpec } from '../../core/problem.ts';
import { gradingSettings } from './grader.ts';

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
