/** The agents and families of the kill tests, the same in every process. */
import { verifyLoop } from '../../src/agents/verify-loop.ts';
import type { Agent } from '../../src/core/agent.ts';
import { graphAgent, graphsAgent } from './graph.ts';
import { familyOf } from './odd.ts';
import { toyAgents } from './toy.ts';
import type { ToyWorldOptions } from './world.ts';

export const killWorld: Pick<ToyWorldOptions, 'agents' | 'families'> = {
  agents: [
    ...(toyAgents as NonNullable<ToyWorldOptions['agents']>),
    graphAgent,
    graphsAgent,
    verifyLoop as Agent,
  ],
  families: [familyOf()],
};
