/** The program that a command on a workspace is about: the file that is named, or the workspace's own. */

import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Shell } from '../../cli/contract.ts';
import { UserError } from '../../core/errors.ts';
import type { NamedSource } from '../../families/ahc/evaluation.ts';
import { layout } from '../../families/ahc/layout.ts';
import type { Workspace } from '../../families/ahc/workspace.ts';
import { libraryFolders } from '../../open/families/ahc/library.ts';
import { bundleFile } from './workspace/bundle.ts';

export type FoundProgram = NamedSource & {
  /** Absolute. */
  readonly path: string;
  /** Absolute, of all that was put in. */
  readonly included: readonly string[];
};

type Question = {
  readonly workspace: Workspace;
  readonly file: string | undefined;
  readonly include?: readonly string[];
};

/** Throws `UserError` where there is no such program, or not all of it. */
export function findProgram(shell: Shell, { workspace, file, include }: Question): FoundProgram {
  const { path: folder } = workspace.folder;
  const own = join(folder, layout.solution);
  if (file === undefined && !existsSync(own)) {
    throw new UserError({
      code: 'no-in',
      what: `There is no ${layout.solution} in ${folder}.`,
      fix: 'Name the C++ file that is to be run, or write your program there.',
    });
  }
  const asked = file ?? own;
  const { text, included, path } = bundleFile({
    folder: shell.folder,
    file: asked,
    library: () => libraryFolders(workspace.config, shell),
    include,
  });
  return { file: shortest(path, [folder, shell.folder]), source: text, path, included };
}

/** As seen from the first of these folders that it lies in. */
function shortest(path: string, folders: readonly string[]): string {
  const names = folders.map((folder) => relative(folder, path));
  return names.find((name) => !name.startsWith('..')) ?? path;
}

/** What a program includes and the compiler here does not have. */
export function missingLibrary(digest: string): string | null {
  if (!/fatal error:\s*atcoder\/|atcoder\/[\w.]+: No such file/.test(digest)) return null;
  return 'Your program includes the AtCoder Library, which is not installed here. Download it from its project, and name the folder that holds atcoder/: --include FOLDER.';
}
