/** The run that the kill tests start, the same in every process. */
import type { RunSpec } from '../../src/run/start.ts';
import { provingSettings } from './proof-replies.ts';

/** `ensemble-agree`: two agree while a third is at work. `ensemble-split`: all differ, one more is asked, and then again. */
function ballotRun(name: string) {
  const list = ['program', 'program', 'chain', 'react'];
  const settings = { strategies: { python: list }, maxSamples: 5, votesToWin: 3, planner: 'labelled' };
  const [agent = '', way = ''] = name.split('-');
  return { agent, family: 'ballots', problem: { way }, settings };
}

export function toyRun(agent: string, id = 'run'): RunSpec {
  return {
    id,
    family: 'toy',
    problem: {},
    agent,
    models: { default: 'test/lockstep' },
    ...(agent.startsWith('graph') ? { family: 'odd' } : {}),
    ...(agent.startsWith('ensemble') ? ballotRun(agent) : {}),
    limits: agent === 'limit' ? { modelCalls: 9 } : {},
    ...(agent === 'verify-loop' ? { settings: provingSettings } : {}),
    seed: 'a seed',
  };
}
