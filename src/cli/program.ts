/** From arguments to an exit code. Only the called command is loaded, so that `--help` stays cheap. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { exitCodes } from '../core/errors.ts';
import { configFolder } from '../io/home.ts';
import { inHelp } from '../text/format.ts';
import { withoutColour } from '../text/paint.ts';
import type { Program } from './commands.ts';
import type { Acts, CommandEntry, CommandFile, Shell, StandIn } from './contract.ts';
import { fitOutput, withPager } from './pager.ts';
import { atStore, storeFlags } from './shared-store.ts';

/** Never throws. */
export async function runProgram(
  messages: readonly string[],
  callers: Shell,
  program: Program,
): Promise<number> {
  const { words, shell: given, refusal } = atStore(messages, callers);
  const isData = words.includes('--csv') || words.includes('--json');
  const shell = { ...given, out: isData ? given.out : fitOutput(given.out), err: fitOutput(given.err) };
  // Commander's own `help` knows one word only.
  const argv = words[0] === 'help' ? [...words.slice(1), '--help'] : words;
  const result = { code: 0, areLines: false };
  try {
    if (refusal) throw refusal;
    if (argv[0] === '--version' || argv[0] === '-V') return await printVersion(shell);
    if (argv[0] === 'complete-words') return await printCompletions(argv.slice(1), program, shell);
    const command = await build(program, {
      argv,
      shell,
      result,
      again: (more) => runProgram(more, given, program),
    });
    // Without a command, the help is the result, and no mistake.
    if (argv.length === 0) command.outputHelp();
    else if (asksForHelp(argv) && !commandExists(command, argv))
      command.parse(withoutHelp(argv), { from: 'user' });
    else await command.parseAsync(argv, { from: 'user' });
    return result.code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    // A group without a command: its help was the answer.
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.usage;
    // Loaded here because most calls do not fail, and `--help` need not pay for it.
    const { printFailure: tellFailure } = await import('./failure.ts');
    return tellFailure(withoutColorIfRequested(shell, argv), error, argv.includes('--json'), result.areLines);
  }
}

function asksForHelp(argv: readonly string[]): boolean {
  return argv.some((word) => /^(-h|--help|help)$/.test(word));
}

/** Whether the words before the first option name a command or a group. Help on what is not there is no help. */
function commandExists(root: Command, argv: readonly string[]): boolean {
  let place = root;
  for (const word of withoutHelp(argv)) {
    const next = place.commands.find((command) => command.name() === word);
    if (!next)
      return word.startsWith('-') || place.commands.length === 0 || place.registeredArguments.length > 0;
    place = next;
  }
  return true;
}

function withoutHelp(argv: readonly string[]): string[] {
  return argv.filter((word) => !asksForHelp([word]));
}

type Call = {
  readonly shell: Shell;
  readonly argv: readonly string[];
  /** `areLines`: what `--json` prints is an object a line. */
  readonly result: { code: number; areLines: boolean };
  /** Runs another command in place of this one. */
  readonly again: (argv: readonly string[]) => Promise<number>;
};

async function build(program: Program, call: Call): Promise<Command> {
  const { argv, shell } = call;
  const root = new Command(program.name)
    .description(program.about)
    .option('--no-color', 'no colours')
    .option('--no-pager', 'print long reports at once (else PAGER, or less, shows them at a terminal)')
    .option(storeFlags, 'where the runs are: a folder, or postgres://USER@HOST/DATABASE (else POLYA_STORE)')
    .option('-V, --version', 'print the version')
    .addHelpText('after', `\n${program.start}`);
  harness(root, shell);
  const { sections } = program;
  if (sections) {
    const help = new Command('help').argument('[command]').description('display help for command');
    root.addHelpCommand(help.helpGroup(`${sections('help')}:`));
  }
  const called = calledBy(program, argv);
  // Loaded here because the help of the program needs none of it.
  const removed = argv.every((word) => word.startsWith('-')) ? null : await import('./removed.ts');
  if (program.name === 'polya') removed?.rejectRemovedCommand(argv);
  for (const entry of program.commands) {
    const command = addCommand(root, program, entry, shell);
    if (entry !== called) continue;
    await bind(command, { ...call, acts: entry.acts, file: await entry.load() });
    removed?.rejectRemovedOptions(entry.path, argv, command);
  }
  return root;
}

async function printVersion(shell: Shell): Promise<number> {
  // Loaded here because `--help` need not pay for all of Polya.
  const { codeVersion } = await import('../open/version.ts');
  shell.out.write(`${codeVersion()}\n`);
  return exitCodes.ok;
}

async function printCompletions(words: readonly string[], program: Program, shell: Shell): Promise<number> {
  // Loaded here because shells alone ask for it.
  const { completions } = await import('./completion.ts');
  for (const offer of await completions(words, program, shell)) shell.out.write(`${offer}\n`);
  return exitCodes.ok;
}

type Called = Call & { readonly acts: Acts; readonly file: CommandFile | StandIn };

