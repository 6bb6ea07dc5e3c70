/** Tasks of grids (ARC): what the command line shows of this app before any of it is loaded. Strings and lazy imports only. */
import { commandTable, looks, runs } from '../../cli/commands.ts';
import type { App } from '../../cli/contract.ts';

export const app: App = {
  name: 'arc',
  families: ['arc'],
  groups: {
    arc: 'tasks of grids (ARC): look at them, find their rules, score and submit',
  },
  commands: commandTable(
    {
      'arc run': 'let an agent find the rules of tasks of grids, some at once, under one budget',
      'arc show': 'draw a task in the terminal, or as a picture; list the tasks of a file',
      'arc score': 'score a submission by the official rule',
      'arc submit': 'write the answers of runs as a submission in the form of the competition',
    },
    {
      'arc run': runs(async () => (await import('./commands/run.ts')).arcRun),
      'arc show': looks(async () => (await import('./commands/show.ts')).arcShow),
      'arc score': looks(async () => (await import('./commands/score.ts')).arcScore),
      'arc submit': looks(async () => (await import('./commands/submit.ts')).arcSubmit),
    },
  ),
  demo: { acts: ['arc'], load: async () => [(await import('./demo.ts')).arc] },
  hooks: async () => (await import('./hooks.ts')).hooks,
};
