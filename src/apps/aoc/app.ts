/** Advent of Code: what the command line shows of this app before any of it is loaded. Strings and lazy imports only. */
import type { App } from '../../cli/contract.ts';

export const app: App = {
  name: 'aoc',
  families: ['aoc'],
  groups: {
    aoc: 'solve days of Advent of Code',
  },
  commands: [
    {
      path: 'aoc run',
      about: 'let an agent solve one day',
      load: async () => (await import('./commands/run.ts')).aocRun,
    },
    {
      path: 'aoc fetch',
      about: 'fetch the statement and the input of a day, to read them yourself',
      load: async () => (await import('./commands/fetch.ts')).aocFetch,
    },
    {
      path: 'aoc status',
      about: 'what is kept of the days: pages, inputs, stars, answers; asks no site',
      load: async () => (await import('./commands/status.ts')).aocStatus,
    },
    {
      path: 'aoc practice',
      about: 'serve the practice site for your browser',
      load: async () => (await import('./commands/practice.ts')).aocPractice,
    },
  ],
  demo: { acts: ['aoc'], load: async () => [(await import('./demo.ts')).aoc] },
  hooks: async () => (await import('./hooks.ts')).hooks,
};
