/** What the sandbox needs of the machine, and which packages bring it. Looks for files, and runs nothing. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findExecutable, pathFolders, systemFolders } from './executables.ts';
import { clangNames } from './languages/cpp-compiler.ts';
import { findKotlinCompiler, kotlinFolder, kotlinPackage } from './languages/kotlin-compiler.ts';
import { rustupToolchains } from './languages/rustup.ts';

export type MissingNeed = {
  /** `bwrap`; a library or a crate by the name that programs know it by. */
  readonly executable: string;
  /** For a person: what cannot be done without it. */
  readonly purpose: string;
  /** Without it the other languages still run. */
  readonly optional: boolean;
  /** Optional: without it a feature works less well, so its installation may fail. */
  readonly isUpgrade?: boolean;
} & Source;

type Source = {
  /** On the disk, with everything it draws in on a bare Debian; two that share something count it twice. */
  readonly megabytes: number;
} & (DebianPackage | NpmPackage);

export type DebianPackage = { readonly kind: 'debian'; readonly debianPackage: string };

/** Put into a folder of its own in the user's cache, by the user, never as root for another. */
export type NpmPackage = {
  readonly kind: 'npm';
  /** The package with its version: `kotlin-compiler@2.4.20`. */
  readonly npmPackage: string;
  readonly folder: string;
  /** What installs it; the folder need not exist. */
  readonly command: readonly string[];
};

type IsThere = () => Promise<boolean>;
type Need = MissingNeed & { readonly isThere: IsThere };

export const compilerNames = ['gcc', 'cc', 'clang'] as const;
const runner = 'the small runner that watches programs in the sandbox';
const pythonLibrary = 'Python programs that compute';
const crateUse = 'tools of contests that use this crate';

const basics = (): readonly Need[] => [
  debian('bwrap', 'bubblewrap', 1, 'running any program of a model', executable(['bwrap'], pathFolders())),
  debian('g++', 'g++', 250, `C++ programs, and building ${runner}`),
  debian('gcc', 'gcc', 170, `building ${runner}`, executable(compilerNames, pathFolders())),
  debian('python3', 'python3', 40, 'Python programs'),
];

/** Without any of these the other languages still run. */
const extras = (release: string): readonly Need[] => [
  debian('clang++', 'clang-19', 290, 'C++ programs by a second compiler', executable(clangNames)),
  debian('boost', 'libboost-dev', 145, 'C++ programs that use Boost', file('/usr/include/boost/version.hpp')),
  debian('Eigen', 'libeigen3-dev', 10, 'C++ programs that use Eigen', file('/usr/include/eigen3/Eigen/Core')),
  // What solvers import most. SciPy is the largest by far, and has what none of the others has: optimisers.
  debian('numpy', 'python3-numpy', 50, pythonLibrary, pythonModule('numpy')),
  debian('scipy', 'python3-scipy', 200, pythonLibrary, pythonModule('scipy')),
  debian('sympy', 'python3-sympy', 35, pythonLibrary, pythonModule('sympy')),
  debian('networkx', 'python3-networkx', 10, pythonLibrary, pythonModule('networkx')),
  debian('sortedcontainers', 'python3-sortedcontainers', 1, pythonLibrary, pythonModule('sortedcontainers')),
  debian('more_itertools', 'python3-more-itertools', 1, pythonLibrary, pythonModule('more_itertools')),
  debian('gmpy2', 'python3-gmpy2', 1, pythonLibrary, pythonModule('gmpy2')),
  debian('z3', 'python3-z3', 25, pythonLibrary, pythonModule('z3')),
  debian('java', 'default-jre-headless', 250, 'Kotlin programs and the Kotlin compiler'),
  kotlin(),
  debian('mcs', 'mono-mcs', 70, 'C# programs'),
  debian('mono', 'mono-runtime', 25, 'C# programs'),
  ...rust(release),
  // What contests' generators and testers ask for, and Debian has.
  debian('rand', 'librust-rand-dev', 10, crateUse, crate('rand')),
  debian('rand_chacha', 'librust-rand-chacha-dev', 4, crateUse, crate('rand_chacha')),
  debian('itertools', 'librust-itertools-dev', 1, crateUse, crate('itertools')),
  debian('num', 'librust-num-dev', 12, crateUse, crate('num')),
  debian('clap', 'librust-clap-dev', 54, crateUse, crate('clap')),
];

/** `release`: of Debian, of which the packages are; empty for what only descends from it. */
function allNeeds(release: string): readonly Need[] {
  return [...basics(), ...extras(release).map((need) => ({ ...need, optional: true }))];
}

