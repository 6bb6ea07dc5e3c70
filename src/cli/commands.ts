/** The commands that belong to no app. Nothing of a command is loaded before it is called. */
import abouts from './abouts.json' with { type: 'json' };
import type { App, CommandEntry } from './contract.ts';

/** Before the commands of the apps. */
export const firstCommands = commandTable(abouts.first, {
  demo: async () => (await import('./commands/demo.ts')).demo,
  setup: async () => (await import('./commands/setup.ts')).setup,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  'config get': async () => (await import('./commands/config.ts')).configGet,
  'config set': async () => (await import('./commands/config.ts')).configSet,
  'config unset': async () => (await import('./commands/config.ts')).configUnset,
  'config list': async () => (await import('./commands/config.ts')).configList,
  ask: async () => (await import('./commands/ask.ts')).ask,
  run: async () => (await import('./commands/run.ts')).run,
  agents: async () => (await import('./commands/agents.ts')).agents,
  families: async () => (await import('./commands/agents.ts')).families,
  'init agent': async () => (await import('./commands/init.ts')).initAgent,
  'init family': async () => (await import('./commands/init.ts')).initFamily,
  test: async () => (await import('./commands/test.ts')).test,
  models: async () => (await import('./commands/models.ts')).models,
  'models mock': async () => (await import('./commands/models-mock.ts')).modelsMock,
  completion: async () => (await import('./commands/completion.ts')).completion,
  exec: async () => (await import('./commands/exec.ts')).exec,
});

/** After the commands of the apps. */
export const journalCommands = commandTable(abouts.journals, {
  'runs list': async () => (await import('./commands/runs-list.ts')).runsList,
  'runs show': async () => (await import('./commands/runs-show.ts')).runsShow,
  'runs watch': async () => (await import('./commands/runs-watch.ts')).runsWatch,
  'runs resume': async () => (await import('./commands/runs-resume.ts')).runsResume,
  'runs replay': async () => (await import('./commands/runs-replay.ts')).runsReplay,
  'runs fork': async () => (await import('./commands/runs-resume.ts')).runsFork,
  'runs diff': async () => (await import('./commands/runs-diff.ts')).runsDiff,
  'runs export': async () => (await import('./commands/runs-export.ts')).runsExport,
  'runs record': async () => (await import('./commands/runs-export.ts')).runsRecord,
  'runs stop': async () => (await import('./commands/runs-tell.ts')).runsStop,
  'runs limit': async () => (await import('./commands/runs-tell.ts')).runsLimit,
  'runs tell': async () => (await import('./commands/runs-tell.ts')).runsTell,
  'runs answer': async () => (await import('./commands/runs-tell.ts')).runsAnswer,
  'runs delete': async () => (await import('./commands/runs-delete.ts')).runsDelete,
  'run-set run': async () => (await import('./commands/run-set-run.ts')).runSetRun,
  'run-set show': async () => (await import('./commands/run-set-list.ts')).runSetShow,
  'run-set watch': async () => (await import('./commands/run-set-watch.ts')).runSetWatch,
  'run-set resume': async () => (await import('./commands/run-set-resume.ts')).runSetResume,
  'run-set list': async () => (await import('./commands/run-set-list.ts')).runSetList,
  worker: async () => (await import('./commands/worker.ts')).worker,
  'fleet status': async () => (await import('./commands/fleet-status.ts')).fleetStatus,
  resume: async () => (await import('./commands/resume.ts')).resume,
  view: async () => (await import('./commands/view.ts')).view,
  cost: async () => (await import('./commands/cost.ts')).cost,
  'store check': async () => (await import('./commands/store.ts')).storeCheck,
  'store copy': async () => (await import('./commands/store.ts')).storeCopy,
  'store salvage': async () => (await import('./commands/store.ts')).storeSalvage,
  'prompts export': async () => (await import('./commands/prompts-export.ts')).promptsExport,
});

/** What `--help` says of each command, in this order, and how each is loaded. */
export function commandTable<Path extends string>(
  about: Readonly<Record<Path, string>>,
  load: Readonly<Record<NoInfer<Path>, CommandEntry['load']>>,
): readonly CommandEntry[] {
  const entries: CommandEntry[] = [];
  for (const path in about) entries.push({ path, about: about[path], load: load[path] });
  return entries;
}

export type Program = {
  readonly name: 'polya' | 'ahc-agent';
  readonly about: string;
  /** All apps, whichever commands the program offers. */
  readonly apps: readonly App[];
  readonly commands: readonly CommandEntry[];
  readonly groups: Readonly<Record<string, string>>;
  /** The heading under which its help lists a command; missing: all stand under one. */
  readonly sections?: (command: string) => string;
  /** Where a new user begins. */
  readonly start: string;
};

export function polyaProgram(apps: readonly App[]): Program {
  const titles = Object.keys(abouts.sections);
  const sections = (command: string): string =>
    Object.entries(abouts.sections).find(([, names]) => names.includes(command))?.[0] ?? 'Solve';
  const placeOf = ({ path }: CommandEntry) => titles.indexOf(sections(path.split(' ')[0] ?? ''));
  const commands = [...firstCommands, ...apps.flatMap((app) => app.commands), ...journalCommands];
  return {
    name: 'polya',
    about: 'A workbench of LLM agents: every run is a journal that can be resumed, replayed and forked.',
    apps,
    commands: commands.toSorted((one, other) => placeOf(one) - placeOf(other)),
    groups: Object.assign({}, abouts.groups, ...apps.map((app) => app.groups)),
    sections,
    start: 'Start with `polya demo`. `polya COMMAND --help` tells more of a command.',
  };
}

/** The commands of one app with the same options, without the word before them. */
export function appProgram(
  app: App,
  { apps, ...words }: Pick<Program, 'name' | 'about' | 'start' | 'apps'>,
): Program {
  const prefix = `${app.name} `;
  return {
    ...words,
    apps,
    commands: app.commands.map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) })),
    groups: Object.fromEntries(
      Object.entries(app.groups)
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, about]) => [name.slice(prefix.length), about]),
    ),
  };
}
