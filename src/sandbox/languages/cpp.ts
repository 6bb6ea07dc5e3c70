/**
 * C++ by g++ and clang++, each at the levels of C++20 and C++23, with the options that AtCoder compiles with, but for
 * warnings and libraries linked by name. A level counts as there when a small program compiles inside with all of them.
 */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import type { StepResult } from '../../core/sandbox.ts';
import type { Mount } from '../backend.ts';
import { outputFolder, programInside } from '../layout.ts';
import { digestMessages } from '../messages/digest.ts';
import { readGnuMessages } from '../messages/gnu.ts';
import { installHint } from '../needs.ts';
import { digest } from '../staged-file.ts';
import { compilerFamilies, type FoundCompiler, findCompiler, headerInside } from './cpp-compiler.ts';
import { absentLibraries, type CppLibraries, findCppLibraries } from './cpp-libraries.ts';
import { type Host, isIncluded, type Language, type Source, type Tool } from './language.ts';

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
  const told = compiler.options.filter((option) => !option.startsWith('-fconstexpr'));
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
      `Compiled with ${told.join(' ')} and no limit on constexpr, as AtCoder does.`,
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
