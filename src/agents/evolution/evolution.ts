/** The evolution of programs, for any problem that offers `program`. */
import type { Agent, Run, Solution } from '../../core/agent.ts';
import type { Problem } from '../../core/problem.ts';
import { analyse } from './analysis.ts';
import { evolutionRoles } from './asking.ts';
import { firstProgram } from './first-programs.ts';
import { evolutionPrompts } from './prompts.ts';
import { type EvolutionSettings, evolutionSettings } from './settings.ts';
import { devise } from './strategies.ts';

export const evolution: Agent<EvolutionSettings> = {
  name: 'evolution',
  settings: evolutionSettings,
  needs: ['program'],
  roles: evolutionRoles,
  prompts: evolutionPrompts,

  async solve(problem: Problem, run: Run, settings: EvolutionSettings): Promise<Solution> {
    const analysis = await analyse(run, problem, settings);
    const [strategy] = await devise(run, problem, analysis, { settings, count: 1, known: [] });
    if (!strategy || !problem.program) return { end: 'gave-up' };
    const draft = await firstProgram(run, problem, { analysis, strategy, settings, hints: [] });
    if (draft.source === null) return { end: 'gave-up', detail: draft.detail };
    const { language } = problem.program;
    return { end: 'answered', answer: { type: 'source', language, source: draft.source } };
  },
};
