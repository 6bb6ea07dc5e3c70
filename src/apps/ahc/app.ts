/** AtCoder Heuristic Contests: what the command line shows of this app before any of it is loaded. Data and lazy imports only. */
import { commandTable } from '../../cli/commands.ts';
import type { App } from '../../cli/contract.ts';
import abouts from './abouts.json' with { type: 'json' };

export const app: App = {
  name: 'ahc',
  families: ['ahc'],
  sites: ['https://atcoder.jp'],
  groups: abouts.groups,
  commands: commandTable(abouts.commands, {
    'ahc init': async () => (await import('./commands/init.ts')).ahcInit,
    'ahc test': async () => (await import('./commands/test.ts')).ahcTest,
    'ahc tune': async () => (await import('./commands/tune.ts')).ahcTune,
    'ahc history': async () => (await import('./commands/history.ts')).ahcHistory,
    'ahc vis': async () => (await import('./commands/vis.ts')).ahcVis,
    'ahc bundle': async () => (await import('./commands/bundle.ts')).ahcBundle,
    'ahc config': async () => (await import('./commands/config.ts')).ahcConfig,
    'ahc library list': async () => (await import('./commands/library.ts')).ahcLibraryList,
    'ahc library show': async () => (await import('./commands/library.ts')).ahcLibraryShow,
    'ahc library search': async () => (await import('./commands/library.ts')).ahcLibrarySearch,
    'ahc knowledge list': async () => (await import('./commands/knowledge.ts')).ahcKnowledgeList,
    'ahc knowledge search': async () => (await import('./commands/knowledge.ts')).ahcKnowledgeSearch,
    'ahc knowledge show': async () => (await import('./commands/knowledge.ts')).ahcKnowledgeShow,
    'ahc database list': async () => (await import('./commands/database.ts')).ahcDatabaseList,
    'ahc database search': async () => (await import('./commands/database.ts')).ahcDatabaseSearch,
    'ahc database show': async () => (await import('./commands/database.ts')).ahcDatabaseShow,
    'ahc database similar': async () => (await import('./commands/database.ts')).ahcDatabaseSimilar,
    'ahc docker build': async () => (await import('./commands/docker.ts')).ahcDockerBuild,
    'ahc docker run': async () => (await import('./commands/docker.ts')).ahcDockerRun,
    'ahc docker cleanup': async () => (await import('./commands/docker.ts')).ahcDockerCleanup,
    'ahc solve': async () => (await import('./commands/solve.ts')).ahcSolve,
    'ahc status': async () => (await import('./commands/status.ts')).ahcStatus,
    'ahc stop': async () => (await import('./commands/tell.ts')).ahcStop,
    'ahc tell': async () => (await import('./commands/tell.ts')).ahcTell,
    'ahc report': async () => (await import('./commands/report.ts')).ahcReport,
    'ahc batch': async () => (await import('./commands/batch.ts')).ahcBatch,
  }),
  demoApart: {
    names: ['ahc', 'dialogue', 'evolution'],
    load: async () => (await import('./demo.ts')).contests,
  },
  hooks: async () => (await import('./hooks.ts')).hooks,
};
