/** The commands that belong to no app. Nothing of a command is loaded before it is called. */
import abouts from './abouts.json' with { type: 'json' };
import type { App, CommandEntry } from './contract.ts';

/** Before the commands of the apps. */
const firstCommands = commandTable(abouts.first, {
  demo: runs(async () => (await import('./commands/demo.ts')).demo),
  setup: looks(async () => (await import('./commands/setup.ts')).setup),
  doctor: looks(async () => (await import('./commands/doctor.ts')).doctor),
  trust: looks(async () => (await import('./commands/trust.ts')).trust),
  config: looks(async () => (await import('./commands/config.ts')).config),
  ask: runs(async () => (await import('./commands/ask.ts')).ask),
  run: runs(async () => (await import('./commands/run.ts')).run),
  agents: looks(async () => (await import('./commands/agents.ts')).agents),
  families: looks(async () => (await import('./commands/agents.ts')).families),
  'init agent': looks(async () => (await import('./commands/init.ts')).initAgent),
  'init family': looks(async () => (await import('./commands/init.ts')).initFamily),
  test: runs(async () => (await import('./commands/init.ts')).test),
  models: looks(async () => (await import('./commands/models.ts')).models),
  completion: looks(async () => (await import('./commands/completion.ts')).completion),
  exec: looks(async () => (await import('./commands/exec.ts')).exec),
});

/** After the commands of the apps. */
export const journalCommands = commandTable(abouts.journals, {
  'runs list': looks(async () => (await import('./commands/runs-list.ts')).runsList),
  'runs show': looks(async () => (await import('./commands/runs-show.ts')).runsShow),
  'runs watch': looks(async () => (await import('./commands/runs-watch.ts')).runsWatch),
  'runs resume': runs(async () => (await import('./commands/runs-resume.ts')).runsResume),
  'runs replay': runs(async () => (await import('./commands/runs-replay.ts')).runsReplay),
  'runs fork': runs(async () => (await import('./commands/runs-resume.ts')).runsFork),
  'runs diff': looks(async () => (await import('./commands/runs-diff.ts')).runsDiff),
  'runs export': looks(async () => (await import('./commands/runs-export.ts')).runsExport),
  'runs stop': runs(async () => (await import('./commands/runs-tell.ts')).runsStop),
  'runs limit': runs(async () => (await import('./commands/runs-tell.ts')).runsLimit),
  'runs tell': runs(async () => (await import('./commands/runs-tell.ts')).runsTell),
  'runs answer': runs(async () => (await import('./commands/runs-tell.ts')).runsAnswer),
  'runs delete': runs(async () => (await import('./commands/runs-tell.ts')).runsDelete),
  'run-set run': runs(async () => (await import('./commands/run-set-run.ts')).runSetRun),
  'run-set show': looks(async () => (await import('./commands/run-set-show.ts')).runSetShow),
  'run-set watch': looks(async () => (await import('./commands/run-set-show.ts')).runSetWatch),
  'run-set resume': runs(async () => (await import('./commands/run-set-run.ts')).runSetResume),
  'run-set list': looks(async () => (await import('./commands/run-set-show.ts')).runSetList),
  worker: runs(async () => (await import('./commands/worker.ts')).worker),
  resume: runs(async () => (await import('./commands/resume.ts')).resume),
  view: looks(async () => (await import('./commands/view.ts')).view),
  cost: looks(async () => (await import('./commands/cost.ts')).cost),
  'store check': looks(async () => (await import('./commands/store.ts')).storeCheck),
  'store copy': runs(async () => (await import('./commands/store.ts')).storeCopy),
});

/** A command that uses nothing of a folder that its user has not trusted, and never asks. */
export function looks(load: CommandEntry['load']): Omit<CommandEntry, 'path' | 'about'> {
  return { acts: 'looks', load };
}

/** A command that is refused in a folder whose files would act, until its user trusts the folder. */
export function runs(load: CommandEntry['load']): Omit<CommandEntry, 'path' | 'about'> {
  return { acts: 'runs', load };
}

/** What `--help` says of each command, in this order, and how each is loaded. */
export function commandTable<Path extends string>(
  subject: Readonly<Record<Path, string>>,
  commands: Readonly<Record<NoInfer<Path>, Omit<CommandEntry, 'path' | 'about'>>>,
): readonly CommandEntry[] {
  const entries: CommandEntry[] = [];
  for (const path in subject) entries.push({ path, about: subject[path], ...commands[path] });
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
        .map(([name, description]) => [name.slice(prefix.length), description]),
    ),
  };
}
