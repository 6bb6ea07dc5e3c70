/** The contract of a sandbox. A failed program is a value; a missing toolchain and an impossible request are thrown. */

/** The languages that programs can be written in. */
export type LanguageId = 'python' | 'cpp' | 'kotlin' | 'csharp' | 'rust';

/** A toolchain that the sandbox can run, as a model is told of it and as the journal's header names it. */
export type Toolchain = {
  readonly language: LanguageId;
  /** What a `Program` picks it by: `python3`, `g++20`, `clang++23`, `kotlin`, `mono`, `dotnet`, `rustc`. */
  readonly name: string;
  /** For people and models: `Python 3.11.2`, `g++ 12.2.0`. */
  readonly version: string;
  /** The language level and flags: `C++20, -O2`. Empty where there is nothing to choose. */
  readonly level: string;
  /** Other facts for a model, a sentence each: which libraries are there, which macros are defined. */
  readonly notes: readonly string[];
  /** The name of the source file in the sandbox: `main.py`. */
  readonly sourceFile: string;
};

/** Each limit is enforced by the strongest means of the machine; `SandboxInfo.enforcement` names it. */
export type ExecLimits = {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The memory of all processes together, without page cache if the machine can separate it. */
  readonly memoryBytes: number;
  /** Threads count as processes. What a language's runtime needs for itself is added. */
  readonly processes: number;
  /** Of one process. The kernel refuses more with EMFILE; no verdict tells of it. */
  readonly openFiles: number;
  /** The largest file that may be written. */
  readonly fileBytes: number;
  /** All that may be written, in the scratch folder and in /tmp. */
  readonly diskBytes: number;
  /** What is kept of stdout, and again of stderr. A program that writes 16 times as much is ended with `output`. */
  readonly outputBytes: number;
};

/** Text or bytes by relative path: `input.txt`, `data/map.bin`. */
export type ProgramFiles = Readonly<Record<string, string | Uint8Array>>;

/** A program to be compiled, or run directly. */
export type Program = {
  readonly language: LanguageId;
  /** One of `SandboxInfo.toolchains`; default: the first of the language. */
  readonly toolchain?: string;
  readonly source: string;
  /** More files for the working folder, of the compiler and of the program. */
  readonly files?: ProgramFiles;
  /** Options for the compiler, behind those of the toolchain. */
  readonly flags?: readonly string[];
  /** Which of several programs that one build makes, as a cargo project may: `gen`, `vis`, `tester`. */
  readonly binary?: string;
};

/** One program to be run once. */
export type ExecRequest = Program & {
  readonly stdin?: string | Uint8Array;
  readonly args?: readonly string[];
  readonly limits?: Partial<ExecLimits>;
  readonly compileLimits?: Partial<ExecLimits>;
  /** What an earlier run left in its working folder (`ExecResult.folder`). The program's own files replace files of it. */
  readonly folder?: Uint8Array | null;
  /** Hand back the working folder as an archive (`core/folder-archive.ts`): its files are kept, processes are not. */
  readonly keepFolder?: boolean;
  /** A larger archive is not handed back; default: 16 MB. */
  readonly maxFolderBytes?: number;
};

/**
 * Why a step ended. `exit`: with an exit status other than 0. `signal`: by a signal that no limit of ours sent. `memory`:
 * also where a runtime ended itself at its limit, and was seen to hold at least half of that. `processes`: it failed after the kernel had refused it a process.
 */
export type StepVerdict =
  | 'ok'
  | 'exit'
  | 'signal'
  | 'wall'
  | 'cpu'
  | 'memory'
  | 'processes'
  | 'disk'
  | 'output'
  | 'cancelled';

/** What a program wrote. Invalid UTF-8 becomes U+FFFD; where `bytes` is more than was kept, the middle is missing. */
export type CapturedOutput = { readonly text: string; readonly bytes: number; readonly cut: boolean };

/** One program from start to end: a compiler or a compiled program. Times and memory are taken inside the sandbox. */
export type StepResult = {
  readonly verdict: StepVerdict;
  readonly exitCode: number | null;
  /** `SIGSEGV` …; null where it ended by itself. */
  readonly signal: string | null;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Present where the program hid what its children used: then `cpuMs` is the most that it can have been. */
  readonly cpuIsUpperBound?: boolean;
  readonly peakMemoryBytes: number;
  /** Present where the program forbade to read its memory: then `peakMemoryBytes` is the most that it can have been. */
  readonly memoryIsUpperBound?: boolean;
  /** What decided a verdict where that is weaker than the kernel's own account: `samples of the process table`. */
  readonly decidedBy?: string;
};

/** The account of a compiler. `stdout` and `stderr` have all that it wrote. */
export type CompileResult = StepResult & {
  /** The account is that of an earlier compilation of the same program by the same compiler. */
  readonly cached: boolean;
  /** What went wrong, short enough for a model: the first errors without repetitions. Empty where nothing did. */
  readonly digest: string;
};

/** `run` is null where compilation failed; `compile` is null for languages that need none. */
export type ExecResult = {
  readonly backend: string;
  readonly compile: CompileResult | null;
  readonly run: StepResult | null;
  /** The working folder after the run; null where it was not asked for, or is larger than it may be. */
  readonly folder: Uint8Array | null;
  /** The size of that archive, also where it was not handed over; null where it was not asked for. */
  readonly folderBytes: number | null;
};

/** A program that can be run at once, as often as needed. Opaque: only the sandbox that built it runs it. */
export type Executable = {
  readonly language: LanguageId;
  readonly toolchain: string;
  readonly files: ProgramFiles;
  /** What the compiler made, or the source where there is no compiler. */
  readonly bytes: Uint8Array;
};

