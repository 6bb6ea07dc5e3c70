/**
 * What the sandbox needs of the machine, and which Debian package brings it: for `polya setup` and `polya doctor`.
 * It looks for files only. Whether they work together, only `info()` can tell, by trying.
 */
import { findExecutable, pathFolders, systemFolders } from './executables.ts';

export type MissingNeed = {
  /** `bwrap`. */
  readonly executable: string;
  readonly debianPackage: string;
  /** For a person: what cannot be done without it. */
  readonly purpose: string;
};

type Need = MissingNeed & { readonly names: readonly string[]; readonly folders: () => readonly string[] };

export const compilerNames = ['gcc', 'cc', 'clang'] as const;

const needs: readonly Need[] = [
  {
    executable: 'bwrap',
    debianPackage: 'bubblewrap',
    purpose: 'running any program of a model',
    names: ['bwrap'],
    folders: pathFolders,
  },
  {
    executable: 'g++',
    debianPackage: 'g++',
    purpose: 'C++ programs, and building the small runner that watches programs in the sandbox',
    names: ['g++'],
    folders: () => systemFolders,
  },
  {
    executable: 'gcc',
    debianPackage: 'gcc',
    purpose: 'building the small runner that watches programs in the sandbox',
    names: compilerNames,
    folders: pathFolders,
  },
  {
    executable: 'python3',
    debianPackage: 'python3',
    purpose: 'Python programs',
    names: ['python3'],
    folders: () => systemFolders,
  },
];

export async function missingNeeds(): Promise<readonly MissingNeed[]> {
  const missing: MissingNeed[] = [];
  for (const { names, folders, ...need } of needs) {
    if ((await findExecutable(names, folders())) === null) missing.push(need);
  }
  return missing;
}

/** The sentence that ends every complaint about something missing. */
export function installHint(debianPackage: string): string {
  return `Run \`./polya setup\`, or \`sudo apt-get install ${debianPackage}\`.`;
}
