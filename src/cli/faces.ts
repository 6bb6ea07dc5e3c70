/** The programs that one command line wears: `polya` with all of its commands, `ahc-agent` with those of `polya ahc`. */
import type { CommandEntry } from './command.ts';
import { commands, groups } from './commands.ts';

export type Face = {
  readonly name: 'polya' | 'ahc-agent';
  readonly about: string;
  readonly commands: readonly CommandEntry[];
  /** What a first word is about that has commands below it. */
  readonly groups: Readonly<Record<string, string>>;
  /** Where somebody new begins. */
  readonly start: string;
};

export const polyaFace: Face = {
  name: 'polya',
  about: 'A workbench of LLM agents: every run is a journal that can be resumed, replayed and forked.',
  commands,
  groups,
  start: 'Start with `polya demo`. `polya COMMAND --help` tells more of a command.',
};

const prefix = 'ahc ';

/** The same commands with the same options, without the word before them. */
export const ahcFace: Face = {
  name: 'ahc-agent',
  about: 'A workspace for AtCoder Heuristic Contests: statement, official tools, evaluation.',
  commands: commands
    .filter(({ path }) => path.startsWith(prefix))
    .map((entry) => ({ ...entry, path: entry.path.slice(prefix.length) })),
  groups: Object.fromEntries(
    Object.entries(groups)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, about]) => [name.slice(prefix.length), about]),
  ),
  start: 'Start with `polya ahc init ID`. `polya ahc COMMAND --help` tells more of a command.',
};
