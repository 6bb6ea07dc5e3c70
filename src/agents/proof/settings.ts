/**
 * The settings of the agents that prove and grade, with the defaults of the paper (Huang and Yang, "Gemini 2.5 Pro Capable
 * of Winning Gold at IMO 2025", 2025, and its published code).
 */
import { z } from 'zod';

const count = z.number().int();

/** How proofs are graded, and how models are called, in verify-loop and in proof-grader. */
export const gradingSettings = {
  graders: count
    .min(1)
    .max(15)
    .default(1)
    .describe('Graders that look at a proof independently. They stop as soon as their vote is decided.'),
  vote: z
    .enum(['majority', 'unanimous'])
    .default('majority')
    .describe('`majority`: more than half of all graders pass it. `unanimous`: all of them.'),
  grading: z
    .enum(['verdict', 'points'])
    .default('verdict')
    .describe(
      '`verdict`: a grader passes a proof or fails it. `points`: it gives 0 to 7, by the rubric if there is one.',
    ),
  passPoints: count
    .min(1)
    .max(7)
    .default(7)
    .describe('The points from which a proof passes, where points are given.'),
  temperature: z.number().min(0).max(2).default(0.1),
  thinkingBudgetTokens: count
    .min(0)
    .default(32_768)
    .describe('How long the model may think; 32,768 as in the published code, 0 leaves it to the model.'),
  maxOutputTokens: count.positive().optional(),
};

export type GradingSettings = z.infer<z.ZodObject<typeof gradingSettings>>;

export const verifyLoopSettings = z.object({
  passes: count.min(1).max(50).default(5).describe('Verifications in a row that accept a proof.'),
  failures: count
    .min(1)
    .max(100)
    .default(10)
    .describe('Failed verifications in a row that give up an attempt.'),
  iterations: count
    .min(1)
    .max(1000)
    .default(30)
    .describe('Iterations that an attempt may take; when they are used up, it has failed.'),
  attempts: count.min(1).max(100).default(10).describe('Attempts from scratch.'),
  pool: count
    .min(1)
    .max(16)
    .default(1)
    .describe(
      'How many accepted proofs are gathered before the best of them is chosen by comparing them in pairs.',
    ),
  ...gradingSettings,
  review: z
    .boolean()
    .default(false)
    .describe('A reviewer judges the findings of each failed verification before the solver reads them.'),
  hints: z
    .array(z.string().trim().min(1))
    .default([])
    .describe('Each is a user’s turn of its own, in front of everything that the solver is asked.'),
  judging: z
    .enum(['strict', 'published'])
    .default('strict')
    .describe(
      '`strict`: a finding stays open until it is answered. `published`: the loop of the published code, with one grader and a judge who says yes or no; graders, vote, grading and review have no effect.',
    ),
  reportFrom: z
    .enum(['start', 'summary'])
    .default('start')
    .describe('Where the published loop cuts the report for the solver; one of its programs cut at Summary.'),
});

export type VerifyLoopSettings = z.infer<typeof verifyLoopSettings>;
