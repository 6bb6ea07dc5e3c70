/**
 * The program that a command or a session is about: the file that is named, or the workspace's own. What one in C++ includes
 * is put in; one in Rust or Python is taken as it is, and a project in Rust with the files it is made of. Headers are looked for beside what includes them, in the user's folders, then in the algorithm library.
 */
import { isUtf8 } from 'node:buffer';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Shell } from '../../../cli/contract.ts';
import { UserError } from '../../../core/errors.ts';
import type { ProgramFiles } from '../../../core/sandbox.ts';
import { type Bundled, type BundleSource, bundle } from '../../../families/ahc/bundle.ts';
import type { NamedSource } from '../../../families/ahc/evaluation.ts';
import type { SolutionLanguage } from '../../../families/ahc/judge/build.ts';
import { layout } from '../../../families/ahc/layout.ts';
import type { Workspace } from '../../../families/ahc/workspace.ts';
import { codeOf, foundAt, isInside, readPlainFileSync } from '../../../io/plain-file.ts';
import { libraryDirs } from '../../../open/families/ahc/library.ts';
import { enclosingWorkspace } from '../../../open/families/ahc/workspace.ts';
import { readPahcer } from './pahcer.ts';

export type FoundProgram = NamedSource & {
  /** Absolute. */
  readonly path: string;
  /** Absolute, of all that was put in. */
  readonly included: readonly string[];
};

/** Throws `UserError` where there is no such program, or not all of it. */
export function findProgram(
  shell: Shell,
  asked: {
    readonly workspace: Workspace;
    readonly file?: string;
    readonly include?: readonly string[];
    /** What a search begins with is C++. */
    readonly isCpp?: boolean;
  },
): FoundProgram {
  const { workspace, include, isCpp = false } = asked;
  const { path: folder } = workspace.folder;
  const file = asked.file ?? join(folder, isCpp ? layout.solution : ownProgram(folder));
  if (asked.file === undefined && !existsSync(file)) {
    throw new UserError({
      code: 'no-program',
      what: `There is no ${layout.solution} in ${folder}.`,
      fix: 'Name the file that is to be run, or write your program there.',
    });
  }
  // A stranger's link would hand in any file of the user's.
  if (asked.file === undefined && !isInside(file, folder)) {
    throw new UserError({
      code: 'path-outside',
      what: `${file} is a link out of its workspace, and is not used.`,
      fix: 'Put the program itself there, or name the file that is to be run.',
    });
  }
  const language = languageOf(file);
  if (language !== 'cpp' && !isCpp) {
    const path = resolve(shell.folder, file);
    const source = readSource(path, file);
    const files = language === 'rust' ? projectFiles(path) : undefined;
    return { file: shortest(path, [folder, shell.folder]), source, path, included: [], language, files };
  }
  const library = () => libraryDirs(workspace.config, shell);
  const { text, included, path } = bundleFile({ folder: shell.folder, file, library, include });
  return { file: shortest(path, [folder, shell.folder]), source: text, path, included };
}

/** What pahcer's settings name; else the first that is there, where `main.cpp` is missing or still the template. */
function ownProgram(folder: string): string {
  const named = readPahcer(folder)?.program;
  if (named && existsSync(join(folder, named))) return named;
  const textOf = (name: string) =>
    existsSync(join(folder, name)) ? readProgram(join(folder, name), name) : null;
  const own = textOf(layout.solution);
  const isUntouched = own === null || own === textOf(layout.template);
  const siblings = ['main.rs', 'src/main.rs', 'main.py'];
  return (isUntouched ? siblings.find((name) => existsSync(join(folder, name))) : null) ?? layout.solution;
}

function languageOf(file: string): SolutionLanguage {
  return /\.rs$/.test(file) ? 'rust' : /\.py$/.test(file) ? 'python' : 'cpp';
}

/** Of the project that a source in Rust belongs to, what it is built of beside it; undefined where it stands alone. */
export function projectFiles(path: string): ProgramFiles | undefined {
  const surroundings = dirname(path);
  const root = basename(surroundings) === 'src' ? dirname(surroundings) : surroundings;
  if (!existsSync(join(root, 'Cargo.toml'))) return undefined;
  const descendants = ['src', 'vendor'].flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      : [],
  );
  const names = ['Cargo.toml', 'Cargo.lock', ...descendants].filter(
    (name) => isInside(join(root, name), root) && !name.startsWith('src/bin/') && join(root, name) !== path,
  );
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(root, name))]));
}

/** As seen from the first of these folders that it lies in. */
function shortest(path: string, dirs: readonly string[]): string {
  const names = dirs.map((folder) => relative(folder, path));
  return names.find((name) => !name.startsWith('..')) ?? path;
}

