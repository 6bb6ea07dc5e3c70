/** The agents and families of the kill tests, the same in every process. */
import { ensemble } from '../../src/agents/ensemble/ensemble.ts';
import { verifyLoop } from '../../src/agents/proof/verify-loop.ts';
import { ballots, ensembleReply } from './ballots.ts';
import { graphAgent, graphsAgent } from './graph.ts';
import { familyOf } from './odd.ts';
import { toyAgents } from './toy.ts';
import { toyInfo } from './toy-sandbox.ts';
import type { ToyWorldOptions } from './world.ts';

export const killWorld: Pick<ToyWorldOptions, 'agents' | 'families' | 'reply' | 'sandboxInfo'> = {
  agents: [
    ...(toyAgents as NonNullable<ToyWorldOptions['agents']>),
    graphAgent,
    graphsAgent,
    verifyLoop,
    ensemble,
  ],
  families: [familyOf(), ballots],
  reply: ensembleReply,
  sandboxInfo: toyInfo,
};
