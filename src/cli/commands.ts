/** The commands that belong to no app. Nothing of a command is loaded before it is called. */
import type { App, CommandEntry } from './contract.ts';

export const groups: Readonly<Record<string, string>> = {
  runs: 'look at runs, and go on with them',
  'run-set': 'many runs under one budget',
  prompts: 'the words that agents use',
  init: 'begin an agent or a family of your own',
};

/** Before the commands of the apps. */
export const firstCommands: readonly CommandEntry[] = [
  {
    path: 'demo',
    about: 'see it work, with scripts in the place of models: no key, no server',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  {
    path: 'setup',
    about: 'install what the sandbox needs of this machine',
    load: async () => (await import('./commands/setup.ts')).setup,
  },
  {
    path: 'doctor',
    about: 'say what works here and what is missing',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    path: 'ask',
    about: 'one question to a model, journaled like every run',
    load: async () => (await import('./commands/ask.ts')).ask,
  },
  {
    path: 'run',
    about: 'any agent on any problem that offers what it needs, yours included',
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    path: 'agents',
    about: 'the agents, yours included: what they need, what they run on, their settings',
    load: async () => (await import('./commands/agents.ts')).agents,
  },
  {
    path: 'families',
    about: 'the families of problems, yours included: what they offer, how a problem is named',
    load: async () => (await import('./commands/agents.ts')).families,
  },
  {
    path: 'init agent',
    about: 'write a small agent of your own, with its test',
    load: async () => (await import('./commands/init.ts')).initAgent,
  },
  {
    path: 'init family',
    about: 'write a small family of problems of your own, with its test',
    load: async () => (await import('./commands/init.ts')).initFamily,
  },
  {
    path: 'test',
    about: 'run the tests of your agents and families',
    load: async () => (await import('./commands/test.ts')).test,
  },
  {
    path: 'models',
    about: 'providers, whose keys are set, servers found on this machine; what one model takes',
    load: async () => (await import('./commands/models.ts')).models,
  },
  {
    path: 'models mock',
    about: 'a server that speaks the wires of all providers, for trying any client',
    load: async () => (await import('./commands/models-mock.ts')).modelsMock,
  },
  {
    path: 'exec',
    about: 'run a program of yours in the sandbox, once or over many cases',
    load: async () => (await import('./commands/exec.ts')).exec,
  },
];

/** After the commands of the apps. */
export const journalCommands: readonly CommandEntry[] = [
  {
    path: 'runs list',
    about: 'the runs of this folder, newest first',
    load: async () => (await import('./commands/runs-list.ts')).runsList,
  },
  {
    path: 'runs show',
    about: 'one run: its outcome, its stages, its journal',
    load: async () => (await import('./commands/runs-show.ts')).runsShow,
  },
  {
    path: 'runs watch',
    about: 'follow a run that lives in another process',
    load: async () => (await import('./commands/runs-watch.ts')).runsWatch,
  },
  {
    path: 'runs resume',
    about: 'go on with a run that was stopped or killed',
    load: async () => (await import('./commands/runs-resume.ts')).runsResume,
  },
  {
    path: 'runs replay',
    about: 'run it again from its journal alone, free and offline',
    load: async () => (await import('./commands/runs-replay.ts')).runsReplay,
  },
  {
    path: 'runs fork',
    about: 'a new run that goes on from one of its events, with changes',
    load: async () => (await import('./commands/runs-fork.ts')).runsFork,
  },
  {
    path: 'runs diff',
    about: 'two runs side by side, and where they part',
    load: async () => (await import('./commands/runs-diff.ts')).runsDiff,
  },
  {
    path: 'runs export',
    about: 'runs as JSON, CSV, Markdown, or a folder of files',
    load: async () => (await import('./commands/runs-export.ts')).runsExport,
  },
  {
    path: 'runs record',
    about: 'save what was said to and by its models, to be played again by `replay:FILE`',
    load: async () => (await import('./commands/runs-record.ts')).runsRecord,
  },
  {
    path: 'runs stop',
    about: 'stop a run that lives in another process',
    load: async () => (await import('./commands/runs-tell.ts')).runsStop,
  },
  {
    path: 'runs tell',
    about: 'give a hint to a run',
    load: async () => (await import('./commands/runs-tell.ts')).runsTell,
  },
  {
    path: 'runs answer',
    about: 'answer what a run asks',
    load: async () => (await import('./commands/runs-tell.ts')).runsAnswer,
  },
  {
    path: 'runs delete',
    about: 'delete runs for good',
    load: async () => (await import('./commands/runs-delete.ts')).runsDelete,
  },
  {
    path: 'run-set run',
    about: 'run every row of a file, some at once, under one budget',
    load: async () => (await import('./commands/run-set-run.ts')).runSetRun,
  },
  {
    path: 'run-set show',
    about: 'one run-set: its rows, what came of them, what they cost',
    load: async () => (await import('./commands/run-set-show.ts')).runSetShow,
  },
  {
    path: 'run-set resume',
    about: 'go on with what is missing of a run-set that was stopped or killed',
    load: async () => (await import('./commands/run-set-resume.ts')).runSetResume,
  },
  {
    path: 'run-set list',
    about: 'the run-sets of this folder, newest first',
    load: async () => (await import('./commands/run-set-list.ts')).runSetList,
  },
  {
    path: 'cost',
    about: 'what was spent, by model, role, run, day or family',
    load: async () => (await import('./commands/cost.ts')).cost,
  },
  {
    path: 'prompts export',
    about: "write an agent's prompts into a folder, to be changed there",
    load: async () => (await import('./commands/prompts-export.ts')).promptsExport,
  },
];

export type Program = {
  readonly name: 'polya' | 'ahc-agent';
  readonly about: string;
  /** All apps, whichever commands the program offers. */
  readonly apps: readonly App[];
  readonly commands: readonly CommandEntry[];
  readonly groups: Readonly<Record<string, string>>;
  /** Where somebody new begins. */
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
