/** Every registered command, with words with which it can be called. */
import { Command } from 'commander';
import { apps } from '../../src/apps/all.ts';
import { polyaProgram } from '../../src/cli/commands.ts';
import type { CommandEntry } from '../../src/cli/contract.ts';

export const everyCommand = polyaProgram(apps).commands;

/** Words without which a command does not begin, or would not end. */
const words: Readonly<Record<string, readonly string[]>> = {
  config: ['budget', '1'],
  completion: ['bash'],
  demo: ['proof'],
  setup: ['--help'],
  exec: ['--help'],
  'init agent': ['two-tries'],
  'init family': ['sums'],
  'runs diff': ['last', 'last'],
  'runs export': ['last'],
  'runs fork': ['last'],
  'runs limit': ['last', '--budget', '1'],
  'run-set run': ['set.yaml'],
  'ahc batch': ['batch.yaml'],
  'aoc status': ['--site', 'practice'],
  'aoc submit': ['--year', '2000', '--day', '1', '--part', '1', '1'],
  trust: ['--list'],
  view: ['--export', 'page.html', 'last'],
};

export async function argvOf(entry: CommandEntry): Promise<readonly string[]> {
  const { path } = entry;
  const command = await defined(entry);
  const filled = command.registeredArguments.filter(({ required }) => required).map(() => 'last');
  const options = command.options.filter(({ mandatory }) => mandatory);
  const valued = options.flatMap(({ long, argChoices: [first = '1'] = [] }) => [long ?? '', first]);
  return [...path.split(' '), ...(words[path] ?? [...filled, ...valued])];
}

/** It has an argument that names a run or a run-set. */
export async function takesRun(entry: CommandEntry): Promise<boolean> {
  return (await defined(entry)).registeredArguments.some((argument) =>
    /^(?:runs?|run-set|id)$/.test(argument.name()),
  );
}

async function defined({ load }: CommandEntry): Promise<Command> {
  const command = new Command();
  (await load()).define(command, { apps });
  return command;
}
