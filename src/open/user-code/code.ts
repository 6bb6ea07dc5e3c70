/** The user's own agents, families and models: from files named for this call, from a journal, from `polya.config.ts`. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { Agent } from '../../core/agent.ts';
import { UserError } from '../../core/errors.ts';
import type { CodeOrigin } from '../../core/event.ts';
import type { OwnCode } from '../../core/fleet.ts';
import type { Model } from '../../core/model.ts';
import type { Family } from '../../core/problem.ts';
import { configFolder, configName, type Environment, findHome } from '../../io/home.ts';
import type { CodeFiles, RunParts } from '../../run/world.ts';
import { shellWord } from '../../text/format.ts';
import { absoluteModelName } from '../models.ts';
import { checkFileOwner } from '../trust/acting-files.ts';
import { isTrustedFile, requireOwn } from '../trust/trust.ts';
import { codeIn, hashOfCode } from './code-text.ts';
import { type ConfigPlace, findConfigs } from './config.ts';
import { importedSources, loadSource, type Source } from './load.ts';

/** How much of the user's own code is looked at; all of it is left out where this is missing. */
export type UserCodeOptions = {
  /** Absolute paths of files that are named for this call. */
  readonly files?: readonly string[];
  /** What a journal names is looked for among the files of this process alone, and by its hash, wherever it lay. */
  readonly isByHash?: boolean;
  /** Told of a configuration that is left alone. */
  readonly onNotice?: (notice: string) => void;
};

export type UserCode = {
  agent(name: string, code?: CodeFiles): Promise<Agent | null>;
  family(name: string, code?: CodeFiles): Promise<Family | null>;
  model(name: string, code?: CodeFiles): Promise<Model | null>;
  /** Those that are named for this call, and the configurations: what goes before others first. */
  sources(): Promise<readonly Source[]>;
  /** The files behind `sources`, with those that they import. */
  copies(): Promise<readonly OwnCode[]>;
  codeOf(parts: RunParts): readonly CodeOrigin[];
};

type Find<T extends object> = (source: Source) => T | undefined;

export function openUserCode(place: ConfigPlace, options: UserCodeOptions): UserCode {
  const { files = [], isByHash = false, onNotice } = options;
  const { env } = place;
  /** What paths in journals are relative to. */
  const base = dirname(place.home);
  const origins = new WeakMap<object, Source>();
  const load = async (file: string): Promise<Source> => {
    const source = await loadSource(file, env);
    const imported = await importedSources(file, env);
    for (const thing of partsOf(source))
      origins.set(thing, imported.find((each) => partsOf(each).includes(thing)) ?? source);
    return source;
  };
  let loadedConfigs: Promise<readonly Source[]> | null = null;
  const loadConfigs = async (): Promise<readonly Source[]> => {
    const found = findConfigs(place);
    for (const file of found.refused)
      onNotice?.(
        `${file} is not loaded: you have not trusted it, or it has changed since. \`polya trust\` shows what it brings.`,
      );
    return Promise.all(found.files.map(load));
  };
  const configs = (): Promise<readonly Source[]> => {
    loadedConfigs ??= loadConfigs();
    return loadedConfigs;
  };

  const loadNamed = (): Promise<readonly Source[]> =>
    Promise.all(
      files.map((file) => {
        requireOwn(file, env);
        return load(file);
      }),
    );

  const find = async <T extends object>(
    noun: Part,
    name: string,
    code: CodeFiles,
    has: Find<T>,
  ): Promise<T | null> => {
    const named = await loadNamed();
    const bringing = code.filter(({ brings = [noun] }) => brings.includes(noun));
    if (isByHash) {
      const hashes = bringing.map(({ hash }) => hash);
      const found = [...named, ...(await configs())].flatMap((source) => has(source) ?? []);
      return found.find((each) => hashes.includes(origins.get(each)?.hash)) ?? null;
    }
    for (const source of named) if (has(source)) return has(source) ?? null;
    const requested = bringing.map(({ file, hash }) => ({ file: resolve(base, file), hash }));
    for (const { file, hash } of requested.filter((each) => existsSync(each.file))) {
      assertCodeUnchanged(file, hash, { place, noun, name });
      const found = has(await load(file));
      if (found) return found;
    }
    for (const source of await configs()) if (has(source)) return has(source) ?? null;
    if (requested.length > 0)
      throw missingCodeError(
        requested.map(({ file }) => file),
        noun,
        name,
      );
    return null;
  };

  const sources = async () => [...(await loadNamed()), ...(await configs())];
  return {
    agent: (name, code = []) =>
      find('agent', name, code, ({ agents }) => agents.find((each) => each.name === name)),
    family: (name, code = []) =>
      find('family', name, code, ({ families }) => families.find((each) => each.name === name)),
    model: (name, code = []) => find('model', name, code, ({ models }) => models.get(name)),
    sources,
    copies: async () => {
      const own = await sources();
      const imported = await Promise.all(own.map(({ file }) => importedSources(file, env)));
      return [...own, ...imported.flat()].map(({ file, hash }) => ({ file: fileFrom(base, file), hash }));
    },
    codeOf: ({ agent, family, models }) => {
      const parts = [
        { part: 'agent', source: origins.get(agent) },
        { part: 'family', source: origins.get(family) },
        ...[...models.values()].map((model) => ({ part: 'model', source: origins.get(model) }) as const),
      ] as const;
      return originsIn(parts, base);
    },
  };
}

