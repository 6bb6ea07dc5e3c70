/** From arguments to an exit code. Only the called command is loaded, so that `--help` stays cheap. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Command, CommanderError } from 'commander';
import { exitCodes } from '../core/errors.ts';
import { inHelp } from '../text/format.ts';
import { noPaint } from '../text/paint.ts';
import type { Program } from './commands.ts';
import type { CommandEntry, CommandFile, Shell } from './contract.ts';
import { readable, readText } from './readable.ts';

/** Never throws. */
export async function runProgram(argv: readonly string[], shell: Shell, program: Program): Promise<number> {
  const result = { code: 0 };
  try {
    if (argv[0] === '--version' || argv[0] === '-V') return await tellVersion(shell);
    const command = await build(program, { argv, shell, result });
    // Without a command, the help is the result, and no mistake.
    if (argv.length === 0) command.outputHelp();
    else await command.parseAsync(argv, { from: 'user' });
    return result.code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    // A group without a command: its help was the answer.
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage;
    // Loaded here because most calls do not fail, and `--help` need not pay for it.
    const { tellFailure } = await import('./failure.ts');
    return tellFailure(plainIfAsked(shell, argv), error, argv.includes('--json'));
  }
}

type Call = { readonly shell: Shell; readonly argv: readonly string[]; readonly result: { code: number } };

async function build(program: Program, call: Call): Promise<Command> {
  const { argv, shell } = call;
  const root = new Command(program.name)
    .description(program.about)
    .option('--no-color', 'no colours')
    .option('-V, --version', 'print the version')
    .addHelpText('after', `\n${program.start}`);
  harness(root, shell);
  const called = calledBy(program, argv);
  for (const entry of program.commands) {
    const command = placeOf(root, program, entry, shell);
    if (entry === called) await bind(command, await entry.load(), call);
  }
  return root;
}

async function tellVersion(shell: Shell): Promise<number> {
  // Loaded here because `--help` need not pay for all of Polya.
  const { codeVersion } = await import('../open/version.ts');
  shell.out.write(`${codeVersion()}\n`);
  return exitCodes.ok;
}

async function bind(command: Command, file: CommandFile, { shell, argv, result }: Call): Promise<void> {
  file.define(command, shell);
  const asksForHelp = argv.some((word) => /^(-h|--help|help)$/.test(word));
  if (asksForHelp && file.moreHelp) command.addHelpText('after', await file.moreHelp(shell, argv));
  command.action(async () => {
    result.code = await file.run(plainIfAsked(withDotEnv(shell), argv), command);
  });
}

/** The command that the first words name; options that have values come after them. */
function calledBy(program: Program, argv: readonly string[]): CommandEntry | undefined {
  const words = argv.filter((argument) => !argument.startsWith('-')).slice(0, 4);
  // `help runs show` and `runs help show` need its options too.
  const meant = words.filter((word) => word !== 'help').slice(0, 3);
  // `models mock` is a command beside `models`, so the longest name is tried first.
  const paths = meant.map((_, index) => meant.slice(0, meant.length - index).join(' '));
  return paths.flatMap((path) => program.commands.find((entry) => entry.path === path) ?? [])[0];
}

/** Below the groups that its path names: `ahc library show` stands in `library`, which stands in `ahc`. */
function placeOf(root: Command, { groups }: Program, { path, about }: CommandEntry, shell: Shell): Command {
  const words = path.split(' ');
  const last = words.pop() ?? '';
  const place = words.reduce((parent, word, index) => {
    const group = parent.commands.find((command) => command.name() === word);
    const description = groups[words.slice(0, index + 1).join(' ')] ?? '';
    return group ?? harness(parent.command(word).description(description), shell);
  }, root);
  return harness(place.command(last).description(about), shell);
}

/** Commander neither exits nor writes errors: both are ours. */
function harness(command: Command, shell: Shell): Command {
  return command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => shell.out.write(inHelp(text, shell)),
      writeErr: (text) => shell.err.write(inHelp(text, shell)),
      outputError: () => undefined,
      getOutHelpWidth: () => Math.min(shell.out.columns, 100),
      getErrHelpWidth: () => Math.min(shell.err.columns, 100),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
}

function plainIfAsked(shell: Shell, argv: readonly string[]): Shell {
  if (!argv.includes('--no-color')) return shell;
  return { ...shell, out: plain(shell.out), err: plain(shell.err) };
}

/** Not a copy: whether an output is closed changes with time. */
function plain(output: Shell['out']): Shell['out'] {
  return Object.create(output, { paint: { value: noPaint } });
}

function withDotEnv(shell: Shell): Shell {
  const path = join(shell.folder, '.env');
  const what = `The file ${path}`;
  const words = { fix: 'Make it readable, or go to another folder.' };
  const there = readable(what, () => statSync(path, { throwIfNoEntry: false }), words);
  // Some keep a folder of that name, such as a Python environment.
  if (!there || there.isDirectory()) return shell;
  const own = parseEnv(readText(path, what, words));
  return { ...shell, env: { ...own, ...shell.env }, ownEnv: shell.env };
}
