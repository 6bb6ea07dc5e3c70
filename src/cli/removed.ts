/** Commands and options that were removed, each with what to use instead. */
import type { Command } from 'commander';
import { UserError } from '../core/errors.ts';

const inTests = 'Run it over many inputs with `polya ahc test`, or in a loop of the shell.';
const behindDashes = 'Write options of `docker build` behind `--`.';
/** By the command that had them; `''` stands for all commands. */
const options: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    '--notify':
      'Put the command behind it: `polya run …; COMMAND`, or `polya runs watch RUN; COMMAND` for one in the background.',
  },
  doctor: { '--report': 'Send what `polya doctor --json` prints; it holds no secrets.' },
  'ahc test': { '--watch': 'Run it again after each save, as with `watch` or `entr`.' },
  'ahc docker build': {
    '--no-cache': behindDashes,
    '--pull': behindDashes,
    '--network': behindDashes,
  },
  'ahc docker run': { '--json': 'Its exit code is that of the command, its output is on both streams.' },
  'ahc vis': {
    '--vs': 'Draw one program after the other: name its file.',
    '--open': 'Open the file that it prints.',
  },
  'ahc history': { '--svg': 'Its text and `--json` have the same numbers.' },
  exec: {
    '--cases': inTests,
    '--workers': inTests,
    '--tester': 'An interactive contest is tested with `polya ahc test`.',
    '--tester-lang': 'An interactive contest is tested with `polya ahc test`.',
    '--talks': 'An interactive contest is tested with `polya ahc test`.',
    '--check': 'Leave it out: the program is compiled before it runs.',
    '--args': 'Write the arguments behind `--`.',
  },
};

const commands: Readonly<Record<string, string>> = {
  'ahc database similar': '`polya ahc database search WORDS` finds contests by words and tags.',
  'config get': '`polya config KEY` prints one.',
  'config list': '`polya config` prints all.',
  'config set': '`polya config KEY VALUE` writes one.',
  'config unset': '`polya config KEY --unset` takes one back.',
  'fleet status': '`polya worker --list` prints it.',
  'prompts export': '`polya agents NAME --export-prompts FOLDER` writes them.',
  'runs record': '`polya runs export RUN --format script --out FILE` writes it.',
  'store salvage': '`polya store check --salvage FOLDER` copies what is whole.',
  'demo fleet': 'Start `polya worker` on each host (docs/fleet.md).',
  'models mock': 'Let a script answer in the place of a model: `--model scripted:FILE` (docs/scripts.md).',
};

export function rejectRemovedCommand(argv: readonly string[]): void {
  const name = Object.keys(commands).find((path) => `${argv.join(' ')} `.startsWith(`${path} `));
  if (name === undefined) return;
  throw new UserError({
    code: 'command-removed',
    what: `There is no command \`${name}\` any more.`,
    fix: commands[name],
  });
}

export function rejectRemovedOptions(
  path: string,
  argv: readonly string[],
  { options: own }: Pick<Command, 'options'>,
): void {
  const end = argv.indexOf('--');
  const words = (end < 0 ? argv : argv.slice(0, end)).map((word) => word.split('=', 1)[0] ?? '');
  const removed = { ...options[''], ...options[path] };
  // An app may have an option of the same name.
  const found = words.find((word) => Object.hasOwn(removed, word) && !own.some(({ long }) => long === word));
  if (found === undefined) return;
  throw new UserError({
    code: 'option-removed',
    what: `\`${path}\` has no option ${found} any more.`,
    fix: removed[found],
  });
}