/** `executable` is null where compilation failed. */
export type BuildResult = {
  readonly backend: string;
  readonly compile: CompileResult | null;
  readonly executable: Executable | null;
};

/** What a check of the syntax found; `check` is null for languages that are not checked before they run. */
export type CheckResult = { readonly backend: string; readonly check: CompileResult | null };

/** A program to be compiled. */
export type BuildRequest = Program & { readonly compileLimits?: Partial<ExecLimits> };

/** A program yet to be built, or one that was. */
export type Runnable = { readonly program: BuildRequest } | { readonly executable: Executable };

/** One input of a batch. */
export type Case = {
  /** For the caller; results carry it. */
  readonly name: string;
  readonly stdin?: string | Uint8Array;
  readonly args?: readonly string[];
  readonly files?: ProgramFiles;
};

/**
 * The other side of an interactive pair. It and the program each run in a sandbox of their own, joined by pipes:
 * - `stdio`: its stdout is the program's stdin, and the other way round. It is told of the case by files and arguments.
 * - `relay`: it starts the program itself, as AtCoder's testers do (`tester COMMAND < IN > OUT`). COMMAND, its first
 *   argument, stands for the program. The case's stdin is the tester's own, its stdout is captured.
 *
 * A program that outlives its tester by more than a second is ended: `cancelled`.
 */
export type Tester = Runnable & {
  readonly talks: 'stdio' | 'relay';
  /** Placed before those of each case; where it relays, behind COMMAND. */
  readonly args?: readonly string[];
  readonly limits?: Partial<ExecLimits>;
};

/** One program to be run on many inputs. */
export type BatchRequest = Runnable & {
  /** Asked for one at a time, a few ahead of those that run. */
  readonly cases: Iterable<Case> | AsyncIterable<Case>;
  /** How many cases run at once; default: the number of processors. */
  readonly workers?: number;
  /** How many cases a worker is given before the first has ended: 2, or 1 where `cases` decides when the next may begin. */
  readonly casesAhead?: 1 | 2;
  readonly limits?: Partial<ExecLimits>;
  /** With a tester, stdin, arguments and files of the cases go to the tester. */
  readonly tester?: Tester;
};

/** `step` is the program's, `tester` that of its counterpart. Where they talk over pipes, no stdout is captured. */
export type CaseResult = {
  readonly name: string;
  /** From 0, in the order of the cases. */
  readonly index: number;
  readonly worker: number;
  readonly step: StepResult;
  readonly tester?: StepResult;
};

/**
 * Called as results arrive, one at a time; meanwhile nothing new begins beyond a few cases ahead. `'stop'`, or a promise of
 * it, ends the batch; other results are ignored.
 */
export type OnCase = (result: CaseResult) => unknown;

/** What became of a batch as a whole; the results of its cases went to `onCase`. */
export type BatchResult = {
  readonly backend: string;
  /** Null where nothing had to be compiled. Where it failed, no case was run. */
  readonly compile: CompileResult | null;
  readonly testerCompile: CompileResult | null;
  /** How many results were handed over. */
  readonly finished: number;
  /** True where `onCase` or the signal ended it before its last case. */
  readonly stopped: boolean;
};

/** What a sandbox can do on this machine. */
export type SandboxInfo = {
  /** `bubblewrap`. */
  readonly backend: string;
  readonly version: string;
  /** `none`: programs run with the rights of their user. */
  readonly isolation: 'sandbox' | 'none';
  readonly toolchains: readonly Toolchain[];
  readonly limits: ExecLimits;
  readonly compileLimits: ExecLimits;
  /** By which means each limit is enforced here: `{memory: 'cgroup v1', cpu: 'rlimit'}`. */
  readonly enforcement: Readonly<Record<keyof ExecLimits, string>>;
};

/** What must stand beside every result that came about without isolation; null for others. */
export function unsafeLabel(
  sandbox: { readonly isolation?: SandboxInfo['isolation'] } | null,
): string | null {
  return sandbox?.isolation === 'none' ? 'ran WITHOUT a sandbox, with the rights of its user' : null;
}

/** Something that a dead Polya left, and that was removed: `{ kind: 'cgroup', name: '/sys/fs/cgroup/…' }`. */
export type Removed = { readonly kind: string; readonly name: string };

/** Runs programs that nobody has read. */
export interface Sandbox {
  /** What this machine offers; probed once, then cheap. Throws `UnavailableError` where nothing can be run safely. */
  info(): Promise<SandboxInfo>;
  /** What the compiler says of the source. It may be faster than `build` and miss errors, or be a build that is kept. */
  check(request: BuildRequest, signal: AbortSignal): Promise<CheckResult>;
  build(request: BuildRequest, signal: AbortSignal): Promise<BuildResult>;
  /**
   * Runs one program in a sandbox of its own, without network or host environment. An abort ends it within a second with
   * verdict `cancelled`. No process, folder or cgroup is left behind.
   */
  exec(request: ExecRequest, signal: AbortSignal): Promise<ExecResult>;
  /**
   * Runs one program over many inputs, in one sandbox a worker. Between two cases its processes are ended, its files are
   * deleted, and the program is written anew. An abort ends it within a second; cases that it broke off have no result.
   * What `onCase` throws ends the batch and is thrown.
   */
  batch(request: BatchRequest, onCase: OnCase, signal: AbortSignal): Promise<BatchResult>;
  /** Removes what dead processes of Polya left on this machine; what is in use stays. */
  clean(): Promise<readonly Removed[]>;
  /** Ends what is kept ready for the next call, such as warm containers; later calls keep nothing. Optional: nothing outlives the process. */
  close(): Promise<void>;
}
