/** The folders of the algorithm library: the user's own, where `algorithm_library.path` names one, and what comes with Polya. */

import { UserError } from '../../../core/errors.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { bundled } from '../../../io/bundled.ts';
import { type Asker, ownPath } from './own-path.ts';

export const bundledLibrary = bundled('library');

/** Those that come first go before the others. Throws `UserError` where the configured folder is none. */
export function libraryFolders(config: Resolved, asker: Asker): readonly string[] {
  const own = ownLibrary(config, asker);
  return own === null ? [bundledLibrary] : [own, bundledLibrary];
}

/** The folder of the user's own; null where there is none. */
function ownLibrary(config: Resolved, asker: Asker): string | null {
  const key = 'algorithm_library.path';
  const own = ownPath(config, key, asker);
  if (own === null || own.isFolder) return own?.path ?? null;
  throw new UserError({
    code: 'no-folder',
    what: `${key} is ${own.configured}, and ${own.path} is no folder.`,
    why: `It comes from: ${own.source}.`,
    fix: `Name a folder, or write \`polya ahc config ${key} internal\`.`,
  });
}
