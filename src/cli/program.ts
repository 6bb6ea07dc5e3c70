/**
 * From arguments to an exit code. Only the command that is called is loaded; the others are known by name and line, so
 * that `--help` stays cheap. It knows nothing of the process: streams and signals come with the shell.
 */
import { Command, CommanderError } from 'commander';
import { exitCodes } from '../core/errors.ts';
import type { CommandEntry, CommandFile } from './command.ts';
import { commands, groups } from './commands.ts';
import { withDotEnv } from './dot-env.ts';
import { noPaint } from './paint.ts';
import type { Shell } from './shell.ts';

/** Never throws. */
export async function runProgram(argv: readonly string[], shell: Shell): Promise<number> {
  const result = { code: 0 };
  try {
    if (argv[0] === '--version' || argv[0] === '-V') return await tellVersion(shell);
    const program = await build(argv, shell, result);
    // Without a command, the help is the result, and nobody's mistake.
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: 'user' });
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

async function build(argv: readonly string[], shell: Shell, result: { code: number }): Promise<Command> {
  const program = new Command('polya')
    .description(
      'A workbench of LLM agents: every run is a journal that can be resumed, replayed and forked.',
    )
    .option('--no-color', 'no colours')
    .option('-V, --version', 'print the version')
    .addHelpText('after', '\nStart with `polya demo`. `polya COMMAND --help` tells more of a command.');
  harness(program, shell);
  const called = calledBy(argv);
  for (const entry of commands) {
    const command = placeOf(program, entry, shell);
    if (entry === called) bind(command, await entry.load(), { shell, argv, result });
  }
  return program;
}

async function tellVersion(shell: Shell): Promise<number> {
  // Loaded here because `--help` need not pay for all of Polya.
  const { codeVersion } = await import('../index.ts');
  shell.out.write(`${codeVersion()}\n`);
  return exitCodes.ok;
}

type Call = { readonly shell: Shell; readonly argv: readonly string[]; readonly result: { code: number } };

function bind(command: Command, file: CommandFile, { shell, argv, result }: Call): void {
  file.define(command);
  command.action(async () => {
    result.code = await file.run(plainIfAsked(withDotEnv(shell), argv), command);
  });
}

/** The command that the first words name; options that have values come after them. */
function calledBy(argv: readonly string[]): CommandEntry | undefined {
  const words = argv.filter((argument) => !argument.startsWith('-')).slice(0, 3);
  // `help runs show` and `runs help show` need its options too.
  const [first, second] = words.filter((word) => word !== 'help');
  // `models mock` is a command beside `models`.
  return (
    commands.find(({ path }) => path === `${first} ${second}`) ?? commands.find(({ path }) => path === first)
  );
}

function placeOf(program: Command, { path, about }: CommandEntry, shell: Shell): Command {
  const [first = '', second] = path.split(' ');
  if (second === undefined) return harness(program.command(first).description(about), shell);
  const group =
    program.commands.find((command) => command.name() === first) ??
    harness(program.command(first).description(groups[first] ?? ''), shell);
  return harness(group.command(second).description(about), shell);
}

/** Commander neither exits nor writes errors: both are ours. */
function harness(command: Command, shell: Shell): Command {
  return command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => shell.out.write(text),
      writeErr: (text) => shell.err.write(text),
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
