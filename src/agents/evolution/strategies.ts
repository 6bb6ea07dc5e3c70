/** Strategies, one an island and some to spare. For now: families of heuristics that suit many problems. */
import type { Run } from '../../core/agent.ts';
import type { EvolutionNotes, Strategy } from '../../core/evolution-notes.ts';
import type { Problem } from '../../core/problem.ts';
import type { ProblemAnalysis } from './analysis.ts';
import type { EvolutionSettings } from './settings.ts';

export type Devising = {
  readonly settings: EvolutionSettings;
  /** How many are wanted. */
  readonly count: number;
  /** Those that are or were followed: new ones differ from them. */
  readonly known: readonly Strategy[];
};

/** As many as are wanted, or fewer where no more come to mind. Notes `strategies`. */
export async function devise(
  run: Run,
  _problem: Problem,
  _analysis: ProblemAnalysis,
  { settings, count, known }: Devising,
): Promise<readonly Strategy[]> {
  const names = new Set(known.map(({ name }) => name));
  const strategies = (settings.strategies ?? usual).filter(({ name }) => !names.has(name)).slice(0, count);
  const note: EvolutionNotes['strategies'] = { strategies, origin: 'given' };
  run.note('strategies', note);
  return strategies;
}

const usual: readonly Strategy[] = [
  ['Local search', 'Simulated annealing over small moves, with differences of the score computed fast.'],
  ['Construction', 'A greedy construction whose order and weights are randomised and repeated.'],
  ['Beam search', 'A beam over partial solutions, with an evaluation that looks ahead.'],
  ['Decomposition', 'Parts solved one by one, then joined and improved at their borders.'],
].map(([name = '', idea = '']) => ({ name, idea, reasons: '', library: [], contests: [] }));
