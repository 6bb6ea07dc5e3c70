/** AtCoder Heuristic Contests: what the command line shows of this app before any of it is loaded. Data and lazy imports only. */
import { commandTable, looks, runs } from '../../cli/commands.ts';
import type { App } from '../../cli/contract.ts';
import abouts from './abouts.json' with { type: 'json' };

export const app: App = {
  name: 'ahc',
  families: ['ahc'],
  sites: ['https://atcoder.jp'],
  groups: abouts.groups,
  commands: commandTable(abouts.commands, {
    'ahc init': runs(async () => (await import('./commands/init.ts')).ahcInit),
    'ahc test': runs(async () => (await import('./commands/test.ts')).ahcTest),
    'ahc tune': runs(async () => (await import('./commands/tune.ts')).ahcTune),
    'ahc history': looks(async () => (await import('./commands/history.ts')).ahcHistory),
    'ahc vis': runs(async () => (await import('./commands/vis.ts')).ahcVis),
    'ahc bundle': looks(async () => (await import('./commands/bundle.ts')).ahcBundle),
    'ahc config': looks(async () => (await import('./commands/config.ts')).ahcConfig),
    'ahc library list': looks(async () => (await import('./commands/library.ts')).ahcLibraryList),
    'ahc library show': looks(async () => (await import('./commands/library.ts')).ahcLibraryShow),
    'ahc library search': looks(async () => (await import('./commands/library.ts')).ahcLibrarySearch),
    'ahc knowledge list': looks(async () => (await import('./commands/knowledge.ts')).ahcKnowledgeList),
    'ahc knowledge search': looks(async () => (await import('./commands/knowledge.ts')).ahcKnowledgeSearch),
    'ahc knowledge show': looks(async () => (await import('./commands/knowledge.ts')).ahcKnowledgeShow),
    'ahc database list': looks(async () => (await import('./commands/database.ts')).ahcDatabaseList),
    'ahc database search': looks(async () => (await import('./commands/database.ts')).ahcDatabaseSearch),
    'ahc database show': looks(async () => (await import('./commands/database.ts')).ahcDatabaseShow),
    'ahc docker build': runs(async () => (await import('./commands/docker.ts')).ahcDockerBuild),
    'ahc docker run': runs(async () => (await import('./commands/docker.ts')).ahcDockerRun),
    'ahc docker cleanup': runs(async () => (await import('./commands/docker.ts')).ahcDockerCleanup),
    'ahc solve': runs(async () => (await import('./commands/solve.ts')).ahcSolve),
    'ahc status': looks(async () => (await import('./commands/status.ts')).ahcStatus),
    'ahc stop': runs(async () => (await import('./commands/tell.ts')).ahcStop),
    'ahc tell': runs(async () => (await import('./commands/tell.ts')).ahcTell),
    'ahc report': looks(async () => (await import('./commands/report.ts')).ahcReport),
    'ahc export': runs(async () => (await import('./commands/export.ts')).ahcExport),
    'ahc batch': runs(async () => (await import('./commands/batch.ts')).ahcBatch),
  }),
  demoApart: {
    names: ['ahc', 'dialogue', 'evolution'],
    load: async () => (await import('./demo.ts')).contests,
  },
  hooks: async () => (await import('./hooks.ts')).hooks,
};
