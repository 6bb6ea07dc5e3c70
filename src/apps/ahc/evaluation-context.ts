/** What commands that run programs in a contest's workspace share: their options, and the context of their evaluations. */
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Shell } from '../../cli/contract.ts';
import { backendOption, collectRepeated, parseInteger } from '../../cli/options.ts';
import type { Sandbox } from '../../core/sandbox.ts';
import type { Resolved } from '../../families/ahc/config/layer.ts';
import type { EvaluationContext } from '../../families/ahc/evaluation.ts';
import type { Workspace } from '../../families/ahc/workspace.ts';
import { systemClock } from '../../io/clock.ts';
import { openFolder } from '../../io/folder.ts';
import type { Environment } from '../../io/home.ts';
import { machineTimes } from '../../open/families/ahc/parts.ts';
import { configIn, openWorkspace, workspaceOrNull } from '../../open/families/ahc/workspace.ts';
import { hashText } from '../../run/hash.ts';
import { chooseSandbox } from '../../sandbox/choose.ts';
import { questionOf, tellWarnings } from './workspace.ts';

export type IncludeOption = { readonly include?: readonly string[] };

const keys = { backend: 'sandbox.backend', jobs: 'evaluation.jobs' };

export function runningOptions(command: Command): Command {
  return backendOption(command).option(
    '-j, --jobs <number>',
    'cases at once (default: evaluation.jobs, else one a core)',
    parseInteger(1, 1024),
  );
}

/** Only for commands that take programs of the user's. */
export function includeOption(command: Command): Command {
  return command.option(
    '-I, --include <folder>',
    'a folder of headers that are put into the program, such as the one that holds atcoder/; may be repeated',
    collectRepeated,
  );
}

/**
 * Throws `UserError` where there is no workspace; `anywhere`, for what needs no contest, the folder where the user is stands
 * for it. Nothing of the sandbox is tried yet.
 */
export function openContext(
  shell: Shell,
  command: Command,
  { anywhere = false }: { readonly anywhere?: boolean } = {},
): EvaluationContext {
  const question = questionOf(shell, command, keys);
  const { folder, env } = question;
  const isOutside = anywhere && workspaceOrNull(question) === null;
  const workspace = isOutside
    ? { id: basename(folder), folder: openFolder(folder), config: configIn(null, question) }
    : openWorkspace(question);
  tellWarnings(shell, workspace.config.warnings);
  return evaluationContext(workspace, env);
}

export function evaluationContext(workspace: Workspace, env: Environment): EvaluationContext {
  const sandbox = sandboxFor(workspace.config, env);
  return { workspace, sandbox, clock: systemClock, hashText, machine: machineTimes };
}

/** The sandbox that the configuration names. `auto` leaves it to POLYA_SANDBOX, and then to what works. */
export function sandboxFor(config: Pick<Resolved, 'get'>, env: Environment): Sandbox {
  const configured = String(config.get('sandbox.backend'));
  const backend = (configured === 'auto' ? env.POLYA_SANDBOX : configured) || undefined;
  return chooseSandbox({ env, backend });
}
