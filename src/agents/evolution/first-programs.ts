/** The first program of an island, by its strategy. For now: the problem's template. */
import type { Run } from '../../core/agent.ts';
import type { Strategy } from '../../core/evolution-notes.ts';
import type { Problem } from '../../core/problem.ts';
import type { ProblemAnalysis } from './analysis.ts';
import { type Draft, Meter } from './draft.ts';
import type { EvolutionSettings } from './settings.ts';

export type Beginning = {
  readonly analysis: ProblemAnalysis;
  readonly strategy: Strategy;
  readonly settings: EvolutionSettings;
  /** What the user said so far, in the order in which it was said. */
  readonly hints: readonly string[];
};

/** A whole program. It need not compile: what does not is repaired by who asked for it. */
export async function firstProgram(_run: Run, problem: Problem, { strategy }: Beginning): Promise<Draft> {
  const source = problem.program?.template ?? '';
  return { ...new Meter().spent, source, summary: strategy.name, detail: '' };
}
