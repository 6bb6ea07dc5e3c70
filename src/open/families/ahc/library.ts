/**
 * The algorithm library: what comes with Polya, and the folder of the user's own that `algorithm_library.path` names. Both
 * are also where `bundle` looks for headers. `load-ahc-library.ts` brings it in when it is needed.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Library } from '../../../families/ahc/library/library.ts';
import { type LibraryFolder, readLibrary } from '../../../families/ahc/library/library.ts';
import { findEntry, nearWords, searchLibrary } from '../../../families/ahc/library/search.ts';
import { entryMarkdown, sectionsOf, speedText } from '../../../families/ahc/library/tools.ts';
import { localFiles } from '../../../io/local-files.ts';
import { bundledLibrary, libraryFolders } from './library-folders.ts';
import { configIn, type WorkspaceQuestion, workspaceOrNull } from './workspace.ts';

/** Throws `UserError` where the configured folder is none. It needs no workspace, and heeds the one that is there. */
export async function openLibrary(question: WorkspaceQuestion): Promise<Library> {
  const config = configIn(workspaceOrNull(question), question);
  const { entries, warnings } = await readLibrary(libraryFolders(config, question).map(folderOf));
  return { entries, warnings: [...config.warnings, ...warnings] };
}

function folderOf(path: string): LibraryFolder {
  const files = localFiles(path);
  const source = path === bundledLibrary ? 'internal' : path;
  // Somebody's folder may hold a pipe, which nobody ever writes to.
  const isFile = (name: string) => statSync(join(path, name), { throwIfNoEntry: false })?.isFile() === true;
  const read = async (name: string) => (isFile(name) ? files.read(name) : null);
  return { source, files: { names: () => files.filesIn('.'), read } };
}

export const ahcLibrary = {
  openLibrary,
  findEntry,
  searchLibrary,
  nearWords,
  sectionsOf,
  entryMarkdown,
  speedText,
};
