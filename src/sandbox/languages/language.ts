/**
 * What a language is to the sandbox: how its toolchain is found, what one step of it needs. It knows no language,
 * and starts nothing: what a language wants to try goes through its host.
 */
import { posix } from 'node:path';
import type { ExecLimits, LanguageId, StepResult } from '../../core/sandbox.ts';
import type { Mount } from '../backend.ts';
import { systemFolders } from '../executables.ts';

export type Language = {
  readonly id: LanguageId;
  readonly title: string;
  readonly sourceFile: string;
  /** What to do where it is missing. */
  readonly installHint: string;
  /** The toolchains that answer from inside the sandbox, the default first. Cheap after the first time. */
  find(host: Host): Promise<readonly Tool[]>;
};

/** A toolchain that answered. Steps are made anew each time: they follow the limits. */
export type Tool = {
  /** `g++20`, `python3`: what a request names it by. */
  readonly name: string;
  readonly version: string;
  readonly level: string;
  /** What else a model should know. */
  readonly notes?: readonly string[];
  /** Null for languages that need no compilation. */
  readonly compile: ((limits: ExecLimits, flags: readonly string[]) => Compilation) | null;
  /** Looks at the syntax only; absent where that would not be faster than to compile. */
  readonly check?: (limits: ExecLimits, flags: readonly string[]) => Step;
  readonly run: (limits: ExecLimits) => Step;
  /** Threads of the runtime itself: the program's limit on processes, which counts threads, comes on top. */
  readonly runtimeThreads?: number;
  /** True where the runtime itself ended the step at the limit on memory that we gave it. */
  readonly ranOutOfMemory?: (step: StepResult) => boolean;
  /** Makes, once on this machine, what speeds up later steps. It may fail; then they are slower. */
  readonly prepare?: (signal: AbortSignal) => Promise<void>;
  /** Files on the host that must be there; where one is gone, the toolchain is looked for again. */
  readonly staged?: readonly string[];
};

/** A command as seen inside the sandbox, and what it must see there beside `/usr`. */
export type Step = { readonly command: readonly string[]; readonly mounts?: readonly Mount[] };
/** Run in the working folder; the program is the file `collectPath` of the scratch folder. */
export type Compilation = Step & { readonly collectPath: string };

/** What finding a toolchain may ask of the machine. */
export type Host = {
  /** What the command prints inside a sandbox; null where it fails. Kept as long as these files stay the same. */
  answer(step: Step, files: readonly string[]): Promise<string | null>;
  /** Makes a folder that sandboxes can read, with these files of the host in it, by name. */
  stageFolder(name: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** Runs our own source through a command and keeps the file it makes at `path`, in a staged folder. */
  makeFile(path: string, job: MakeFile, signal: AbortSignal): Promise<void>;
};

export type MakeFile = Compilation & { readonly source: { readonly name: string; readonly text: string } };

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
    const printed = await host.answer({ command: [path, '--version'] }, [path]);
    const found = printed === null ? null : version(printed);
    if (found !== null) return { path, version: found };
  }
  return null;
}
