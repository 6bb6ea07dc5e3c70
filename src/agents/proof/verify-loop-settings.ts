/**
 * The constants of the loop, with the defaults of its paper (Huang and Yang, "Gemini 2.5 Pro Capable of Winning Gold at
 * IMO 2025", 2025, and its published code), what goes beyond it and is off by default, and what brings back the original
 * where ours is stricter on purpose.
 */
import { z } from 'zod';
import { gradingSettings } from './grading-settings.ts';

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
