/**
 * What all commands for contests share: the options that name workspace and form, and what they ask of the rule that finds
 * workspaces. An option that was not given says nothing, so its default never beats a file.
 */
import { type Command, InvalidArgumentError } from 'commander';
import type { Shell } from '../../cli/contract.ts';
import { UserError } from '../../core/errors.ts';
import type { WorkspaceQuestion } from '../../open/families/ahc/workspace.ts';
import { asCalled, escapedJson, oneLine } from '../../text/format.ts';
import { help } from './commands/help.ts';

export type WorkspaceOptions = { readonly workspace?: string; readonly json?: boolean };

/** `--workspace` and `--json`, which every command has. */
export function workspaceOptions(command: Command): Command {
  return workspaceOption(command).option('--json', 'print it as JSON');
}

export function workspaceOption(command: Command): Command {
  return command.option(
    '--workspace <folder>',
    'a workspace, by its folder or by the id of its contest (default: found at, above or below this folder)',
    notEmpty,
  );
}

/** Adds these texts below the options of a command. */
export function withHelp(command: Command, ...names: readonly (keyof typeof help)[]): Command {
  for (const name of names) command.addHelpText('after', `\n${help[name]}`);
  return command;
}

/** Keys by the name that commander gives their option: `{ jobs: 'evaluation.jobs' }`. */
export type KeysByOption = Readonly<Record<string, string>>;

/** What a command asks of the rule that finds workspaces. */
export function questionOf(shell: Shell, command: Command, keys: KeysByOption = {}): WorkspaceQuestion {
  const typed = Object.entries(keys).filter(([name]) => command.getOptionValueSource(name) === 'cli');
  return {
    folder: shell.folder,
    env: shell.env,
    flags: Object.fromEntries(typed.map(([name, key]) => [key, command.getOptionValue(name)])),
    workspace: command.opts<WorkspaceOptions>().workspace,
    isLooking: shell.acts === 'looks',
  };
}

export function tellWarnings(shell: Shell, warnings: readonly string[]): void {
  for (const warning of new Set(warnings)) {
    shell.err.write(`${shell.err.paint('warn', 'Warning:')} ${oneLine(asCalled(warning, shell))}\n`);
  }
}

export function warn(shell: Shell, warning: string): void {
  shell.err.write(`${shell.err.paint('warn', oneLine(asCalled(warning, shell)))}\n`);
}

export function hint(shell: Shell, text: string): void {
  shell.err.write(`${shell.err.paint('faint', oneLine(asCalled(text, shell)))}\n`);
}

export function tellJson(shell: Shell, value: unknown): void {
  shell.out.write(`${escapedJson(value, 2)}\n`);
}

export function conflict(what: string, fix = 'Leave one of the two out.', why?: string): UserError {
  return new UserError({ code: 'options-conflict', what, why, fix });
}

/** The words of `search`. Throws `UserError` where they are empty. `group`: of the command. */
export function keywordsOf(command: Command, group: string, example: string): string[] {
  const [keywords]: [string[]] = command.processedArgs as [string[]];
  if (keywords.join('').trim() !== '') return keywords;
  throw new UserError({
    code: 'text-empty',
    what: 'The keywords are empty.',
    fix: `Name what you look for, as in \`polya ahc ${group} search ${example}\`, or see all with \`polya ahc ${group} list\`.`,
  });
}

function notEmpty(value: string): string {
  if (value.trim() !== '') return value;
  throw new InvalidArgumentError('It must not be empty.');
}
