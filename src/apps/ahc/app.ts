/** AtCoder Heuristic Contests: what the command line shows of this app before any of it is loaded. Strings and lazy imports only. */
import type { App } from '../../cli/contract.ts';

export const app: App = {
  name: 'ahc',
  families: ['ahc'],
  groups: {
    ahc: 'AtCoder Heuristic Contests: a workspace, and its evaluation; also called ahc-agent',
    'ahc database': 'past contests, and what did well in them',
    'ahc docker': 'the workspace in a container: its image, a shell, and their end',
    'ahc knowledge': 'what sessions have learned: changes that paid, and prompts by what they brought',
    'ahc library': 'C++ headers of algorithms to build on, and what is to be known of each',
  },
  commands: [
    {
      path: 'ahc init',
      about: "build a contest's workspace: statement, official tools, inputs",
      load: async () => (await import('./commands/init.ts')).ahcInit,
    },
    {
      path: 'ahc test',
      about: 'run a program over the cases, judged by the official tools',
      load: async () => (await import('./commands/test.ts')).ahcTest,
    },
    {
      path: 'ahc tune',
      about: 'search the constants of a program; no model is asked',
      load: async () => (await import('./commands/tune.ts')).ahcTune,
    },
    {
      path: 'ahc history',
      about: 'the tests of this workspace, and its score over versions',
      load: async () => (await import('./commands/history.ts')).ahcHistory,
    },
    {
      path: 'ahc vis',
      about: 'look at the output of a case in the official visualizer',
      load: async () => (await import('./commands/vis.ts')).ahcVis,
    },
    {
      path: 'ahc bundle',
      about: 'one file out of many, as AtCoder takes it',
      load: async () => (await import('./commands/bundle.ts')).ahcBundle,
    },
    {
      path: 'ahc config',
      about: 'show or set what holds here, and where each value comes from',
      load: async () => (await import('./commands/config.ts')).ahcConfig,
    },
    {
      path: 'ahc library list',
      about: 'all that there is, a line each',
      load: async () => (await import('./commands/library.ts')).ahcLibraryList,
    },
    {
      path: 'ahc library show',
      about: 'one of them: explanation, complexity, usage, measured speed, code',
      load: async () => (await import('./commands/library.ts')).ahcLibraryShow,
    },
    {
      path: 'ahc library search',
      about: 'those that keywords fit, best first',
      load: async () => (await import('./commands/library.ts')).ahcLibrarySearch,
    },
    {
      path: 'ahc knowledge list',
      about: 'pieces of code that made programs better, and the credit of each prompt',
      load: async () => (await import('./commands/knowledge.ts')).ahcKnowledgeList,
    },
    {
      path: 'ahc knowledge search',
      about: 'pieces that keywords fit, best first',
      load: async () => (await import('./commands/knowledge.ts')).ahcKnowledgeSearch,
    },
    {
      path: 'ahc knowledge show',
      about: 'one piece: what it gained, and its code',
      load: async () => (await import('./commands/knowledge.ts')).ahcKnowledgeShow,
    },
    {
      path: 'ahc database list',
      about: 'all past contests that are known, a line each',
      load: async () => (await import('./commands/database.ts')).ahcDatabaseList,
    },
    {
      path: 'ahc database search',
      about: 'past contests by words, name, tag and algorithm, and what did well in them',
      load: async () => (await import('./commands/database.ts')).ahcDatabaseSearch,
    },
    {
      path: 'ahc database show',
      about: 'one past contest: what it asked, its score rule, the approaches that did well',
      load: async () => (await import('./commands/database.ts')).ahcDatabaseShow,
    },
    {
      path: 'ahc database similar',
      about: 'past contests that a statement resembles, and the words that this rests on',
      load: async () => (await import('./commands/database.ts')).ahcDatabaseSimilar,
    },
    {
      path: 'ahc docker build',
      about: "build the workspace's image from its Dockerfile",
      load: async () => (await import('./commands/docker.ts')).ahcDockerBuild,
    },
    {
      path: 'ahc docker run',
      about: 'a shell, or a command, in a container of that image',
      load: async () => (await import('./commands/docker.ts')).ahcDockerRun,
    },
    {
      path: 'ahc docker cleanup',
      about: "remove this workspace's containers and images, and no others",
      load: async () => (await import('./commands/docker.ts')).ahcDockerCleanup,
    },
    {
      path: 'ahc solve',
      about: 'let models improve a program, in the background',
      load: async () => (await import('./commands/solve.ts')).ahcSolve,
    },
    {
      path: 'ahc status',
      about: 'how far a session is, what it does now, what it has cost',
      load: async () => (await import('./commands/status.ts')).ahcStatus,
    },
    {
      path: 'ahc stop',
      about: 'stop a session; it can go on later',
      load: async () => (await import('./commands/stop.ts')).ahcStop,
    },
    {
      path: 'ahc tell',
      about: 'say something to a session that runs: a hint, a question, a range, a reference',
      load: async () => (await import('./commands/tell.ts')).ahcTell,
    },
    {
      path: 'ahc report',
      about: 'a session as one page: course, lineage, what paid, what it cost',
      load: async () => (await import('./commands/report.ts')).ahcReport,
    },
    {
      path: 'ahc batch',
      about: 'many sessions out of one file: settings as a matrix, within one budget, compared',
      load: async () => (await import('./commands/batch.ts')).ahcBatch,
    },
  ],
  demoApart: {
    names: ['ahc', 'dialogue', 'evolution'],
    load: async () => (await import('./demo.ts')).contests,
  },
  hooks: async () => (await import('./hooks.ts')).hooks,
};
