/** The operator `tune`: constants of a program lifted into parameters, and searched without a model. For now: nothing. */
import type { Run } from '../../core/agent.ts';
import type { ProgramTask } from '../../core/program.ts';

export type Tuning = {
  readonly source: string;
  /** On which the values are compared. */
  readonly cases: readonly string[];
  /** Calls of `run.evaluate` that it may take at most. */
  readonly evaluations: number;
  /** Best scores known so far, for relative scoring. */
  readonly best: Readonly<Record<string, number>>;
};

export type Tuned = {
  /** With the best values in it, as constants again. */
  readonly source: string;
  /** `cooling 0.99 → 0.997, width 10 → 14`. */
  readonly summary: string;
  /** The values by the names of their constants. */
  readonly constants: Readonly<Record<string, number>>;
  readonly evaluations: number;
};

/** Null where there is nothing to tune, or no value was better. */
export async function tune(_run: Run, _task: ProgramTask, _tuning: Tuning): Promise<Tuned | null> {
  return null;
}
