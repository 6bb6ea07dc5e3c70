/** Problems whose answer is a program that is measured on cases. Programs are compared only on cases that both ran on. */
import { z } from 'zod';
import type { EffectContext, Evaluation } from './handler.ts';
import type { LanguageId } from './sandbox.ts';

/** The capability `program`. */
export interface ProgramTask {
  readonly language: LanguageId;
  readonly direction: Direction;
  /** `relative`: a case counts as its share of the best that is known of it, as `pointsOf` computes it. */
  readonly scoring: 'absolute' | 'relative';
  /** A complete program with which a search can begin; empty where there is none. */
  readonly template: string;
  /** The cases that a search may look at as often as it likes. */
  readonly cases: readonly string[];
  /** Best scores that were known of cases when the problem was posed; for relative scoring. */
  readonly best: Readonly<Record<string, number>>;
  /** The judge's limit for one case; null if there is none. */
  readonly timeLimitMs: number | null;
  /** How many cases run side by side on this machine; missing where it is unknown. */
  readonly casesAtOnce?: number;
  /**
   * Names of new cases, where the problem can make them: `count` of them, from number `first` (0, 1, …) on, always the same
   * for the same numbers. Pure: they are made when they are first evaluated.
   */
  fresh?(first: number, count: number): readonly string[];
  /** `data` is a `ProgramEvaluation`, `score` the mean of the cases' scores. Without cases: only whether it compiles. */
  evaluate(source: string, cases: readonly string[], context: EffectContext): Promise<Evaluation>;
}

/** Whether a larger score is better or a smaller one. */
export type Direction = 'maximise' | 'minimise';

const caseOutcome = z.object({
  name: z.string(),
  /** `NJ`: not judged, because the machine was too busy: it says nothing of the program. */
  verdict: z.enum(['AC', 'WA', 'TLE', 'RE', 'MLE', 'OLE', 'NJ']),
  /** Null where it was not AC, or where nothing is scored. */
  score: z.number().nullable(),
  cpuMs: z.number(),
  wallMs: z.number(),
  memoryBytes: z.number(),
  /** From the official tool, or how the program ended; short. */
  message: z.string(),
  /** Numbers of its input by name (`N: 50`), for groups of like cases. */
  features: z.record(z.string(), z.number()),
  /** A hash of its input, which tells inputs of the same name apart; missing where the family has none. */
  inputHash: z.string().optional(),
  /** How its input begins, short enough for a model; only where the case was not AC. */
  input: z.string().optional(),
  /** The end of what the program wrote to standard error; only where it wrote something. */
  said: z.string().optional(),
});

/** The form of what an evaluation of a program says. */
export const programEvaluation = z.object({
  compiled: z.boolean(),
  /** The compiler's words, short enough for a model; empty where it compiled. */
  message: z.string(),
  /** In the order in which they were asked for; empty where nothing was run. */
  cases: z.array(caseOutcome),
  backend: z.string(),
});

export type CaseOutcome = z.infer<typeof caseOutcome>;
/** What running a program on cases came to. */
export type ProgramEvaluation = z.infer<typeof programEvaluation>;

/** What an evaluation of a program says. Throws where its `data` is not of this form: a defect of its family. */
export function programEvaluationIn({ data }: Pick<Evaluation, 'data'>): ProgramEvaluation {
  return programEvaluation.parse(data);
}

/** A case's worth, where more is better: its score, negated where less is better, or its share of the best; null without AC. */
export function pointsOf(
  { verdict, score }: Pick<CaseOutcome, 'verdict' | 'score'>,
  task: Pick<ProgramTask, 'direction' | 'scoring'>,
  best: number | null,
): number | null {
  if (verdict !== 'AC' || score === null) return null;
  if (task.scoring === 'absolute') return task.direction === 'maximise' ? score : -score;
  return shareOfBest(score, best, task.direction);
}

/** What share of the best known a score is; 1 where it is the best, or where shares mean nothing. */
export function shareOfBest(score: number, best: number | null, direction: Direction): number {
  if (best === null || score === best || isBetter(score, best, direction)) return 1;
  if (direction === 'maximise') return best <= 0 ? 1 : score / best;
  return score <= 0 ? 1 : best / score;
}

/** Whether score `a` is better than score `b`. */
export function isBetter(a: number, b: number, direction: Direction): boolean {
  return direction === 'maximise' ? a > b : a < b;
}
