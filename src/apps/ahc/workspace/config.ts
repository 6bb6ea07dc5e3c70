/**
 * The configuration of contests for people: each key with its value, where that comes from and what it does; and one
 * value written into the file that it belongs in, with everything else in it left as it is.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import type { ModelSettings } from '../../../core/model.ts';
import {
  type ConfigKey,
  type ConfigValue,
  configKeyOf,
  configKeys,
  variableOf,
} from '../../../families/ahc/config/keys.ts';
import { parseLayer, type Resolved, typed } from '../../../families/ahc/config/layer.ts';
import { layout } from '../../../families/ahc/layout.ts';
import { withFileLock } from '../../../io/exclusive.ts';
import { openFolder } from '../../../io/folder.ts';
import { foundAt, readPlainFileSync } from '../../../io/plain-file.ts';
import { writeFileAtomicSync } from '../../../io/write-whole.ts';
import { modelNameOf } from '../../../models/catalogue.ts';
import {
  containsPlainSecret,
  enclosingWorkspace,
  globalConfigFile,
  isPlain,
  type WorkspaceQuestion,
  workspaceFolder,
} from '../../../open/families/ahc/workspace.ts';
import { isTrustedFile, trustOwnFiles } from '../../../open/trust/trust.ts';
import { nearestOf } from '../../../text/nearest.ts';
import { shownValue, withoutValue, withValue } from './edit.ts';

export type ShownKey = {
  readonly key: string;
  /** The value as written: variables are not expanded, a secret is masked. */
  readonly value: ConfigValue;
  /** The same for people. */
  readonly shown: string;
  readonly source: string;
  readonly about: string;
};

/** The key of that name, or all of a section. Throws `UserError` for what is neither, with the nearest. */
export function keysNamed(name: string): readonly ConfigKey[] {
  const found = configKeys.filter(({ path }) => path === name || path.startsWith(`${name}.`));
  if (found.length > 0) return found;
  const nearby = nearestKey(name);
  throw new UserError({
    code: 'no-such-key',
    what: `There is no key ${name}.`,
    fix: `${nearby ? `Did you mean ${nearby}? ` : ''}\`polya ahc config\` lists them all.`,
  });
}

/** For a name without a section: each key of that name, or of the nearest one. */
function nearestKey(name: string): string | null {
  const known = configKeys.map(({ path }) => path);
  if (name.includes('.')) return nearestOf(name, known);
  const lastOf = (path: string): string => path.slice(path.indexOf('.') + 1);
  const intended = nearestOf(name, known.map(lastOf));
  return known.filter((path) => lastOf(path) === intended).join(' or ') || nearestOf(name, known);
}

export function shownKey({ path, about, ...key }: ConfigKey, config: Resolved): ShownKey {
  const isSecret = key.isSecret === true;
  const { value, source } = config.raw(path);
  const text = shownValue(value, isSecret);
  return {
    key: path,
    value: isSecret && value !== null ? text : value,
    shown: withMeaning(path, text, config),
    source: source === 'the environment' ? variableOf(path) : source,
    about,
  };
}

/** What provider and bare name come to, beside the name. */
function withMeaning(path: string, shown: string, config: Resolved): string {
  if (path !== 'llm.model') return shown;
  try {
    const { model } = modelOfConfig(config);
    return model === null || model === shown ? shown : `${shown} (${model})`;
  } catch {
    // The caller reports errors in it.
    return shown;
  }
}

type Change = {
  readonly key: string;
  /** As it was typed; null: the key is taken out of the file. */
  readonly text: string | null;
  /** The global file, wherever its user is. */
  readonly isGlobal: boolean;
};

/** Into the file of the workspace that its user is in, or has named; else into the global one. */
export async function writeConfig(question: WorkspaceQuestion, change: Change) {
  const key = configKeyOf.get(change.key);
  if (!key) {
    throw new UserError({
      code: 'section-not-key',
      what: `${change.key} is a section, and no key.`,
      fix: `Name a key in it, as ${keysNamed(change.key)[0]?.path}.`,
    });
  }
  const { path } = key;
  const isSecret = key.isSecret === true;
  const file = fileToWrite(question, change.isGlobal);
  // A change by its user is no reason to ask again.
  const wasTrusted = !existsSync(file) || isTrustedFile(file, question.env);
  const value = change.text === null ? null : typed(key, change.text, 'the command line');
  await writeChanged(file, (before) =>
    change.text === null
      ? withoutValue(file, before, path)
      : withValue(file, before || header(file), path, value),
  );
  if (wasTrusted && basename(file) === layout.config)
    trustOwnFiles(dirname(file), [layout.config], question.env);
  const isExposed = isSecret && isPlain(value);
  return { file, shown: shownValue(value, isSecret), warnings: isExposed ? [plainSecret(path, file)] : [] };
}

/** What another process writes at the same time is neither lost nor half seen: one after the other reads and writes. */
async function writeChanged(file: string, changed: (before: string) => string): Promise<void> {
  const place = realFile(file);
  const folder = openFolder(dirname(place));
  const seen = (await folder.read(basename(place))) ?? '';
  if (changed(seen) === seen) return;
  await folder.tryWrite(basename(place));
  const isWorkspace = basename(file) === layout.config;
  const lock = join(dirname(file), ...(isWorkspace ? [layout.records] : []), 'config.lock');
  const change = (): void => {
    const before = existsSync(place) ? readPlainFileSync(place).toString('utf8') : '';
    const after = changed(before);
    const isSecret = containsPlainSecret(parseLayer(file, after).values);
    if (after !== before) writeFileAtomicSync(place, after, isSecret ? { mode: 0o600 } : modeOf(place));
  };
  await withFileLock(lock, change, isWorkspace ? dirname(file) : undefined);
}

function fileToWrite(question: WorkspaceQuestion, isGlobal: boolean): string {
  if (isGlobal) return globalConfigFile(question.env);
  const folder =
    question.workspace === undefined ? enclosingWorkspace(question.folder) : workspaceFolder(question);
  return folder === null ? globalConfigFile(question.env) : join(folder, layout.config);
}

/** Some keep their configuration elsewhere and link to it: the link stays. */
function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function header(file: string): string {
  return basename(file) === layout.config
    ? '# What holds in this workspace.\n'
    : '# What holds in every workspace whose own ahc_config.yaml says nothing. `ahc-agent config` lists all keys.\n';
}

function modeOf(file: string): { mode?: number } {
  const mode = foundAt(file)?.mode;
  return mode === undefined ? {} : { mode: mode & 0o777 };
}

function plainSecret(path: string, file: string): string {
  return `${path} now stands in plain text in ${file}, which only you can read (0600). Safer: put it into a variable, and write '\${NAME}' here.`;
}

/** `provider` and a bare name make `provider/name`; throws `UserError` for a provider that there is not. */
export function modelOfConfig(config: Pick<Resolved, 'get'>) {
  const model = config.get('llm.model');
  const temperature = config.get('llm.temperature');
  const capacity = config.get('llm.max_tokens');
  const settings: ModelSettings = {
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof capacity === 'number' ? { maxOutputTokens: capacity } : {}),
  };
  return { model: typeof model === 'string' ? wholeName(model, config.get('llm.provider')) : null, settings };
}

/** A bare name, as in `config llm.model gpt-4o`, is one of OpenAI. */
function wholeName(model: string, provider: ConfigValue): string {
  if (typeof provider === 'string') return modelNameOf({ provider, model });
  const isBare = /^[^/:]+$/.test(model) && model !== 'manual';
  return isBare ? modelNameOf({ provider: 'openai', model }) : model;
}
