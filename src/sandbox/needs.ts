/**
 * What the sandbox needs of the machine, and which package brings it: for `polya setup` and `polya doctor`.
 * It looks for files only. Whether they work together, only `info()` can tell, by trying.
 */
import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findExecutable, pathFolders, systemFolders } from './executables.ts';
import { clangNames } from './languages/cpp-compiler.ts';
import { findKotlinCompiler, kotlinFolder, kotlinPackage } from './languages/kotlin-compiler.ts';

export type MissingNeed = {
  /** `bwrap`; a library or a crate by the name that programs know it by. */
  readonly executable: string;
  /** For a person: what cannot be done without it. */
  readonly purpose: string;
  /** Without it the other languages still run. */
  readonly optional: boolean;
} & Source;

type Source = {
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

const basics: readonly Need[] = [
  need(
    'bwrap',
    debian('bubblewrap', 1),
    'running any program of a model',
    executable(['bwrap'], pathFolders),
  ),
  need(
    'g++',
    debian('g++', 250),
    'C++ programs, and building the small runner that watches programs in the sandbox',
    executable(['g++']),
  ),
  need(
    'gcc',
    debian('gcc', 170),
    'building the small runner that watches programs in the sandbox',
    executable(compilerNames, pathFolders),
  ),
  need('python3', debian('python3', 40), 'Python programs', executable(['python3'])),
];

/** Without any of these the other languages still run. */
const extras = (): readonly Need[] =>
  [
    need('clang++', debian('clang-19', 290), 'C++ programs by a second compiler', executable(clangNames)),
    need(
      'boost',
      debian('libboost-dev', 145),
      'C++ programs that use Boost',
      file('/usr/include/boost/version.hpp'),
    ),
    need(
      'Eigen',
      debian('libeigen3-dev', 10),
      'C++ programs that use Eigen',
      file('/usr/include/eigen3/Eigen/Core'),
    ),
    ...pythonLibraries.map(([name, debianPackage, megabytes]) =>
      need(name, debian(debianPackage, megabytes), 'Python programs that compute', pythonModule(name)),
    ),
    need(
      'java',
      debian('default-jre-headless', 250),
      'Kotlin programs and the Kotlin compiler',
      executable(['java']),
    ),
    need(
      'kotlin-compiler.jar',
      kotlin(),
      'Kotlin programs',
      async () => (await findKotlinCompiler()) !== null,
    ),
    need('mcs', debian('mono-mcs', 70), 'C# programs', executable(['mcs'])),
    need('mono', debian('mono-runtime', 25), 'C# programs', executable(['mono'])),
    need('rustc', debian('rustc', 290), 'Rust programs', executable(['rustc'])),
    need('cargo', debian('cargo', 45), 'Rust projects, such as the tools of contests', executable(['cargo'])),
    ...crates.map(([name, debianPackage, megabytes]) =>
      need(name, debian(debianPackage, megabytes), 'tools of contests that use this crate', crate(name)),
    ),
  ].map(({ missing, isThere }) => ({ missing: { ...missing, optional: true }, isThere }));

/** What solvers import most. SciPy is the largest by far, and has what none of the others has: optimisers. */
const pythonLibraries = [
  ['numpy', 'python3-numpy', 50],
  ['scipy', 'python3-scipy', 200],
  ['sympy', 'python3-sympy', 35],
  ['networkx', 'python3-networkx', 10],
  ['sortedcontainers', 'python3-sortedcontainers', 1],
  ['more_itertools', 'python3-more-itertools', 1],
  ['gmpy2', 'python3-gmpy2', 1],
  ['z3', 'python3-z3', 25],
] as const;

/** What contests' generators and testers ask for, and Debian has. */
const crates = [
  ['rand', 'librust-rand-dev', 10],
  ['rand_chacha', 'librust-rand-chacha-dev', 4],
  ['itertools', 'librust-itertools-dev', 1],
  ['num', 'librust-num-dev', 12],
  ['clap', 'librust-clap-dev', 54],
] as const;

/** For other machines than this one: the image of the container back-end has the same. */
export function debianPackages(): readonly string[] {
  const all = [...basics, ...extras()].map(({ missing }) => missing);
  return [...new Set(all.flatMap((need) => (need.kind === 'debian' ? [need.debianPackage] : [])))];
}

export async function missingNeeds(): Promise<readonly MissingNeed[]> {
  const looked = await Promise.all(
    [...basics, ...extras()].map(async ({ missing, isThere }) => ((await isThere()) ? [] : [missing])),
  );
  return looked.flat();
}

/** A program that no sandbox needs: of the tests, for example. Daemons lie where only root looks. */
export async function missingExecutable(
  described: DebianPackage & Pick<MissingNeed, 'executable' | 'purpose' | 'megabytes'>,
): Promise<readonly MissingNeed[]> {
  const folders = [...pathFolders(), '/usr/sbin'];
  const isThere = (await findExecutable([described.executable], folders)) !== null;
  return isThere ? [] : [{ ...described, optional: true }];
}

/** The sentence that ends every complaint about something missing. */
export function installHint(debianPackages: string): string {
  return `Run \`./polya setup\`, or \`sudo apt-get install ${debianPackages}\`.`;
}

function need(executable: string, source: Source, purpose: string, isThere: () => Promise<boolean>): Need {
  return { missing: { ...source, executable, purpose, optional: false }, isThere };
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

function file(path: string) {
  return () => exists(path);
}

/** Debian's, or what pip put below /usr/local, which sandboxes see as well. */
function pythonModule(name: string) {
  return async () => {
    const versions = await readdir('/usr/local/lib').catch(() => []);
    const local = versions.filter((version) => /^python3/.test(version));
    const folders = local.flatMap((version) =>
      ['dist-packages', 'site-packages'].map((packages) => join('/usr/local/lib', version, packages)),
    );
    const found = await Promise.all(
      ['/usr/lib/python3/dist-packages', ...folders].map((folder) => exists(join(folder, name))),
    );
    return found.includes(true);
  };
}

function crate(name: string) {
  return async () => {
    const folders = await readdir('/usr/share/cargo/registry').catch(() => []);
    return folders.some((folder) => new RegExp(`^${name}-\\d`).test(folder));
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
