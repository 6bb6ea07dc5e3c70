/** Advent of Code: what the command line shows of this app before any of it is loaded. Strings and lazy imports only. */
import { commandTable, looks, runs } from '../../cli/commands.ts';
import type { App } from '../../cli/contract.ts';

export const app: App = {
  name: 'aoc',
  families: ['aoc'],
  sites: ['https://adventofcode.com'],
  groups: {
    aoc: 'solve days of Advent of Code',
  },
  commands: commandTable(
    {
      'aoc run': 'let an agent solve one day',
      'aoc fetch': 'fetch the statement and the input of a day, to read them yourself',
      'aoc input': 'print the input of a day',
      'aoc submit': 'hand in an answer of yours',
      'aoc status': 'what is kept of the days: pages, inputs, stars, answers; asks no site',
      'aoc practice': 'serve the practice site for your browser',
    },
    {
      'aoc run': runs(async () => (await import('./commands/run.ts')).aocRun),
      'aoc fetch': runs(async () => (await import('./commands/fetch.ts')).aocFetch),
      'aoc input': runs(async () => (await import('./commands/fetch.ts')).aocInput),
      'aoc submit': runs(async () => (await import('./commands/submit.ts')).aocSubmit),
      'aoc status': looks(async () => (await import('./commands/status.ts')).aocStatus),
      'aoc practice': runs(async () => (await import('./commands/practice.ts')).aocPractice),
    },
  ),
  demo: { acts: ['aoc'], load: async () => [(await import('./demo.ts')).aoc] },
  hooks: async () => (await import('./hooks.ts')).hooks,
};
