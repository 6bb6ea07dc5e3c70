/** How proofs are graded, and how models are asked: what verify-loop and proof-grader have in common. */
import { z } from 'zod';

export const gradingSettings = {
  /** Graders that look at a proof independently. They stop as soon as their vote is decided. */
  graders: z.number().int().min(1).max(15).default(1),
  /** `majority`: more than half of all graders pass it. `unanimous`: all of them. */
  vote: z.enum(['majority', 'unanimous']).default('majority'),
  /** `verdict`: a grader passes a proof or fails it. `points`: it gives 0 to 7, by the rubric if there is one. */
  grading: z.enum(['verdict', 'points']).default('verdict'),
  /** The points from which a proof passes, where points are given. */
  passPoints: z.number().int().min(1).max(7).default(7),
  temperature: z.number().min(0).max(2).default(0.1),
  /** As in the published code; 0 leaves it to the model. */
  thinkingBudgetTokens: z.number().int().min(0).default(32_768),
  maxOutputTokens: z.number().int().positive().optional(),
};

const grading = z.object(gradingSettings);

export type GradingSettings = z.infer<typeof grading>;
