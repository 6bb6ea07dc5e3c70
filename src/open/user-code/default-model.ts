/** The model that the user's own code names for runs that name none. */
import { dirname, resolve } from 'node:path';
import { type Environment, findHome } from '../../io/home.ts';
import { lastingModelName } from '../models.ts';
import { openUserCode } from './code.ts';

/** `files`: named for this call. Under a name that holds in any folder: paths are relative to the file that has them. */
export async function defaultModel(place: {
  readonly folder: string;
  readonly env: Environment;
  readonly files: readonly string[];
}): Promise<string | null> {
  const folder = resolve(place.folder);
  const { env, files } = place;
  const code = openUserCode({ folder, env, home: findHome(folder, env).folder }, { files });
  for (const { model, file } of await code.sources()) {
    if (model !== null) return lastingModelName(model, dirname(file));
  }
  return null;
}
