/** The folders of the algorithm library: the user's own, where `algorithm_library.path` names one, and what comes with Polya. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Resolved } from '../families/ahc/config/resolve.ts';
import type { WorkspaceQuestion } from './ahc.ts';

export const bundledLibrary = join(import.meta.dirname, '..', '..', 'examples', 'library');

type Asker = Pick<WorkspaceQuestion, 'folder' | 'env'>;

/** Those that come first go before the others. Throws `UserError` where the configured folder is none. */
export function libraryFolders(config: Resolved, asker: Asker): readonly string[] {
  const own = ownLibrary(config, asker);
  return own === null ? [bundledLibrary] : [own, bundledLibrary];
}

/** The folder of the user's own; null where there is none. A path in a file is meant from where that file lies. */
function ownLibrary(config: Resolved, { folder, env }: Asker): string | null {
  const key = 'algorithm_library.path';
  const configured = String(config.get(key));
  if (configured === 'internal') return null;
  const { source } = config.raw(key);
  const inHome = configured.replace(/^~(?=\/|$)/, env.HOME || homedir());
  const path = resolve(isAbsolute(source) ? dirname(source) : folder, inHome);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new UserError({
    what: `${key} is ${configured}, and ${path} is no folder.`,
    why: `It comes from: ${source}.`,
    fix: `Make the folder, or write \`polya ahc config ${key} internal\`.`,
  });
}
