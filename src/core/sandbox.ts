/**
 * The contract of a sandbox: model-written code goes in, a truthful account of what it did comes out.
 * Code that fails is a value. Only a sandbox or toolchain that is not there is thrown (`UnavailableError`).
 */

export type LanguageId = 'python' | 'cpp' | 'kotlin' | 'csharp';

/** A toolchain that the sandbox can run, as a model is told of it and as the journal's header names it. */
export type Toolchain = {
  readonly language: LanguageId;
  /** For people and models: `Python 3.11.2`, `g++ 12.2.0`. */
  readonly version: string;
  /** The language level and flags: `C++20, -O2`. Empty where there is nothing to choose. */
  readonly level: string;
  /** The name of the source file in the sandbox: `main.py`. */
  readonly sourceFile: string;
};

/** Every limit is enforced by the strongest means the machine has; which one is told by `SandboxInfo.enforcement`. */
export type ExecLimits = {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Of all processes together, page cache excluded where the machine can tell. */
  readonly memoryBytes: number;
  /** Threads count as processes. What a language's runtime needs for itself comes on top. */
  readonly processes: number;
  /** The largest file that may be written. */
  readonly fileBytes: number;
  /** All that may be written, in the scratch folder and in /tmp. */
  readonly diskBytes: number;
  /** Of stdout, and again of stderr: what is kept. A program that writes 16 times as much is ended with `output`. */
  readonly outputBytes: number;
};

export type ExecRequest = {
  readonly language: LanguageId;
  readonly source: string;
  readonly stdin?: string;
  /** More files for the program's working folder, by relative path: `input.txt`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly limits?: Partial<ExecLimits>;
  readonly compileLimits?: Partial<ExecLimits>;
  readonly folder?: Uint8Array | null;
  readonly keepFolder?: boolean;
};

/**
 * Why a step ended. `exit` is a program's own exit status other than 0, `signal` a signal that no limit of ours sent.
 * A runtime may end itself at the limit that it was given: that is `memory` too, with the exit status it chose.
 */
export type StepVerdict =
  | 'ok'
  | 'exit'
  | 'signal'
  | 'wall'
  | 'cpu'
  | 'memory'
  | 'disk'
  | 'output'
  | 'cancelled';

/** What a program wrote. Invalid UTF-8 becomes U+FFFD; where `bytes` is more than was kept, the middle is missing. */
export type CapturedOutput = { readonly text: string; readonly bytes: number; readonly cut: boolean };

/** One program from start to end: a compiler or what it made. Times and memory are taken inside the sandbox. */
export type StepResult = {
  readonly verdict: StepVerdict;
  readonly exitCode: number | null;
  /** `SIGSEGV` …, null where it ended by itself. */
  readonly signal: string | null;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMemoryBytes: number;
};

/** `run` is null where compilation failed; `compile` is null for languages that need none. */
export type ExecResult = {
  readonly backend: string;
  readonly compile: StepResult | null;
  readonly run: StepResult | null;
  readonly folder?: Uint8Array | null;
  readonly folderBytes?: number | null;
};

export type SandboxInfo = {
  /** `bubblewrap`. */
  readonly backend: string;
  readonly version: string;
  readonly toolchains: readonly Toolchain[];
  readonly limits: ExecLimits;
  readonly compileLimits: ExecLimits;
  /** By which means each limit is enforced here: `{memory: 'cgroup v1', cpu: 'rlimit'}`. */
  readonly enforcement: Readonly<Record<keyof ExecLimits, string>>;
};

export interface Sandbox {
  /** What this machine offers; probed once, cheap afterwards. Throws `UnavailableError` where nothing can be run safely. */
  info(): Promise<SandboxInfo>;
  /**
   * Runs one program in a sandbox of its own, without network or host environment. An abort ends it within a second
   * with verdict `cancelled`. Nothing is left behind: no process, no folder, no cgroup.
   */
  exec(request: ExecRequest, signal: AbortSignal): Promise<ExecResult>;
}
