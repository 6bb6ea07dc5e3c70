/** The problem's statement as the specification's analysis (§8.2). For now: what the problem itself says. */
import type { Run } from '../../core/agent.ts';
import type { EvolutionNotes } from '../../core/evolution-notes.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Problem } from '../../core/problem.ts';
import type { EvolutionSettings } from './settings.ts';

export type ProblemAnalysis = JsonObject;

/** Notes `analysis`. What its user gave is taken as it is. */
export async function analyse(
  run: Run,
  problem: Problem,
  settings: EvolutionSettings,
): Promise<ProblemAnalysis> {
  const analysis = settings.analysis ?? { title: problem.face.title };
  const note: EvolutionNotes['analysis'] = { analysis, origin: 'given' };
  run.note('analysis', note);
  return analysis;
}
