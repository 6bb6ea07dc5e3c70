/** Finds the workspace that is meant, by one rule for all commands, and merges the layers of its configuration. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import { type ConfigValue, configKeys } from '../../../families/ahc/config/keys.ts';
import {
  environmentLayer,
  flagsLayer,
  type Layer,
  parseLayer,
  type Resolved,
  resolveConfig,
} from '../../../families/ahc/config/layer.ts';
import { layout } from '../../../families/ahc/layout.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import { openFolder } from '../../../io/folder.ts';
import { configFolder, type Environment, homeOf } from '../../../io/home.ts';
import { foundAt, isMissing, readPlainFileSync } from '../../../io/plain-file.ts';
import { shellWord } from '../../../text/format.ts';
import { systemReason } from '../../../text/system-reason.ts';
import { isTrustedFile, requireOwnSettings, requireTrusted } from '../../trust/trust.ts';

export type WorkspaceQuestion = {
  readonly folder: string;
  readonly env: Environment;
  /** A folder, or the id of a contest below the folder of workspaces. Default: found by the rule. */
  readonly workspace?: string;
  readonly flags?: Readonly<Record<string, ConfigValue | undefined>>;
  /** The configuration is only shown: one that its user has not trusted is read too. */
  readonly isLooking?: boolean;
};

/** Throws `UserError` if there is none, or if several may be meant. */
export function openWorkspace(question: WorkspaceQuestion): Workspace {
  const path = workspaceFolder(question);
  return { id: basename(path), folder: openFolder(path), config: configIn(path, question) };
}

export function configIn(path: string | null, question: WorkspaceQuestion): Resolved {
  const { env, flags = {} } = question;
  const layers = [flagsLayer(flags), environmentLayer(env), ...fileLayers(path, question)];
  return resolveConfig(layers, env);
}

export function globalConfigFile(env: Environment): string {
  return join(homeOf(env), '.ahc_agent', 'config.yaml');
}

/** Throws `UserError` for a file that its user has not trusted, unless it is only shown. */
function fileLayers(path: string | null, { folder, env, isLooking = false }: WorkspaceQuestion): Layer[] {
  const project = nearestWith(folder, 'polya.yaml');
  const ofFolder = (file: string, section?: string): Layer[] => {
    if (!isLooking && existsSync(file)) requireTrusted(file, env);
    try {
      return readLayer(file, section);
    } catch (error) {
      if (!isLooking || isTrustedFile(file, env) || !(error instanceof UserError)) throw error;
      return [
        {
          source: file,
          values: new Map(),
          warnings: [`A file that you have not trusted is not used: ${error.message}`],
        },
      ];
    }
  };
  const ofUser = (file: string, section?: string): Layer[] => {
    requireOwnSettings(file, env);
    return readLayer(file, section);
  };
  return [
    ...(path === null ? [] : ofFolder(join(path, layout.config))),
    ...ofUser(globalConfigFile(env)),
    ...(project === null ? [] : ofFolder(join(project, 'polya.yaml'), 'ahc')),
    ...ofUser(join(configFolder(env), 'config.yaml'), 'ahc'),
  ];
}

function readLayer(file: string, section?: string): Layer[] {
  let text: string;
  try {
    text = readPlainFileSync(file).toString('utf8');
  } catch (error) {
    if (isMissing(error)) return [];
    const fix = 'Move it away, or make it readable.';
    throw new UserError({
      code: 'file-unreadable',
      what: `${file} cannot be read.`,
      why: systemReason(error),
      fix,
    });
  }
  return [withSecretWarning(file, parseLayer(file, text, section))];
}

/** The named workspace; else the nearest at or above the user's folder; else the only one in it or in the base folder. */
export function workspaceFolder(question: WorkspaceQuestion): string {
  const { folder, workspace } = question;
  if (workspace !== undefined) return namedWorkspace(workspace, question);
  const surroundings = enclosingWorkspace(folder);
  if (surroundings !== null) return surroundings;
  const descendants = [folder, baseFolder(question)].flatMap(findWorkspaces);
  const all = [...new Set(descendants)];
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  throw all.length > 1 ? ambiguousWorkspaceError(all) : new NoWorkspace(folder);
}

/** For what needs no workspace: several that may be meant count as none. */
export function workspaceOrNull(question: WorkspaceQuestion): string | null {
  try {
    return workspaceFolder(question);
  } catch (error) {
    if (question.workspace === undefined && error instanceof UserError) return null;
    throw error;
  }
}

/** The workspace around the working folder, or null. */
export function enclosingWorkspace(folder: string): string | null {
  return nearestWith(folder, layout.config);
}

