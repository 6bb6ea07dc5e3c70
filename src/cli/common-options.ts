/** Options that mean the same in every command. `--help` names them in one line; `--help --verbose` describes them. */
import { type Command, Help, type Option } from 'commander';

const common: ReadonlySet<string> = new Set([
  ...['--model', '--provider', '--base-url', '--setting', '--prompts', '--agent-setting'],
  ...['--budget', '--max-tokens', '--max-tool-calls', '--max-minutes', '--concurrency', '--here'],
  ...[
    '--backend',
    '--workspace',
    '--dry-run',
    '--force',
    '--view',
    '--quiet',
    '--verbose',
    '--csv',
    '--json',
  ],
]);

const isCommon = ({ long, flags }: Option): boolean =>
  // `runs list --model TEXT` filters.
  common.has(long ?? '') && !flags.startsWith('--model <text>');

/** The options that `--help` lists one by one. */
export function ownOptions(command: Command): Option[] {
  return new Help().visibleOptions(command).filter((option) => !isCommon(option));
}

export function commonOptions({ options }: Command): readonly Option[] {
  return options.filter((option) => !option.hidden && isCommon(option));
}

export function withCommonOptionsInOneLine(command: Command): void {
  const names = commonOptions(command).map(({ long }) => long);
  if (names.length === 0) return;
  command.configureHelp({
    // In the help alone: suggestions for a misspelled option are taken from all that are visible.
    formatHelp: (description, helper) =>
      Help.prototype.formatHelp.call(
        Object.assign(helper, { visibleOptions: ownOptions }),
        description,
        helper,
      ),
  });
  command.addHelpText('after', `\nCommon options (--help --verbose describes them): ${names.join(', ')}`);
}
