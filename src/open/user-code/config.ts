/** Which `polya.config.ts` holds: the one beside `.polya/`, and the one in the folder of the user's settings. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { configFolder, configName, type Environment, findProject } from '../../io/home.ts';
import { foundAt } from '../../io/plain-file.ts';
import { isTrustedFile, isUsersOwn, requireOwn } from '../trust/trust.ts';

export type ConfigPlace = {
  readonly folder: string;
  readonly env: Environment;
  readonly home: string;
};

/** `refused`: the user has not trusted them. */
export type FoundConfigs = { readonly files: readonly string[]; readonly refused: readonly string[] };

/** The nearest first: its values override those of the next. */
export function findConfigs(place: ConfigPlace): FoundConfigs {
  const project = projectConfig(place);
  const own = join(configFolder(place.env), configName);
  const found = [...(project ? [project] : []), ...(existsSync(own) ? [own] : [])];
  const isNamed = Boolean(place.env.POLYA_CONFIG?.trim());
  if (isNamed && project !== null) requireOwn(project, place.env);
  const files = found.filter(
    (file) => (isNamed && file === project) || isUsersOwn(file, place.env) || isTrustedFile(file, place.env),
  );
  return { files, refused: found.filter((file) => !files.includes(file)) };
}

/** For another process: what `POLYA_CONFIG` is to be there, so that it finds the same. */
export function configFor(place: ConfigPlace): string {
  const project = projectConfig(place);
  return project !== null && findConfigs(place).files.includes(project) ? project : 'none';
}

export function projectConfig({ folder, env, home }: ConfigPlace): string | null {
  const named = env.POLYA_CONFIG?.trim();
  if (named === 'none') return null;
  if (named) return namedConfig(resolve(folder, named));
  const sibling = join(dirname(home), configName);
  if (existsSync(sibling)) return sibling;
  // POLYA_HOME may put the journals somewhere else than the project.
  const project = env.POLYA_HOME?.trim() ? findProject(folder) : null;
  return project !== null && existsSync(join(project, configName)) ? join(project, configName) : null;
}

function namedConfig(file: string): string {
  if (foundAt(file)?.isFile()) return file;
  throw new UserError({
    code: 'config-missing',
    what: `There is no configuration ${file}.`,
    why: 'POLYA_CONFIG names it.',
    fix: 'Name a file, or write `POLYA_CONFIG=none` to go without.',
  });
}
