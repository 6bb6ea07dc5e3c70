/** Finds C++ compilers, and tries at which levels each compiles a small program with the options of the judge. */
import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { outputFolder } from '../layout.ts';
import { digest } from '../staged-file.ts';
import { anywhere, firstThatAnswers, type Host, identityOf, toolsInside } from './language.ts';

type CompilerFamily = {
  readonly name: string;
  readonly candidates: readonly string[];
  readonly version: (printed: string) => string | null;
  readonly constexpr: readonly string[];
  /** How it is told of a compiled `bits/stdc++.h`, where that is mounted, and for which sources it helps. */
  readonly header: {
    readonly options: readonly string[];
    readonly target: string;
    readonly helps: (source: string) => boolean;
  };
};

/** A compiler at one level of the language. */
export type FoundCompiler = {
  /** `g++20`. */
  readonly name: string;
  readonly family: CompilerFamily;
  readonly level: string;
  readonly version: string;
  readonly path: string;
  readonly options: readonly string[];
  /** The path of `bits/stdc++.h`; null if there is none. */
  readonly everyHeader: string | null;
  /** Changes with the compiler, the processor that it compiles for, and the standard library. */
  readonly headerIdentity: string;
  /** Changes also when a header of any other library comes or goes. */
  readonly identity: string;
};

/** Older ones do not get through the C++20 of the library that they find. */
const [newestClang, oldestClang] = [30, 16];
/** The names under which Debian installs clang++: one a version, the newest first. */
export const clangNames: readonly string[] = Array.from(
  { length: newestClang - oldestClang + 1 },
  (_, index) => `clang++-${newestClang - index}`,
);

/** Where a compiled header is seen inside. */
export const headerInside = posix.join(toolsInside, 'header');
const pch = posix.join(headerInside, 'stdc++.pch');
const mention = /^[ \t]*#[ \t]*include[ \t]*[<"]bits\/stdc\+\+\.h[>"]/m;
const blank = /^(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*/;
/** The sandbox has limits of its own for what is evaluated at compile time. */
const unlimited = (name: string) => `-fconstexpr-${name}=${2 ** 31 - 1}`;

export const compilerFamilies: readonly CompilerFamily[] = [
  {
    name: 'g++',
    candidates: anywhere('g++'),
    version: gccVersion,
    constexpr: ['depth', 'loop-limit', 'ops-limit'].map(unlimited),
    header: {
      options: [`-I${headerInside}`],
      target: posix.join(headerInside, 'bits/stdc++.h.gch'),
      helps: (source) => mention.test(source),
    },
  },
  {
    name: 'clang++',
    candidates: [...clangNames, 'clang++'].flatMap((name) => anywhere(name)),
    version: clangVersion,
    constexpr: ['depth', 'steps'].map(unlimited),
    header: { options: ['-include-pch', pch], target: pch, helps: beginsWithEveryHeader },
  },
];

export function gccVersion(printed: string): string | null {
  const [, version] = /^g\+\+.* (\d+(?:\.\d+)+)/.exec(printed) ?? [];
  return version === undefined ? null : `g++ ${version}`;
}

export function clangVersion(printed: string): string | null {
  const [, version = ''] = /^(?:\w+ )*clang version (\d+(?:\.\d+)+)/.exec(printed) ?? [];
  return Number.parseInt(version, 10) >= oldestClang ? `clang++ ${version}` : null;
}

/** Behind comments and blanks only. */
export function beginsWithEveryHeader(source: string): boolean {
  const start = blank.exec(source)?.[0].length ?? 0;
  return mention.exec(source.slice(start))?.index === 0;
}

const judge = ['-O2', '-DONLINE_JUDGE', '-DATCODER'];
/** The older name of C++23: newer compilers know it still. */
const levels = [
  { level: '20', standard: 'gnu++20' },
  { level: '23', standard: 'gnu++2b' },
] as const;
/** Not every compiler can tell for which processor it compiles. */
const native = [['-march=native', '-mtune=native'], []];

/** What a clang++ that is too old for the library it finds does not get through. */
const rangesTrial = `#include <cstdio>
#include <ranges>
#include <vector>
int main() {
  std::vector<int> all{1, 2};
  for (int n : all | std::views::filter([](int n) { return n > 1; })) std::printf("%d", n);
}`;
/** Where compiler and library come from one hand. */
const shortTrial = '#include <cstdio>\nint main() { std::puts(""); }';
/** The compiler names its folders on stderr; an answer is what is printed on stdout. */
const script = `printf %s "$1" > /${outputFolder}/trial.cpp && shift && "$@" -v -fsyntax-only /${outputFolder}/trial.cpp 2>&1`;

export async function findCompiler(host: Host, family: CompilerFamily): Promise<readonly FoundCompiler[]> {
  const found = await firstThatAnswers(host, family.candidates, family.version);
  if (found === null) return [];
  const attempt = await Promise.all(levels.map((level) => tryLevel(host, family, { ...found, ...level })));
  return attempt.filter((compiler) => compiler !== null);
}

type Level = (typeof levels)[number] & { readonly path: string; readonly version: string };

async function tryLevel(host: Host, family: CompilerFamily, { path, version, level, standard }: Level) {
  const trial = family.name === 'clang++' && level === '20' ? rangesTrial : shortTrial;
  for (const machine of native) {
    const options = [`-std=${standard}`, ...judge, ...machine, ...family.constexpr];
    const command = ['/bin/sh', '-c', script, 'sh', trial, path, ...options];
    const printed = await host.answer({ command }, [path, '/usr/include/c++']);
    if (printed === null) continue;
    const dirs = includeFolders(printed);
    const bits = dirs.map((folder) => `${folder}/bits`);
    const entries = [version, path, ...options, await processor()];
    return {
      name: `${family.name}${level}`,
      family,
      level,
      version,
      path,
      options,
      everyHeader: await firstFile(
        host,
        bits.map((folder) => `${folder}/stdc++.h`),
      ),
      headerIdentity: await identityOf(host, entries, [path, ...bits]),
      identity: await identityOf(host, entries, [path, ...dirs, ...bits]),
    };
  }
  return null;
}

/** In the order in which the compiler searches them. */
export function includeFolders(printed: string): readonly string[] {
  const [, entry = ''] = /^#include <\.\.\.> search starts here.*\n((?: \/.*\n?)*)/m.exec(printed) ?? [];
  return entry.split('\n').flatMap((line) => line.trim() || []);
}

async function firstFile(host: Host, paths: readonly string[]): Promise<string | null> {
  for (const path of paths) if ((await host.fileState(path)) !== null) return path;
  return null;
}

/** A program that was compiled for one processor may not run on another that finds it in the same folder. */
async function processor(): Promise<string> {
  const text = await readFile('/proc/cpuinfo', 'latin1').catch(() => '');
  const told = /^(?:model name|flags|CPU part|Features)\s*:.*$/gm;
  return digest([[...new Set(text.match(told))].join('\n')]);
}
