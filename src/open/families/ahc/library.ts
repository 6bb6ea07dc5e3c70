/** The algorithm library: the one that comes with Polya, and the folder that `algorithm_library.path` names. */
import { join } from 'node:path';
import { UserError } from '../../../core/errors.ts';
import type { Resolved } from '../../../families/ahc/config/layer.ts';
import { type Library, type LibraryFolder, readLibrary } from '../../../families/ahc/library/library.ts';
import { bundled } from '../../../io/bundled.ts';
import { localFiles } from '../../../io/local-files.ts';
import { foundAt } from '../../../io/plain-file.ts';
import { type Asker, configIn, ownPath, type WorkspaceQuestion, workspaceOrNull } from './workspace.ts';

/** Throws `UserError` where the configured folder is none. A workspace is not needed; the one that is there holds. */
export async function openLibrary(question: WorkspaceQuestion): Promise<Library> {
  const config = configIn(workspaceOrNull(question), question);
  const { entries, warnings } = await readLibrary(libraryDirs(config, question).map(folderOf));
  return { entries, warnings: [...config.warnings, ...warnings] };
}

function folderOf(path: string): LibraryFolder {
  const files = localFiles(path);
  const source = path === bundledLibrary ? 'internal' : path;
  // The user's folder may hold a pipe without a writer, and reading that would never end.
  const isFile = (name: string) => foundAt(join(path, name))?.isFile() === true;
  const read = async (name: string) => (isFile(name) ? files.read(name) : null);
  return { source, files: { names: () => files.filesIn('.'), read } };
}

export const bundledLibrary = bundled('library');

/** Earlier ones go before later ones. Throws `UserError` where the configured folder is none. */
export function libraryDirs(config: Resolved, asker: Asker): readonly string[] {
  const own = ownLibrary(config, asker);
  return own === null ? [bundledLibrary] : [own, bundledLibrary];
}

/** The user's own folder; null if there is none. */
function ownLibrary(config: Resolved, asker: Asker): string | null {
  const key = 'algorithm_library.path';
  const own = ownPath(config, key, asker);
  if (own === null || own.isFolder) return own?.path ?? null;
  throw new UserError({
    code: 'no-such-folder',
    what: `${key} is ${own.configured}, and ${own.path} is no folder.`,
    why: `It comes from: ${own.source}.`,
    fix: `Name a folder, or write \`polya ahc config ${key} internal\`.`,
  });
}
