/**
 * C++ by g++ and clang++, each at the levels of C++20 and C++23, with the options that AtCoder compiles with. A level
 * counts as there when a small program compiles inside with all of them: a compiler that is too old for the library
 * it finds is passed over.
 *
 * Left out of AtCoder's options are those for warnings, which nobody would read, and libraries linked by name.
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
import { clangNames, oldestClang } from './clang-names.ts';
import { type CompilerFamily, type FoundCompiler, findCompiler } from './cpp-compiler.ts';
import { absentLibraries, type CppLibraries, findCppLibraries } from './cpp-libraries.ts';
import {
  anywhere,
  type Host,
  isIncluded,
  type Language,
  type Source,
  type Tool,
  toolsInside,
} from './language.ts';

const output = `${outputFolder}/main`;
/** What people name so is for the compiler; anything else is if it is included. */
const sourceLike = /\.(?:h|hh|hpp|hxx|inc|inl|ipp|tpp|c|cc|cpp|cxx)$/;
const unlimited = 2 ** 31 - 1;

const families: readonly CompilerFamily[] = [
  {
    name: 'g++',
    candidates: anywhere('g++'),
    version: gccVersion,
    // The sandbox has limits of its own for what is evaluated at compile time.
    constexpr: ['depth', 'loop-limit', 'ops-limit'].map((name) => `-fconstexpr-${name}=${unlimited}`),
  },
  {
    name: 'clang++',
    candidates: [...clangNames, 'clang++'].flatMap((name) => anywhere(name)),
    version: clangVersion,
    constexpr: ['depth', 'steps'].map((name) => `-fconstexpr-${name}=${unlimited}`),
  },
];

export const cpp: Language = {
  id: 'cpp',
  title: 'C++',
  sourceFile: 'main.cpp',
  installHint: installHint('g++'),
  async find(host) {
    const libraries = await findCppLibraries(host);
    const compilers = await Promise.all(families.map((family) => findCompiler(host, family)));
    const tools = compilers.flat().map((compiler) => tool(host, compiler, libraries));
    return Promise.all(tools);
  },
};

export function gccVersion(printed: string): string | null {
  const [, version] = /^g\+\+.* (\d+(?:\.\d+)+)/.exec(printed) ?? [];
  return version === undefined ? null : `g++ ${version}`;
}

export function clangVersion(printed: string): string | null {
  const [, version = ''] = /^(?:\w+ )*clang version (\d+(?:\.\d+)+)/.exec(printed) ?? [];
  return Number.parseInt(version, 10) >= oldestClang ? `clang++ ${version}` : null;
}

/** The words of the driver, the assembler or the linker; what is quoted of a source never begins a line so. */
const noRoom =
  /^(?:\S*g\+\+\S*|\S*clang\+\+\S*|collect2|(?:\S*\/)?ld\S*|\/tmp\/\S+): .*(?:file size limit exceeded|no space left on device|file too large)/im;

/** Assembler and linker are the compiler's own children, so only the compiler sees how they ended. */
export function helperRanOutOfDisk({ verdict, stderr }: StepResult): boolean {
  return verdict === 'exit' && noRoom.test(stderr.text);
}

async function tool(host: Host, compiler: FoundCompiler, libraries: CppLibraries): Promise<Tool> {
  const { name, level, version } = compiler;
  const header = await precompiledHeader(host, compiler);
  const identity = JSON.stringify([compiler.identity, compiler.options, libraries.identity]);
  const step = (source: Source, last: readonly string[]) =>
    stepOf({ compiler, libraries, header }, source, last);
  return {
    name,
    version,
    level: `C++${level}, -O2`,
    notes: [compiledWith(compiler), ...libraries.notes],
    identity,
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

type Kit = {
  readonly compiler: FoundCompiler;
  readonly libraries: CppLibraries;
  readonly header: PrecompiledHeader;
};

function stepOf({ compiler, libraries, header }: Kit, source: Source, last: readonly string[]) {
  const { options, mounts } = header.use(source);
  const command = (faster: readonly string[]) => [
    ...[compiler.path, ...faster, ...compiler.options, ...libraries.options],
    ...[cpp.sourceFile, ...last, ...(source.flags ?? [])],
  ];
  return {
    command: command(options),
    mounts: [...libraries.mounts, ...mounts],
    ...(options.length > 0 ? { plain: { command: command([]), blames: headerInside } } : {}),
  };
}

function compiledWith({ options }: FoundCompiler): string {
  const told = options.filter((option) => !option.startsWith('-fconstexpr'));
  return `Compiled with ${told.join(' ')} and no limit on constexpr, as AtCoder does.`;
}

export type PrecompiledHeader = {
  /** No options where it does not help this source, or does not exist. */
  use(source: Source): { readonly options: readonly string[]; readonly mounts: readonly Mount[] };
  helps(source: Source): boolean;
  make(signal: AbortSignal): Promise<void>;
};

type Use = { readonly options: readonly string[]; readonly target: string; helps(source: Source): boolean };

/** Where it is seen inside. */
export const headerInside = posix.join(toolsInside, 'header');
const mention = /^[ \t]*#[ \t]*include[ \t]*[<"]bits\/stdc\+\+\.h[>"]/m;
const blank = /^(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/;
const none = { options: [], mounts: [] };

const uses: Readonly<Record<string, Use>> = {
  'g++': {
    options: [`-I${headerInside}`],
    target: posix.join(headerInside, 'bits/stdc++.h.gch'),
    helps: ({ source }) => mention.test(source),
  },
  'clang++': {
    options: ['-include-pch', posix.join(headerInside, 'stdc++.pch')],
    target: posix.join(headerInside, 'stdc++.pch'),
    helps: ({ source }) => beginsWithIt(source),
  },
};

export async function precompiledHeader(host: Host, compiler: FoundCompiler): Promise<PrecompiledHeader> {
  const { name, family, path, options, everyHeader, headerIdentity } = compiler;
  const use = uses[family];
  if (use === undefined || everyHeader === null)
    return { use: () => none, helps: () => false, make: async () => {} };
  const folder = await host.stageFolder('headers', {});
  const staged = posix.join(folder, `${name}-${digest([headerIdentity])}`);
  const helps = (source: Source) => (source.flags ?? []).length === 0 && use.helps(source);
  const collectPath = `${outputFolder}/header`;
  const command = [path, ...options, '-x', 'c++-header', '-o', `/${collectPath}`, everyHeader];
  return {
    use: (source) =>
      helps(source) && existsSync(staged)
        ? { options: use.options, mounts: [{ source: staged, target: use.target }] }
        : none,
    helps,
    make: (signal) => host.makeFile(staged, { command, collectPath, replaces: `${name}-` }, signal),
  };
}

/** Behind comments and blanks only. */
export function beginsWithIt(source: string): boolean {
  const start = blank.exec(source)?.[0].length ?? 0;
  return mention.exec(source.slice(start))?.index === 0;
}
