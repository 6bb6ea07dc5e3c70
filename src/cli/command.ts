/** The contract of a command: a file in `commands/` that is loaded only when its command is called. */
import type { Command } from 'commander';
import type { Shell } from './shell.ts';

export type CommandFile = {
  /** Its arguments and options. */
  define(command: Command): void;
  /** Resolves to the exit code. What is thrown is told by the program. */
  run(shell: Shell, command: Command): Promise<number>;
};

export type CommandEntry = {
  /** `runs show` */
  readonly path: string;
  readonly about: string;
  load(): Promise<CommandFile>;
};
