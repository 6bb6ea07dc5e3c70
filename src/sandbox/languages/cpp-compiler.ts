/**
 * Finds a C++ compiler and tries it: which levels of the language it compiles a small program at, with the options of
 * the judge, and which headers it reads. Knows nothing of libraries beyond the standard one.
 */
import { readFile } from 'node:fs/promises';
import { outputFolder } from '../layout.ts';
import { digest } from '../staged-file.ts';
import { firstThatAnswers, type Host, identityOf } from './language.ts';

export type CompilerFamily = {
  readonly name: string;
  readonly candidates: readonly string[];
  readonly version: (printed: string) => string | null;
  readonly constexpr: readonly string[];
};

/** A compiler at one level of the language. */
export type FoundCompiler = {
  /** `g++20`. */
  readonly name: string;
  readonly family: string;
  readonly level: string;
  readonly version: string;
  readonly path: string;
  readonly options: readonly string[];
  /** `bits/stdc++.h`, where it lies; null where there is none. */
  readonly everyHeader: string | null;
  /** Changes with the compiler, the processor that it compiles for, and the standard library. */
  readonly headerIdentity: string;
  /** Changes also when a header of any other library comes or goes. */
  readonly identity: string;
};

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
  const tried = await Promise.all(levels.map((level) => tryLevel(host, family, { ...found, ...level })));
  return tried.filter((compiler) => compiler !== null);
}

type Level = (typeof levels)[number] & { readonly path: string; readonly version: string };

async function tryLevel(
  host: Host,
  { name: family, constexpr }: CompilerFamily,
  { path, version, level, standard }: Level,
): Promise<FoundCompiler | null> {
  const trial = family === 'clang++' && level === levels[0].level ? rangesTrial : shortTrial;
  for (const machine of native) {
    const options = [`-std=${standard}`, ...judge, ...machine, ...constexpr];
    const command = ['/bin/sh', '-c', script, 'sh', trial, path, ...options];
    const printed = await host.answer({ command }, [path, '/usr/include/c++']);
    if (printed === null) continue;
    const folders = includeFolders(printed);
    const facts = [version, path, ...options, await processor()];
    return {
      ...{ name: `${family}${level}`, family, level, version, path, options },
      everyHeader: await firstFile(
        host,
        folders.map((folder) => `${folder}/bits/stdc++.h`),
      ),
      headerIdentity: await identityOf(host, facts, [path, ...folders.map((folder) => `${folder}/bits`)]),
      identity: await identityOf(host, facts, [
        path,
        ...folders,
        ...folders.map((folder) => `${folder}/bits`),
      ]),
    };
  }
  return null;
}

/** As the compiler lists them, in the order in which it looks. */
export function includeFolders(printed: string): readonly string[] {
  const lines = printed.split('\n');
  const start = lines.findIndex((line) => line.startsWith('#include <...> search starts here'));
  const folders: string[] = [];
  for (const line of start < 0 ? [] : lines.slice(start + 1)) {
    if (!line.startsWith(' /')) break;
    folders.push(line.trim());
  }
  return folders;
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