async function bind(command: Command, { shell, argv, result, again, acts, file }: Called): Promise<void> {
  file.define(command, shell);
  if (asksForHelp(argv) && !argv.some((word) => word === '--verbose' || word === '-v')) {
    // Loaded here because help alone needs it.
    const { withCommonOptionsInOneLine } = await import('./common-options.ts');
    withCommonOptionsInOneLine(command);
  }
  result.areLines = file.printsLines === true;
  if (asksForHelp(argv) && file.moreHelp) command.addHelpText('after', await file.moreHelp(shell, argv));
  const required = command.options.filter(({ mandatory }) => mandatory);
  for (const option of command.options)
    if (Array.isArray(option.defaultValue)) option.defaultValueDescription ??= option.defaultValue.join(', ');
  // Commander asks for these before it tells a misspelled one, which may be what is missing.
  for (const option of required) option.mandatory = false;
  command.action(async () => {
    for (const option of required)
      if (command.getOptionValue(option.attributeName()) === undefined)
        command.error(`required option '${option.flags}' not specified`);
    const called = {
      ...withoutColorIfRequested(await withSettingsOf(shell, acts), argv),
      namedUrls: namedUrlsIn(command.opts<CommonOptions>()),
      unread: new Set<string>(),
      knownStores: new Set([join(shell.folder, '.polya')]),
    };
    if ('words' in file) {
      result.code = await again(await file.words(called, command));
      return;
    }
    const { view, dryRun, json, csv, ...amount } = command.opts<CommonOptions>();
    const run = (shell: Shell) => file.run(inDetail(shell, amount), command);
    const isPaged = file.isReport && !json && !csv && !argv.includes('--no-pager');
    const work = () => (isPaged ? withPager(called, run) : run(called));
    // Loaded here because hardly any call is looked at in a browser.
    const format = async () => (await import('./viewing.ts')).withView(called, work);
    const code = view && !dryRun ? await format() : await work();
    result.code = warnUnread(called, code);
  });
}

type CommonOptions = {
  /** Some commands take one address, others one a role. */
  readonly baseUrl?: string | readonly string[];
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly view?: boolean;
  readonly dryRun?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
};

function namedUrlsIn({ baseUrl }: CommonOptions): readonly string[] | undefined {
  return typeof baseUrl === 'string' ? [baseUrl] : baseUrl;
}

/** Errors are printed all the same, because the program itself prints them. */
function inDetail(shell: Shell, { quiet, verbose }: CommonOptions): Shell {
  if (!quiet) return { ...shell, detail: verbose ? 'all' : 'usual' };
  const silent = {
    write: { value: () => undefined },
    writeBytes: { value: undefined },
    isTerminal: { value: false },
  };
  return { ...shell, detail: 'quiet', err: Object.create(shell.err, silent), loud: shell.err };
}

/** What was shown is not all: tells what is not. A reason of its own to end with keeps its code. */
function warnUnread({ err, unread }: Pick<Shell, 'err'> & { unread: Set<string> }, code: number): number {
  for (const what of unread) err.write(`${err.paint('warn', 'Warning:')} ${what}\n`);
  const isOfRuns = code === exitCodes.ok || code === exitCodes.unsolved || code === exitCodes.doubtful;
  return unread.size > 0 && isOfRuns ? exitCodes.journal : code;
}

/** The command that the first words name; options that have values come after them. */
function calledBy(program: Program, argv: readonly string[]): CommandEntry | undefined {
  const words = argv.filter((argument) => !argument.startsWith('-')).slice(0, 4);
  // `help runs show` and `runs help show` need its options too.
  const intended = words.filter((word) => word !== 'help').slice(0, 3);
  // A command may stand beside a group of its name, so the longest name is tried first.
  const paths = intended.map((_, index) => intended.slice(0, intended.length - index).join(' '));
  return paths.flatMap((path) => program.commands.find((entry) => entry.path === path) ?? [])[0];
}

/** Below the groups that its path names: `ahc library show` stands in `library`, which stands in `ahc`. */
function addCommand(
  root: Command,
  { groups, sections }: Program,
  { path, about }: CommandEntry,
  shell: Shell,
): Command {
  const words = path.split(' ');
  const last = words.pop() ?? '';
  const place = words.reduce((parent, word, index) => {
    const group = parent.commands.find((command) => command.name() === word);
    const description = groups[words.slice(0, index + 1).join(' ')] ?? '';
    return group ?? harness(inSection(parent.command(word), sections).description(description), shell);
  }, root);
  return harness(inSection(place.command(last), sections).description(about), shell);
}

function inSection(command: Command, sections: Program['sections']): Command {
  const isTop = command.parent?.parent === null;
  return sections && isTop ? command.helpGroup(`${sections(command.name())}:`) : command;
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

function withoutColorIfRequested(shell: Shell, argv: readonly string[]): Shell {
  if (!argv.includes('--no-color')) return shell;
  return { ...shell, out: plain(shell.out), err: plain(shell.err) };
}

/** Not a copy: whether an output is closed changes with time. */
function plain(output: Shell['out']): Shell['out'] {
  return Object.create(output, { paint: { value: withoutColour(output.paint) } });
}

/** With what the file `.env` gives where it is trusted, and below it what its user has set for all folders. */
async function withSettingsOf(shell: Shell, acts: Acts): Promise<Shell> {
  const own = { ...shell, acts, env: await loadUserSettings(shell) };
  const hasFile = existsSync(join(shell.folder, '.env'));
  if (acts === 'looks' && !hasFile) return own.env === shell.env ? own : { ...own, ownEnv: shell.env };
  // Loaded here because looking at a folder without `.env` needs none of it.
  const { requireTrust: requireTrustHere, variablesHere } = await import('./trusted.ts');
  if (acts === 'runs') await requireTrustHere(own);
  const ofFile = hasFile ? variablesHere(own, acts) : {};
  return { ...own, env: { ...ofFile, ...own.env }, ownEnv: shell.env };
}

async function loadUserSettings({ folder, env }: Shell): Promise<Shell['env']> {
  if (!existsSync(join(configFolder(env), 'config.json'))) return env;
  // Loaded here because most users have no settings, and reading them takes the catalogue of models.
  const { withSettings } = await import('./user-settings.ts');
  return withSettings(folder, env);
}
