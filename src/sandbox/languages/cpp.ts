/** C++ by g++ and clang++, each as C++20 and C++23, with AtCoder's options except warnings and libraries by name. */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, posix } from 'node:path';
import type { StepResult } from '../../core/sandbox.ts';
import type { Mount } from '../backend.ts';
import { outputFolder, programInside } from '../layout.ts';
import { digestMessages } from '../messages/digest.ts';
import { readGnuMessages } from '../messages/gnu.ts';
import { installHint } from '../needs.ts';
import { digest } from '../staged-file.ts';
import { compilerFamilies, type FoundCompiler, findCompiler, headerInside } from './cpp-compiler.ts';
import type { Host, Language, Source, Tool } from './language.ts';
import { identityOf, isIncluded, toolsInside } from './language.ts';

const output = `${outputFolder}/main`;
/** What people name so is for the compiler; anything else is if it is included. */
const sourceLike = /\.(?:h|hh|hpp|hxx|inc|inl|ipp|tpp|c|cc|cpp|cxx)$/;

export const cpp: Language = {
  id: 'cpp',
  title: 'C++',
  sourceFile: 'main.cpp',
  installHint: installHint('g++'),
  async find(host) {
    const libraries = await findCppLibraries(host);
    const compilers = await Promise.all(compilerFamilies.map((family) => findCompiler(host, family)));
    return Promise.all(compilers.flat().map((compiler) => tool(host, compiler, libraries)));
  },
};

/** The words of the driver, the assembler or the linker; what is quoted of a source never begins a line so. */
const noRoom =
  /^(?:\S*g\+\+\S*|\S*clang\+\+\S*|collect2|(?:\S*\/)?ld\S*|\/tmp\/\S+): .*(?:file size limit exceeded|no space left on device|file too large)/im;

/** Assembler and linker are the compiler's own children, so only the compiler sees how they ended. */
export function helperRanOutOfDisk({ verdict, stderr }: StepResult): boolean {
  return verdict === 'exit' && noRoom.test(stderr.text);
}

async function tool(host: Host, compiler: FoundCompiler, libraries: CppLibraries): Promise<Tool> {
  const header = await compiledHeader(host, compiler);
  const lines = compiler.options.filter((option) => !option.startsWith('-fconstexpr'));
  const step = (source: Source, last: readonly string[]) => {
    const { options, mounts } = header.use(source);
    const command = (faster: readonly string[]) => [
      ...[compiler.path, ...faster, ...compiler.options, ...libraries.options],
      ...[cpp.sourceFile, ...last, ...(source.flags ?? [])],
    ];
    return {
      command: command(options),
      mounts: [...libraries.mounts, ...mounts],
      plain: options.length > 0 ? { command: command([]), blames: headerInside } : undefined,
    };
  };
  return {
    name: compiler.name,
    version: compiler.version,
    level: `C++${compiler.level}, -O2`,
    notes: [
      `Compiled with ${lines.join(' ')} and no limit on constexpr, as AtCoder does.`,
      ...libraries.notes,
    ],
    identity: JSON.stringify([compiler.identity, compiler.options, libraries.identity]),
    compile: (source) => ({ ...step(source, ['-o', `/${output}`]), collectPath: output }),
    check: (source) => step(source, ['-fsyntax-only']),
    run: () => ({ command: [programInside] }),
    compilerRanOutOfDisk: helperRanOutOfDisk,
    digest: (printed) =>
      [digestMessages(printed, readGnuMessages), ...absentLibraries(printed, libraries.present)].join('\n'),
    // A cell cannot be opened over what is not there.
    staged: libraries.mounts.map(({ source: folder }) => folder),
    prepare: header.make,
    preparesFor: header.helps,
    reads: (path, source) => sourceLike.test(path) || isIncluded(path, source),
  };
}

type CompiledHeader = {
  /** No options where it does not help this source, or does not exist. */
  use(source: Source): { readonly options: readonly string[]; readonly mounts: readonly Mount[] };
  helps(source: Source): boolean;
  make(signal: AbortSignal): Promise<void>;
};

async function compiledHeader(host: Host, compiler: FoundCompiler): Promise<CompiledHeader> {
  const { name, family, path, options, everyHeader, headerIdentity } = compiler;
  const none = { options: [], mounts: [] };
  if (everyHeader === null) return { use: () => none, helps: () => false, make: async () => {} };
  const folder = await host.stageFolder('headers', {});
  const staged = posix.join(folder, `${name}-${digest([headerIdentity])}`);
  const mounts = [{ source: staged, target: family.header.target }];
  const helps = ({ source, flags = [] }: Source) => flags.length === 0 && family.header.helps(source);
  const collectPath = `${outputFolder}/header`;
  const command = [path, ...options, '-x', 'c++-header', '-o', `/${collectPath}`, everyHeader];
  return {
    use: (source) =>
      helps(source) && existsSync(staged) ? { options: family.header.options, mounts } : none,
    helps,
    make: (signal) => host.makeFile(staged, { command, collectPath, replaces: `${name}-` }, signal),
  };
}

type LibraryName = 'Boost' | 'Eigen' | 'ACL';

export type CppLibraries = {
  readonly present: ReadonlySet<LibraryName>;
  readonly options: readonly string[];
  readonly mounts: readonly Mount[];
  readonly notes: readonly string[];
  readonly identity: string;
};

