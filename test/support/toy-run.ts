/** The run that the kill tests start, the same in every process. */
import type { RunSpec } from '../../src/run/start.ts';
import { provingSettings } from './proof-replies.ts';

export function toyRun(agent: string, id = 'run'): RunSpec {
  return {
    id,
    family: 'toy',
    problem: {},
    agent,
    models: { default: 'test/lockstep' },
    ...(agent.startsWith('graph') ? { family: 'odd' } : {}),
    limits: agent === 'limit' ? { modelCalls: 9 } : {},
    ...(agent === 'verify-loop' ? { settings: provingSettings } : {}),
    seed: 'a seed',
  };
}
