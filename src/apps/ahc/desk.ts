/** What commands that run programs in a contest's workspace share: their options, and the desk they work at. */
import type { Command } from 'commander';
import type { Shell } from '../../cli/contract.ts';
import { backendOption, wholeNumber } from '../../cli/options.ts';
import type { Desk } from '../../families/ahc/evaluation.ts';
import { asCalled, oneLine } from '../../text/format.ts';
import { type AhcWorkbench, loadAhcWorkbench } from './load/workbench.ts';
import { questionOf, tellWarnings } from './workspace.ts';

export type IncludeOption = { readonly include?: readonly string[] };

const keys = { backend: 'sandbox.backend', jobs: 'evaluation.jobs' };

export function runningOptions(command: Command): Command {
  return backendOption(command).option(
    '-j, --jobs <number>',
    'cases at once (default: evaluation.jobs, else one a core)',
    wholeNumber(1, 1024),
  );
}

/** Only for commands that take programs of the user's. */
export function includeOption(command: Command): Command {
  const together = (value: string, before: readonly string[] = []) => [...before, value];
  return command.option(
    '-I, --include <folder>',
    'a folder of headers that are put into the program, such as the one that holds atcoder/; may be repeated',
    together,
  );
}

/** Throws `UserError` where there is no workspace, unless it may be `anywhere`. Nothing of the sandbox is tried yet. */
export async function openDesk(
  shell: Shell,
  command: Command,
  { anywhere = false }: { readonly anywhere?: boolean } = {},
): Promise<{ readonly ahc: AhcWorkbench; readonly desk: Desk }> {
  const ahc = await loadAhcWorkbench();
  const question = questionOf(shell, command, keys);
  const desk = anywhere ? ahc.openDeskAnywhere(question) : ahc.openDesk(question);
  tellWarnings(shell, desk.workspace.config.warnings);
  return { ahc, desk };
}

export function warn(shell: Shell, warning: string): void {
  shell.err.write(`${shell.err.paint('warn', oneLine(asCalled(warning, shell)))}\n`);
}