const boostFile = '/usr/include/boost/version.hpp';
const eigenFolder = '/usr/include/eigen3';
const eigenFile = `${eigenFolder}/Eigen/src/Core/util/Macros.h`;
const aclInside = posix.join(toolsInside, 'acl');
/** Where it lies open to every program by itself. */
const aclInSystem = ['/usr/local/include/atcoder/all', '/usr/include/atcoder/all'];
const [mostFiles, mostBytes] = [200, 4 * 2 ** 20];

const aclTitle = 'the AtCoder Library (<atcoder/all>)';

/** By the first part of what is included. */
const absences: ReadonlyMap<string, { name: LibraryName; title: string; remedy: string }> = new Map([
  ['boost', { name: 'Boost', title: 'Boost', remedy: 'Debian’s package libboost-dev' }],
  ['Eigen', { name: 'Eigen', title: 'Eigen', remedy: 'Debian’s package libeigen3-dev' }],
  ['atcoder', { name: 'ACL', title: 'The AtCoder Library', remedy: aclRemedy() }],
]);

export async function findCppLibraries(host: Host): Promise<CppLibraries> {
  const [boost, eigen, acl] = await Promise.all([findBoost(host), findEigen(host), findAcl(host)]);
  const all = [
    { name: 'Boost', title: 'Boost', found: boost },
    { name: 'Eigen', title: 'Eigen', found: eigen },
    { name: 'ACL', title: aclTitle, found: acl && aclTitle },
  ] as const;
  const existing = all.filter(({ found }) => found !== null);
  const absent = all.filter(({ found }) => found === null);
  return {
    present: new Set(existing.map(({ name }) => name)),
    options: [...(eigen === null ? [] : [`-I${eigenFolder}`]), ...(acl?.options ?? [])],
    mounts: acl?.mounts ?? [],
    notes: [
      ...(existing.length > 0 ? [`There are ${existing.map(({ found }) => found).join(', ')}.`] : []),
      ...(absent.length > 0 ? [`Not there: ${absent.map(({ title }) => title).join(', ')}.`] : []),
    ],
    identity: await identityOf(host, [acl?.identity ?? ''], [boostFile, eigenFile, '/usr/include/boost']),
  };
}

/** A sentence for each library that a program includes and that is not there. */
export function absentLibraries(printed: string, present: ReadonlySet<LibraryName>): readonly string[] {
  const missing = printed.matchAll(/fatal error: '?(\w+)\/[\w./+-]+'?(?:: No such file| file not found)/g);
  const names = new Set([...missing].map(([, name = '']) => name));
  return [...names].flatMap((name) => {
    const library = absences.get(name);
    if (library === undefined || present.has(library.name)) return [];
    const { title, remedy } = library;
    return [`${title} is not on this machine: write without it. (It would come with ${remedy}.)`];
  });
}

/** The first one that holds `atcoder/all`. */
export function aclFolders(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const named = env.XDG_DATA_HOME;
  const data = named?.startsWith('/') ? named : join(env.HOME || homedir(), '.local', 'share');
  const selected = env.POLYA_ACL;
  return [...(selected ? [selected] : []), join(data, 'polya', 'ac-library'), '/opt/ac-library'];
}

async function findBoost(host: Host): Promise<string | null> {
  const printed = await valuesIn(host, boostFile, 'define BOOST_LIB_VERSION ');
  const [, version] = /"([\d_]+)"/.exec(printed ?? '') ?? [];
  return version === undefined ? null : `Boost ${version.replaceAll('_', '.')}`;
}

async function findEigen(host: Host): Promise<string | null> {
  const printed = await valuesIn(host, eigenFile, 'define EIGEN_[A-Z]*_VERSION ');
  const numbers = [...(printed ?? '').matchAll(/VERSION (\d+)/g)].map(([, number]) => number);
  return numbers.length < 2 ? null : `Eigen ${numbers.join('.')}`;
}

function valuesIn(host: Host, file: string, pattern: string): Promise<string | null> {
  return host.answer({ command: ['/bin/grep', pattern, file] }, [file]);
}

async function findAcl(host: Host): Promise<Pick<CppLibraries, 'options' | 'mounts' | 'identity'> | null> {
  for (const file of aclInSystem) {
    const state = await host.fileState(file);
    if (state !== null) return { options: [], mounts: [], identity: state };
  }
  for (const folder of aclFolders(process.env)) {
    const files = await headersBelow(folder).catch(() => null);
    if (files === null || files['atcoder/all'] === undefined) continue;
    const identity = digest(Object.entries(files).flatMap(([path, bytes]) => [path, '\0', bytes, '\0']));
    const source = await host.stageFiles(`acl-${identity}`, files);
    return { options: [`-I${aclInside}`], mounts: [{ source, target: aclInside }], identity };
  }
  return null;
}

/** Of a folder that is something else, no more is read than such a library may have. */
async function headersBelow(folder: string): Promise<Readonly<Record<string, Buffer>>> {
  const names = await readdir(join(folder, 'atcoder'), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).slice(0, mostFiles);
  let bytes = 0;
  const found: Record<string, Buffer> = {};
  for (const { name, parentPath } of files) {
    const path = join(parentPath, name);
    const content = await readFile(path);
    bytes += content.length;
    if (bytes > mostBytes) break;
    found[posix.relative(folder, path)] = content;
  }
  return found;
}

function aclRemedy(): string {
  const [folder = ''] = aclFolders({});
  const path = folder.startsWith(homedir()) ? `~${folder.slice(homedir().length)}` : folder;
  return `its folder \`atcoder\` below ${path}`;
}
