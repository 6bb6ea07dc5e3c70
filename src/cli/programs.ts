/** The programs that one command line serves: `polya` with all commands, `ahc-agent` with those of one app alone. */

import { firstCommands, groups, journalCommands } from './commands.ts';
import type { App, CommandEntry } from './contract.ts';

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
