/** What the user brings on the command line: agents and families in files, and the model of runs that name none. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Agent } from '../core/agent.ts';
import { UserError } from '../core/errors.ts';
import { absoluteModelName } from '../open/models.ts';
import type { JournalsOptions } from '../open/options.ts';
import { requireOwn } from '../open/trust/trust.ts';
import { configuredModel } from '../open/user-code/code.ts';
import { loadSource } from '../open/user-code/load.ts';
import type { Shell } from './contract.ts';
import { collectRepeated } from './options.ts';
import { settingsModels } from './user-settings.ts';

/** Each may be repeated. */
export type BringOptions = { readonly agent?: readonly string[]; readonly family?: readonly string[] };

/** For commands whose runs say by name what they need. */
export function bringOptions(command: Command): Command {
  return command
    .option('--agent <file>', 'a TypeScript file of yours with the agent (docs/your-own.md)', collectRepeated)
    .option('--family <file>', 'a TypeScript file of yours with the family', collectRepeated);
}

/** How Polya is opened with the files that are named. */
export function broughtIn(
  { folder }: Pick<Shell, 'folder'>,
  { agent = [], family = [] }: BringOptions,
): Pick<JournalsOptions, 'code'> {
  const named = [...agent, ...family].map((file) => resolve(folder, file));
  return named.length > 0 ? { code: { files: [...new Set(named)] } } : {};
}

/** A part of a run, by its own name, and the file that has it: none where the name alone says all. */
export type NamedPart = { readonly name: string; readonly files: readonly string[] };

/** `mine` is a name, `./mine.ts` a file with one agent, `./all.ts#mine` one of several in a file. */
export async function partNamed(
  shell: Pick<Shell, 'folder' | 'env'>,
  noun: 'agent' | 'family',
  text: string,
): Promise<NamedPart> {
  const { path = '', wanted } = /^(?<path>[^#]+\.[cm]?[jt]s|[^#]*[/\\][^#]*)(?:#(?<wanted>.*))?$/s.exec(text)
    ?.groups ?? { path: '' };
  if (path === '') return { name: text, files: [] };
  const file = resolve(shell.folder, path);
  requireOwn(file, shell.env);
  const { agents, families } = await loadSource(file, shell.env);
  const names = (noun === 'agent' ? agents : families).map(({ name }) => name);
  const [only, ...siblings] = wanted === undefined ? names : names.filter((name) => name === wanted);
  if (only !== undefined && siblings.length === 0) return { name: only, files: [file] };
  const isOpen = wanted === undefined && names.length > 1;
  const example = `\`--${noun} ${path}#${names[0]}\``;
  const add = `Add \`export default define${noun === 'agent' ? 'Agent' : 'Family'}({ … })\`; \`polya init ${noun} NAME\` writes one.`;
  throw new UserError({
    code: 'user-code-lacks',
    what: isOpen
      ? `${path} has several ${noun === 'agent' ? 'agents' : 'families'}, and none is named.`
      : `${path} has no ${noun}${wanted ? ` ${wanted}` : ''}.`,
    why: names.length > 0 ? `It has ${names.join(', ')}.` : `It exports no ${noun}.`,
    fix: names.length > 0 ? `Name one${isOpen ? '' : ' that it has'}: ${example}.` : add,
  });
}

/**
 * What a run is given where it names no model for all roles: of POLYA_MODEL, else of the project, else of its user's own
 * settings, where roles have models of their own. Nothing where none says one.
 */
export async function usualModels(
  { folder, env }: Pick<Shell, 'folder' | 'env'>,
  files: readonly string[] = [],
): Promise<Record<string, string>> {
  const named = env.POLYA_MODEL?.trim();
  if (named) return { default: absoluteModelName(named, folder) };
  const found = await configuredModel({ folder, env, files });
  if (found && !found.isUsers) return { default: found.model };
  return { ...(found ? { default: found.model } : {}), ...settingsModels(env) };
}

/** Without those of roles that the agent does not have: settings are for all agents. */
export function modelsFor(
  { roles }: Pick<Agent, 'roles'>,
  defaults: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(defaults).filter(([role]) => role === 'default' || roles.includes(role)),
  );
}
