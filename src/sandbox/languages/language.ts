/** A language in the sandbox: how its toolchains are found and what a step of them needs. It starts nothing itself. */
import { posix } from 'node:path';
import type { ExecLimits, LanguageId, Program, StepResult } from '../../core/sandbox.ts';
import type { Mount } from '../backend.ts';
import { systemFolders } from '../executables.ts';

export type Language = {
  readonly id: LanguageId;
  readonly title: string;
  readonly sourceFile: string;
  /** What to do where it is missing. */
  readonly installHint: string;
  /** The default first; none where no toolchain answers from inside the sandbox. Cheap after the first time. */
  find(host: Host): Promise<readonly Tool[]>;
};

/**
 * `none`: each print reaches the pipe, so that a program that is ended at a limit loses none of it. `default`: as its
 * runtime has it, for programs that are measured, or that must flush what they tell another program.
 */
export type OutputBuffering = 'none' | 'default';

/** A toolchain that answered. Steps are made anew each time: they follow the program and the limits. */
export type Tool = {
  /** What a program picks it by: `g++20`. */
  readonly name: string;
  readonly version: string;
  readonly level: string;
  readonly notes: readonly string[];
  /** Changes with everything that a compilation depends on beside the program: compiler, headers, processor. */
  readonly identity: string;
  /** Where the source goes, if not to the language's source file; null: it is one of the program's files. */
  readonly sourceFile?: (program: Source) => string | null;
  /** Which of the program's files the compiler may want; without this, all. */
  readonly reads?: (path: string, source: Source) => boolean;
  /** Null for languages that need no compilation. */
  readonly compile: ((source: Source, limits: ExecLimits) => Compilation) | null;
  /** A look at the syntax, faster than compiling. Null where there is none: then compiling is the look. */
  readonly check: ((source: Source, limits: ExecLimits) => Step) | null;
  readonly run: (limits: ExecLimits, output?: OutputBuffering) => Step;
  /** What the compiler said, short enough for a model (messages/). */
  readonly digest: (printed: string) => string;
  /** Threads of the runtime itself: the program's limit on processes, which counts threads, comes on top. */
  readonly runtimeThreads?: number;
  /** Threads that only the compiler needs, beside those of the runtime it may run on. */
  readonly compilerThreads?: number;
  /** True where the step ends as the runtime itself ends it at the limit on memory that we gave it. A program can imitate that. */
  readonly ranOutOfMemory?: (step: StepResult) => boolean;
  /** True where a compiler says that one of its own helpers met the limit on files or disk, which only it can see. */
  readonly compilerRanOutOfDisk?: (step: StepResult) => boolean;
  /** What is wrong with a program that was compiled and yet cannot be started; null where nothing is. */
  readonly lacks?: (program: Uint8Array) => string | null;
  /** Makes, once on this machine, what speeds up later steps. It may fail; then they are slower. */
  readonly prepare?: (signal: AbortSignal) => Promise<void>;
  /** False for a source that gains nothing by it; without this, none is. */
  readonly preparesFor?: (source: Source) => boolean;
  /** Files on the host that must be there; where one is gone, the toolchain is looked for again. */
  readonly staged?: readonly string[];
};

/** The part of a program that its compilation depends on. */
export type Source = Pick<Program, 'source' | 'files' | 'flags'>;

/** A command as seen inside the sandbox, and what it must see there beside `/usr`. */
export type Step = {
  readonly command: readonly string[];
  readonly mounts?: readonly Mount[];
  /** The same without what speeds it up, for where it fails and what it says names that. */
  readonly plain?: { readonly command: readonly string[]; readonly blames: string };
};

/** Run in the working folder; the program is the file `collectPath` of the scratch folder. */
export type Compilation = Step & {
  readonly collectPath: string;
  /** It is a folder archive of several programs (core/folder-archive.ts), of which a request names one. */
  readonly isBundle?: boolean;
};

/** What finding a toolchain may ask of the machine. */
export type Host = {
  /** Where the user's own toolchains are looked for. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the command prints inside a sandbox; null where it fails. Kept as long as these files stay the same. */
  answer(step: Step, files: readonly string[]): Promise<string | null>;
  /** Changes whenever the file of this path is replaced, as seen inside; null where there is none. */
  fileState(path: string): Promise<string | null>;
  /** Makes a folder that sandboxes can read, with these files of the host in it, by name. */
  stageFolder(name: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** Where cells see these folders of one of the host's: itself where they may walk to it, else links in the staging folder. */
  shareFolder(folder: string, parts: readonly string[]): Promise<string>;
  /** The same with these contents, by relative path. */
  stageFiles(name: string, files: Readonly<Record<string, Uint8Array>>): Promise<string>;
  /** Runs our own source through a command and keeps the file it makes at `path`, in a staged folder. */
  makeFile(path: string, job: MakeFile, signal: AbortSignal): Promise<void>;
};

export type MakeFile = Compilation & {
  readonly source?: { readonly name: string; readonly text: string };
  /** Earlier files whose names begin with this are removed. */
  readonly replaces?: string;
};

/** Where what we staged is mounted. */
export const toolsInside = '/run/polya';
/** Only the system's folders exist inside, and /bin is one of them by another name. */
export function anywhere(name: string): readonly string[] {
  return systemFolders.map((folder) => posix.join(folder, name));
}

/** The first of these that calls itself something that we know. */
export async function firstThatAnswers(
  host: Host,
  candidates: readonly string[],
  version: (printed: string) => string | null,
): Promise<{ path: string; version: string } | null> {
  for (const path of candidates) {
    const found = version((await host.answer({ command: [path, '--version'] }, [path])) ?? '');
    if (found !== null) return { path, version: found };
  }
  return null;
}

/** One text for all that a toolchain is made of; it changes when one of these is replaced. */
export async function identityOf(
  host: Host,
  entries: readonly string[],
  files: readonly string[],
): Promise<string> {
  const states = await Promise.all(files.map((path) => host.fileState(path)));
  return JSON.stringify([entries, states]);
}

/** True for a file that a source names where it includes others: C++'s `#include`, Rust's `include_str!`. */
export function isIncluded(path: string, { source, files = {} }: Source): boolean {
  const name = path.split('/').at(-1) ?? path;
  const texts = [source, ...Object.values(files).filter((content) => typeof content === 'string')];
  const lines = texts.filter((text) => text.includes(name)).flatMap((text) => text.split('\n'));
  return lines.some((line) => line.includes(name) && /include|incbin|embed|import/.test(line));
}
