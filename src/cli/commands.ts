/** The commands that belong to no app. Nothing of a command is loaded before it is called. */
import type { App, CommandEntry } from './contract.ts';

export const groups: Readonly<Record<string, string>> = {
  runs: 'look at runs, and go on with them',
  'run-set': 'many runs under one budget',
  prompts: 'the words that agents use',
  init: 'begin an agent or a family of your own',
};

/** Before the commands of the apps. */
export const firstCommands = commandTable(
  {
    demo: 'see it work, with scripts in the place of models: no key, no server',
    setup: 'install what the sandbox needs of this machine',
    doctor: 'say what works here and what is missing',
    ask: 'one question to a model, journaled like every run',
    run: 'any agent on any problem that offers what it needs, yours included',
    agents: 'the agents, yours included: what they need, what they run on, their settings',
    families: 'the families of problems, yours included: what they offer, how a problem is named',
    'init agent': 'write a small agent of your own, with its test',
    'init family': 'write a small family of problems of your own, with its test',
    test: 'run the tests of your agents and families',
    models: 'providers, whose keys are set, servers found on this machine; what one model takes',
    'models mock': 'a server that speaks the wires of all providers, for trying any client',
    exec: 'run a program of yours in the sandbox, once or over many cases',
  },
  {
    demo: async () => (await import('./commands/demo.ts')).demo,
    setup: async () => (await import('./commands/setup.ts')).setup,
    doctor: async () => (await import('./commands/doctor.ts')).doctor,
    ask: async () => (await import('./commands/ask.ts')).ask,
    run: async () => (await import('./commands/run.ts')).run,
    agents: async () => (await import('./commands/agents.ts')).agents,
    families: async () => (await import('./commands/agents.ts')).families,
    'init agent': async () => (await import('./commands/init.ts')).initAgent,
    'init family': async () => (await import('./commands/init.ts')).initFamily,
    test: async () => (await import('./commands/test.ts')).test,
    models: async () => (await import('./commands/models.ts')).models,
    'models mock': async () => (await import('./commands/models-mock.ts')).modelsMock,
    exec: async () => (await import('./commands/exec.ts')).exec,
  },
);

/** After the commands of the apps. */
export const journalCommands = commandTable(
  {
    'runs list': 'the runs of this folder, newest first',
    'runs show': 'one run: its outcome, its stages, its journal',
    'runs watch': 'follow a run that lives in another process',
    'runs resume': 'go on with a run that was stopped or killed',
    'runs replay': 'run it again from its journal alone, free and offline',
    'runs fork': 'a new run that goes on from one of its events, with changes',
    'runs diff': 'two runs side by side, and where they part',
    'runs export': 'runs as JSON, CSV, Markdown, or a folder of files',
    'runs record': 'save what was said to and by its models, to be played again by `replay:FILE`',
    'runs stop': 'stop a run that lives in another process',
    'runs tell': 'give a hint to a run',
    'runs answer': 'answer what a run asks',
    'runs delete': 'delete runs for good',
    'run-set run': 'run every row of a file, some at once, under one budget',
    'run-set show': 'one run-set: its rows, what came of them, what they cost',
    'run-set resume': 'go on with what is missing of a run-set that was stopped or killed',
    'run-set list': 'the run-sets of this folder, newest first',
    cost: 'what was spent, by model, role, run, day or family',
    'prompts export': "write an agent's prompts into a folder, to be changed there",
  },
  {
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
    'runs tell': async () => (await import('./commands/runs-tell.ts')).runsTell,
    'runs answer': async () => (await import('./commands/runs-tell.ts')).runsAnswer,
    'runs delete': async () => (await import('./commands/runs-delete.ts')).runsDelete,
    'run-set run': async () => (await import('./commands/run-set-run.ts')).runSetRun,
    'run-set show': async () => (await import('./commands/run-set-list.ts')).runSetShow,
    'run-set resume': async () => (await import('./commands/run-set-resume.ts')).runSetResume,
    'run-set list': async () => (await import('./commands/run-set-list.ts')).runSetList,
    cost: async () => (await import('./commands/cost.ts')).cost,
    'prompts export': async () => (await import('./commands/prompts-export.ts')).promptsExport,
  },
);

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
  /** Where a new user begins. */
  readonly start: string;
};

export function polyaProgram(apps: readonly App[]): Program {
  return {
    name: 'polya',
    about: 'A workbench of LLM agents: every run is a journal that can be resumed, replayed and forked.',
    apps,
    commands: [...firstCommands, ...apps.flatMap(({ commands }) => commands), ...journalCommands],
    groups: Object.assign({}, groups, ...apps.map((app) => app.groups)),
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