type Part = CodeOrigin['brings'][number];

function partsOf({ agents, families, models }: Source): readonly object[] {
  return [...agents, ...families, ...models.values()];
}

/** One entry a file. */
function originsIn(
  parts: readonly { readonly part: Part; readonly source: Source | undefined }[],
  base: string,
): readonly CodeOrigin[] {
  const byFile = new Map<string, CodeOrigin>();
  for (const { part, source } of parts) {
    if (!source) continue;
    const { brings = [] } = byFile.get(source.file) ?? {};
    const all = brings.includes(part) ? brings : [...brings, part];
    byFile.set(source.file, { file: fileFrom(base, source.file), hash: source.hash, brings: all });
  }
  return [...byFile.values()];
}

function fileFrom(base: string, file: string): string {
  const path = relative(base, file);
  return path.startsWith('..') || isAbsolute(path) ? file : path;
}

function missingCodeError(files: readonly string[], noun: string, name: string): UserError {
  const [file = ''] = files;
  const exists = existsSync(file);
  return new UserError({
    code: 'user-code-gone',
    what: `The ${noun} ${name} was loaded from ${file}, which ${exists ? 'has none of that name' : 'is not there'}.`,
    why: 'It did not come with Polya, and its journal does not hold its code.',
    fix: `Put the file back, name the one that has it now with \`${noun === 'model' ? '--agent' : `--${noun}`} FILE\`, or name the ${noun} in polya.config.ts.`,
  });
}

type JournaledPart = { readonly place: ConfigPlace; readonly noun: Part; readonly name: string };

/**
 * A file that a journal alone names runs if it is the user's and has not changed since the user named it, or if the user has
 * trusted it otherwise.
 */
function assertCodeUnchanged(
  file: string,
  hash: string | undefined,
  { place, noun, name }: JournaledPart,
): void {
  const foreign = checkFileOwner(file);
  if (foreign === null && hashOfCode(realpathSync(file)) === hash) return;
  const isConfigured = findConfigs(place).files.some((each) =>
    codeIn(realpathSync(each)).has(realpathSync(file)),
  );
  if (isConfigured || isTrustedFile(file, place.env)) return;
  throw new UserError({
    code: 'user-code-untrusted',
    what: `The code of the ${noun} ${name} is in ${foreign?.path ?? file}, and ${foreign?.issue ?? 'it has changed since the journal was written'}.`,
    why: 'A journal alone does not make Polya run code that you have not seen.',
    fix: `If you trust it, run \`polya trust ${shellWord(file)}\`, or name your own file: \`--${noun === 'family' ? 'family' : 'agent'} FILE\`. A script sets POLYA_TRUST=1.`,
  });
}

/** The model that a configuration names for runs. `isUsers`: it is the user's for all folders, and no project's. */
export type ConfiguredModel = { readonly model: string; readonly file: string; readonly isUsers: boolean };

/** `files`: named for this call. Under a name that holds in any folder: paths are relative to the file that has them. */
export async function configuredModel(place: {
  readonly folder: string;
  readonly env: Environment;
  readonly files: readonly string[];
}): Promise<ConfiguredModel | null> {
  const folder = resolve(place.folder);
  const { env, files } = place;
  const code = openUserCode({ folder, env, home: findHome(folder, env).folder }, { files });
  const own = join(configFolder(env), configName);
  for (const { model, file } of await code.sources()) {
    if (model !== null)
      return { model: absoluteModelName(model, dirname(file)), file, isUsers: file === own };
  }
  return null;
}
