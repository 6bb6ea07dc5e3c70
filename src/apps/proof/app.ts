/** Proofs: what the command line shows of this app before any of it is loaded. Strings and lazy imports only. */
import { commandTable, looks, runs } from '../../cli/commands.ts';
import type { App } from '../../cli/contract.ts';

export const app: App = {
  name: 'proof',
  families: ['proof'],
  groups: {
    proof: 'find proofs, check them, and read how they came about',
  },
  commands: commandTable(
    {
      'proof solve': 'let a solver and graders work on a problem until a proof is accepted',
      'proof verify': "let graders look for errors and gaps in somebody's proof",
      'proof score': 'what graders made of many proofs, beside labels that say which are right',
      'proof show': 'a proof, every report on it, and the counters over time; as a document too',
    },
    {
      'proof solve': runs(async () => (await import('./commands/solve.ts')).proofSolve),
      'proof verify': runs(async () => (await import('./commands/verify.ts')).proofVerify),
      'proof score': looks(async () => (await import('./commands/score.ts')).proofScore),
      'proof show': looks(async () => (await import('./commands/show.ts')).proofShow),
    },
  ),
  demo: { acts: ['proof'], load: async () => [(await import('./demo.ts')).proof] },
  hooks: async () => (await import('./tell.ts')).hooks,
};
