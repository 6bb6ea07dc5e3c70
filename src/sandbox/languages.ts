/**
 * The languages a program may be written in: how each is found, compiled and started. A new language is a new
 * entry here and a new name in core. Paths are as seen inside the sandbox.
 */
import { posix } from 'node:path';
import type { LanguageId, Toolchain } from '../core/sandbox.ts';
import { boxFolder, scratchFolder } from './arguments.ts';
import { systemFolders } from './executables.ts';

export type Language = {
  readonly id: LanguageId;
  readonly title: string;
  readonly level: string;
  readonly sourceFile: string;
  readonly debianPackage: string;
  /** Where to look for the compiler or interpreter; the first that answers is taken. */
  readonly candidates: readonly string[];
  /** Turns what `--version` printed into `g++ 12.2.0`; null where it is something else. */
  readonly version: (printed: string) => string | null;
  /** Null for languages that need no compilation. It is run in the working folder. */
  readonly compile: ((tool: string) => readonly string[]) | null;
  readonly run: (tool: string) => readonly string[];
};

/** Relative to the scratch folder: beside the working folder, so that a program finds there only its own files. */
export const programPath = 'program';
export const compiledPath = posix.join(boxFolder, 'main');

const cppFlags = ['-std=gnu++20', '-O2'];

const python: Language = {
  id: 'python',
  title: 'Python',
  level: '',
  sourceFile: 'main.py',
  debianPackage: 'python3',
  candidates: anywhere(['python3']),
  version: (printed) => /^Python \d[\w.+]*/.exec(printed)?.[0] ?? null,
  compile: null,
  run: (tool) => [tool, 'main.py'],
};

const cpp: Language = {
  id: 'cpp',
  title: 'C++',
  level: 'C++20, -O2',
  sourceFile: 'main.cpp',
  debianPackage: 'g++',
  candidates: anywhere(['g++']),
  version: (printed) => {
    const [, version] = /^g\+\+.* (\d+(?:\.\d+)+)/.exec(printed) ?? [];
    return version === undefined ? null : `g++ ${version}`;
  },
  compile: (tool) => [tool, ...cppFlags, '-o', 'main', 'main.cpp'],
  run: () => [posix.join(scratchFolder, programPath)],
};

export const languages: Readonly<Record<LanguageId, Language>> = { python, cpp };

export function toolchain(language: Language, version: string): Toolchain {
  return { language: language.id, version, level: language.level, sourceFile: language.sourceFile };
}

/** Only the system's folders exist inside, and /bin is one of them by another name. */
function anywhere(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => systemFolders.map((folder) => posix.join(folder, name)));
}