/** `./workspace` unless it is configured or named; inside a workspace or the folder of them, the next is made beside it. */
export function baseFolder(question: WorkspaceQuestion): string {
  const surroundings = enclosingWorkspace(question.folder);
  const config = readableConfig(surroundings, question);
  const { source } = config.raw('workspace.base_dir');
  const named = inHome(String(config.get('workspace.base_dir')), question.env);
  const isSaidHere = source === 'the options' || source === 'the environment';
  const here = resolve(question.folder);
  if (isSaidHere || isAbsolute(named)) return resolve(here, named);
  // If the working folder is the folder of workspaces, it is the one that is meant.
  if (surroundings === null)
    return basename(here) === basename(named) && findWorkspaces(here).length > 0
      ? here
      : resolve(here, named);
  return source === join(surroundings, layout.config) ? resolve(surroundings, named) : dirname(surroundings);
}

/** A file that cannot be read must not keep the user from naming another workspace. */
function readableConfig(around: string | null, question: WorkspaceQuestion): Resolved {
  try {
    return configIn(around, question);
  } catch (error) {
    if (around === null) throw error;
    return configIn(null, question);
  }
}

/** `~` as a shell has it: in a file, and in quotes, no shell expands it. */
function inHome(path: string, env: Environment): string {
  return path.replace(/^~(?=\/|$)/, () => homeOf(env));
}

function namedWorkspace(named: string, question: WorkspaceQuestion): string {
  const positions = [resolve(question.folder, named), join(baseFolder(question), named)];
  const found = positions.find((place) => existsSync(join(place, layout.config)));
  if (found) return found;
  throw new UserError({
    code: 'no-workspace',
    what: `${named} is no workspace: neither ${positions.join(' nor ')} has an ${layout.config}.`,
    fix: `Make it with \`polya ahc init ${basename(named)}\`, or name another.`,
  });
}

function nearestWith(from: string, name: string): string | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder;
    if (folder === dirname(folder)) return null;
  }
}

export function findWorkspaces(folder: string): string[] {
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => join(folder, name))
      .filter((place) => existsSync(join(place, layout.config)));
  } catch {
    return [];
  }
}

function ambiguousWorkspaceError(all: readonly string[]): UserError {
  return new UserError({
    code: 'several-workspaces',
    what: `There are ${all.length} workspaces here: ${all.map((each) => basename(each)).join(', ')}.`,
    fix: 'Go into one of them, or name it with --workspace.',
  });
}

/** Some commands go on without a workspace. */
export class NoWorkspace extends UserError {
  constructor(folder: string) {
    super({
      code: 'no-workspace',
      what: `There is no workspace at, above or below ${folder}.`,
      fix: 'Make one with `polya ahc init ID`, as in `polya ahc init ahc030`.',
    });
  }
}

export function containsPlainSecret(values: ReadonlyMap<string, ConfigValue>): boolean {
  return configKeys.some(({ path, isSecret }) => isSecret && isPlain(values.get(path) ?? null));
}

/** Not a variable to be looked up later. */
export function isPlain(value: ConfigValue): boolean {
  return typeof value === 'string' && !/^\$\{\w+\}$/.test(value);
}

/** Adds a warning if other users of this machine can read a key. */
function withSecretWarning(file: string, layer: Layer): Layer {
  const mode = foundAt(file)?.mode ?? 0;
  if ((mode & 0o077) === 0 || !containsPlainSecret(layer.values)) return layer;
  const warning = `${file} holds a key in plain text, and others can read it: run \`chmod 600 ${shellWord(file)}\`, or write '\${NAME}' instead.`;
  return { ...layer, warnings: [...layer.warnings, warning] };
}

export type Asker = Pick<WorkspaceQuestion, 'folder' | 'env'>;

type OwnPath = {
  readonly path: string;
  readonly isFolder: boolean;
  readonly configured: string;
  readonly source: string;
};

/** Null for `internal`. A path in a file is relative to that file, any other to the user's folder. Throws `UserError`. */
export function ownPath(
  config: Resolved,
  key: 'algorithm_library.path' | 'past_contest_db.path',
  { folder, env }: Asker,
): OwnPath | null {
  const configured = String(config.get(key));
  if (configured === 'internal') return null;
  const { source } = config.raw(key);
  const path = resolve(isAbsolute(source) ? dirname(source) : folder, inHome(configured, env));
  const found = foundAt(path);
  if (found) return { path, isFolder: found.isDirectory(), configured, source };
  throw new UserError({
    code: 'no-such-folder',
    what: `${key} is ${configured}, and ${path} is no folder.`,
    why: `Nothing is there. It comes from: ${source}.`,
    fix: `Make it, or write \`polya ahc config ${key} internal\`.`,
  });
}
