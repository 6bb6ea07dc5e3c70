/**
 * What the sandbox needs of the machine, and which package brings it: for `polya setup` and `polya doctor`.
 * It looks for files only. Whether they work together, only `info()` can tell, by trying.
 */
import { findExecutable, pathFolders, systemFolders } from './executables.ts';
import { findKotlinCompiler, kotlinFolder, kotlinPackage } from './languages/kotlin-compiler.ts';

export type MissingNeed = {
  /** `bwrap`. */
  readonly executable: string;
  /** For a person: what cannot be done without it. */
  readonly purpose: string;
  /** Without it the other languages still run. */
  readonly optional: boolean;
  /** On the disk, with everything it draws in on a bare Debian; two that share something count it twice. */
  readonly megabytes: number;
} & (DebianPackage | NpmPackage);

export type DebianPackage = { readonly kind: 'debian'; readonly debianPackage: string };

/** Put into a folder of its own in the user's cache, by the user, never as root for another. */
export type NpmPackage = {
  readonly kind: 'npm';
  /** With its version: `kotlin-compiler@2.4.20`. */
  readonly npmPackage: string;
  readonly folder: string;
  /** What installs it; the folder need not exist. */
  readonly command: readonly string[];
};

type Need = { readonly missing: MissingNeed; isThere(): Promise<boolean> };

export const compilerNames = ['gcc', 'cc', 'clang'] as const;

const needs = (): readonly Need[] => [
  {
    missing: {
      ...debian('bubblewrap', 1),
      executable: 'bwrap',
      purpose: 'running any program of a model',
      optional: false,
    },
    isThere: executable(['bwrap'], pathFolders),
  },
  {
    missing: {
      ...debian('g++', 250),
      executable: 'g++',
      purpose: 'C++ programs, and building the small runner that watches programs in the sandbox',
      optional: false,
    },
    isThere: executable(['g++']),
  },
  {
    missing: {
      ...debian('gcc', 170),
      executable: 'gcc',
      purpose: 'building the small runner that watches programs in the sandbox',
      optional: false,
    },
    isThere: executable(compilerNames, pathFolders),
  },
  {
    missing: { ...debian('python3', 40), executable: 'python3', purpose: 'Python programs', optional: false },
    isThere: executable(['python3']),
  },
  {
    missing: {
      ...debian('default-jre-headless', 250),
      executable: 'java',
      purpose: 'Kotlin programs and the Kotlin compiler',
      optional: true,
    },
    isThere: executable(['java']),
  },
  {
    missing: { ...kotlin(), executable: 'kotlin-compiler.jar', purpose: 'Kotlin programs', optional: true },
    isThere: async () => (await findKotlinCompiler()) !== null,
  },
  {
    missing: { ...debian('mono-mcs', 70), executable: 'mcs', purpose: 'C# programs', optional: true },
    isThere: executable(['mcs']),
  },
  {
    missing: { ...debian('mono-runtime', 25), executable: 'mono', purpose: 'C# programs', optional: true },
    isThere: executable(['mono']),
  },
];

export async function missingNeeds(): Promise<readonly MissingNeed[]> {
  const looked = await Promise.all(
    needs().map(async ({ missing, isThere }) => ((await isThere()) ? [] : [missing])),
  );
  return looked.flat();
}

/** The sentence that ends every complaint about something missing. */
export function installHint(debianPackages: string): string {
  return `Run \`./polya setup\`, or \`sudo apt-get install ${debianPackages}\`.`;
}

function debian(debianPackage: string, megabytes: number) {
  return { kind: 'debian', debianPackage, megabytes } as const;
}

function kotlin() {
  const npmPackage = `${kotlinPackage.name}@${kotlinPackage.version}`;
  const folder = kotlinFolder();
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  const command = ['npm', 'install', '--prefix', folder, ...options, npmPackage];
  return { kind: 'npm', npmPackage, folder, command, megabytes: 95 } as const;
}

function executable(names: readonly string[], folders: () => readonly string[] = () => systemFolders) {
  return async () => (await findExecutable(names, folders())) !== null;
}
