/** What the parts of the verify loop share in one attempt. Types alone. */
import type { Run } from '../../core/agent.ts';
import type { ProblemSpec } from '../../core/problem.ts';
import type { VerifyLoopSettings } from './verify-loop-settings.ts';

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