const twelve = '12';

/** For other machines than this one: the image of the container back-end has the same. */
export function debianPackages(): readonly string[] {
  return [
    ...new Set(allNeeds(twelve).flatMap((need) => (need.kind === 'debian' ? [need.debianPackage] : []))),
  ];
}

export async function missingNeeds(): Promise<readonly MissingNeed[]> {
  const looked = await Promise.all(
    allNeeds(await debianRelease()).map(async ({ isThere, ...need }) => ((await isThere()) ? [] : [need])),
  );
  return looked.flat();
}

/** A program that no sandbox needs: of the tests, for example. Daemons lie where only root looks. */
export async function missingExecutable(
  description: DebianPackage & Pick<MissingNeed, 'executable' | 'purpose' | 'megabytes'>,
): Promise<readonly MissingNeed[]> {
  const dirs = [...pathFolders(), '/usr/sbin'];
  const exists = (await findExecutable([description.executable], dirs)) !== null;
  return exists ? [] : [{ ...description, optional: true }];
}

/** The sentence that ends every complaint about something missing. */
export function installHint(debianPackages: string): string {
  return `Run \`./polya setup\`, or \`sudo apt-get install ${debianPackages}\`.`;
}

/** Where nothing else is said, it is a program in the system's folders. */
function debian(
  ...[name, debianPackage, megabytes, purpose, exists = executable([name])]: [
    name: string,
    debianPackage: string,
    megabytes: number,
    purpose: string,
    isThere?: IsThere,
  ]
): Need {
  return {
    kind: 'debian',
    debianPackage,
    megabytes,
    executable: name,
    purpose,
    optional: false,
    isThere: exists,
  };
}

async function debianRelease(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID="?debian"?$/m.test(text) ? (/^VERSION_ID="?(\d+)/m.exec(text)?.[1] ?? '') : '';
}

/** Debian 12 has two: its own is older than what the tools of contests want since 2023, and the other takes its place. */
function rust(release: string): readonly Need[] {
  const suffix = release === twelve ? '-web' : '';
  const users = async () => (await rustupToolchains()).length > 0;
  const one = (name: string, megabytes: number, purpose: string): Need[] => {
    const isAnyThere = async () => (await users()) || (await executable([name])());
    const need = debian(name, `${name}${suffix}`, megabytes, purpose, isAnyThere);
    if (suffix === '') return [need];
    const isNewThere = async () =>
      (await users()) || !(await isAnyThere()) || existsSync(`/var/lib/dpkg/info/${name}${suffix}.list`);
    const newer = { executable: `a newer ${name}`, purpose: 'tools of contests since 2023' };
    return [need, { ...need, ...newer, isThere: isNewThere, isUpgrade: true }];
  };
  return [
    ...one('rustc', 650, 'Rust programs'),
    ...one('cargo', 50, 'Rust projects, such as the tools of contests'),
  ];
}

function kotlin(): Need {
  const npmPackage = `${kotlinPackage.name}@${kotlinPackage.version}`;
  const folder = kotlinFolder();
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  const command = ['npm', 'install', '--prefix', folder, ...options, npmPackage];
  return {
    kind: 'npm',
    npmPackage,
    folder,
    command,
    megabytes: 95,
    executable: 'kotlin-compiler.jar',
    purpose: 'Kotlin programs',
    optional: true,
    isThere: async () => (await findKotlinCompiler()) !== null,
  };
}

function executable(names: readonly string[], dirs: readonly string[] = systemFolders): IsThere {
  return async () => (await findExecutable(names, dirs)) !== null;
}

function file(path: string): IsThere {
  return async () => existsSync(path);
}

/** Debian's, or what pip put below /usr/local, which sandboxes see as well. */
function pythonModule(name: string): IsThere {
  return async () => {
    const versions = await readdir('/usr/local/lib').catch(() => []);
    const dirs = versions
      .filter((version) => /^python3/.test(version))
      .flatMap((version) => [
        `/usr/local/lib/${version}/dist-packages`,
        `/usr/local/lib/${version}/site-packages`,
      ]);
    return ['/usr/lib/python3/dist-packages', ...dirs].some((folder) => existsSync(join(folder, name)));
  };
}

function crate(name: string): IsThere {
  return async () => {
    const dirs = await readdir('/usr/share/cargo/registry').catch(() => []);
    return dirs.some((folder) => new RegExp(`^${name}-\\d`).test(folder));
  };
}
