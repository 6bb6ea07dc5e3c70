/** The agents that come with Polya, by name. Each is loaded when it is asked for, but never within a run. */
import type { Agent } from '../core/agent.ts';

export const agentLoaders: Readonly<Record<string, () => Promise<Agent>>> = {
  'tool-loop': async () => (await import('../agents/tool-loop/tool-loop.ts')).toolLoop,
  'single-call': async () => (await import('../agents/single-call/single-call.ts')).singleCall,
  ensemble: async () => (await import('../agents/ensemble/ensemble.ts')).ensemble,
  program: async () => (await import('../agents/ensemble/program.ts')).programAgent,
  chain: async () => (await import('../agents/ensemble/chain.ts')).chainAgent,
  react: async () => (await import('../agents/ensemble/react.ts')).reactAgent,
  'induction-graph': async () =>
    (await import('../agents/induction-graph/induction-graph.ts')).inductionGraph,
  'verify-loop': async () => (await import('../agents/proof/verify-loop.ts')).verifyLoop,
  evolution: async () => (await import('../agents/search/evolution.ts')).evolution,
  'parameter-search': async () => (await import('../agents/search/parameter-search.ts')).parameterSearch,
  'best-of-n': async () => (await import('../agents/search/best-of-n.ts')).bestOfN,
  'self-consistency': async () => (await import('../agents/patterns/self-consistency.ts')).selfConsistency,
  cascade: async () => (await import('../agents/patterns/cascade.ts')).cascade,
  'sample-and-select': async () => (await import('../agents/patterns/sample-and-select.ts')).sampleAndSelect,
  'tests-first': async () => (await import('../agents/patterns/tests-first.ts')).testsFirst,
  'proof-grader': async () => (await import('../agents/proof/proof-grader.ts')).proofGrader,
};