/** What a program includes and the compiler here does not have. */
export function missingLibrary(digest: string): string | null {
  if (!/fatal error:\s*atcoder\/|atcoder\/[\w.]+: No such file/.test(digest)) return null;
  return 'Your program includes the AtCoder Library, which is not installed here. Download it from its project, and name the folder that holds atcoder/: --include FOLDER.';
}

type BundleQuestion = {
  /** Where the user is. */
  readonly folder: string;
  readonly file: string;
  /** The include path, the first before the others. */
  readonly include?: readonly string[];
  /** Folders of the algorithm library, asked for only where a header is nowhere else. The first before the others. */
  readonly library?: () => readonly string[];
};

const endings = /\.(cpp|cc|cxx|c\+\+|C)$/;

/** Throws `UserError` where a file is missing, is no C++, or includes what is nowhere. */
export function bundleFile(question: BundleQuestion): Bundled & { readonly path: string } {
  const { folder, file, include = [], library = () => [] } = question;
  const path = resolve(folder, file);
  if (!endings.test(path)) {
    throw new UserError({
      code: 'not-cpp',
      what: `${file} is no C++ file.`,
      why: 'Here it has to be C++ (.cpp, .cc or .cxx); test, vis and bundle take Rust (.rs) and Python (.py), too.',
      fix: 'Name a C++ file.',
    });
  }
  const text = readSource(path, file);
  const positions = include.map((each) => includeFolder(folder, each));
  const root = enclosingWorkspace(dirname(path)) ?? dirname(path);
  return { path, ...bundle(path, text, sourceIn(root, positions, library)) };
}

/** Throws `UserError` for one that is empty, too. */
function readSource(path: string, file: string): string {
  const text = readProgram(path, file);
  if (text.trim() !== '') return text;
  throw new UserError({ code: 'file-empty', what: `${file} is empty.`, fix: 'Write a program into it.' });
}

function readProgram(path: string, file: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readPlainFileSync(path, mostBytes);
  } catch (error) {
    const code = codeOf(error);
    throw new UserError({
      code: 'file-unreadable',
      what: whatIsWrong[code]?.(file) ?? `${file} cannot be read (${code}).`,
      why: `It would be ${path}.`,
      fix: 'Name the file that is to be run.',
    });
  }
  // A character that is replaced on the way would make another program than the one that is handed in.
  if (isUtf8(bytes)) return new TextDecoder().decode(bytes);
  throw new UserError({
    code: 'not-utf8',
    what: `${file} is not UTF-8 text.`,
    why: 'An editor may have kept it as Shift_JIS or Latin-1.',
    fix: `Convert it: iconv -f SHIFT_JIS -t UTF-8 ${file} > converted.cpp`,
  });
}

const whatIsWrong: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `There is no file ${file}.`,
  ENOTFILE: (file) => `${file} is a pipe or a device, and no file.`,
  EISDIR: (file) => `${file} is a folder.`,
  EFBIG: (file) => `${file} is larger than ${mostBytes / 1024 / 1024} MiB, and hardly a program.`,
};

/** The judge takes far less; generated tables in headers are long, too. */
const mostBytes = 32 * 1024 * 1024;

function includeFolder(folder: string, place: string): string {
  const path = resolve(folder, place);
  if (foundAt(path)?.isDirectory()) return path;
  const fix = 'Name a folder of headers with --include.';
  throw new UserError({ code: 'no-such-folder', what: `${place} is no folder.`, fix });
}

/**
 * Headers of the library look for one another where its user's program would: one of the user's own goes before all. A file
 * outside of `root`, `places` and the library is not put in: a stranger's program could name any file of the user's.
 */
function sourceIn(
  root: string,
  positions: readonly string[],
  library: () => readonly string[],
): BundleSource {
  const isAllowed = (path: string) =>
    [root, ...positions].some((folder) => isInside(path, folder)) ||
    library().some((folder) => isInside(path, folder));
  const firstIn = (dirs: readonly string[], name: string) => {
    for (const folder of dirs) {
      const path = join(folder, name);
      if (foundAt(path)?.isFile() && isAllowed(path)) return { path, text: readProgram(path, path) };
    }
    return null;
  };
  return {
    folderOf: dirname,
    find(name, folder) {
      if (folder !== null)
        return firstIn(library().includes(folder) ? [...positions, ...library()] : [folder], name);
      const header = libraryHeader.exec(name)?.[1];
      return firstIn(positions, name) ?? (header === undefined ? null : firstIn(library(), header));
    },
    names: () => library().flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith('.hpp'))),
  };
}

/** `timer.hpp` and `polya/timer.hpp`; what the compiler brings is mostly seen by its name. */
const libraryHeader = /^(?:polya\/)?([\w+-]+\.(?:hpp|hxx|hh|h|cpp|cc))$/;
