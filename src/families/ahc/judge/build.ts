/** Building the two sides of an evaluation: the contestant's program with the judge's options, and the official tools. */
import type { BuildRequest, BuildResult, ProgramFiles, Sandbox } from '../../../core/sandbox.ts';

/** A program of the user's own: a search writes C++ alone. */
export type SolutionLanguage = 'cpp' | 'rust' | 'python';

/** One file with all that it includes. */
export type ProgramSource = {
  readonly source: string;
  /** Absent: C++. */
  readonly language?: SolutionLanguage;
  /** What a project in Rust is made of beside its source. */
  readonly files?: ProgramFiles;
};

/** Built with the judge's options. */
export function solutionProgram(
  { source, language = 'cpp', files }: ProgramSource,
  compileTimeoutMs: number,
): BuildRequest {
  // A first build of its crates takes longer than that of one file.
  const wallMs = files === undefined ? compileTimeoutMs : Math.max(compileTimeoutMs, 600_000);
  const compileLimits = { wallMs, cpuMs: 2 * wallMs };
  const common = {
    source,
    language,
    compileLimits: language === 'cpp' ? { wallMs, cpuMs: wallMs } : compileLimits,
  };
  return language === 'cpp' ? { ...common, flags: judgeFlags } : { ...common, ...(files ? { files } : {}) };
}

/** What AtCoder compiles with besides the language's own. */
export const judgeFlags: readonly string[] = ['-DONLINE_JUDGE', '-DATCODER'];

/** What cargo says, and what to do where it wants a newer Rust than there is. */
export function withRustAdvice(digest = ''): string {
  const isOld =
    /requires rustc|is not supported by the following package|lock file version|edition20\d\d|unstable library feature|experimental|newer version of (?:Cargo|rust)/i.test(
      digest,
    );
  return `${digest}${isOld ? `\n${newerRust}` : ''}`.trim();
}

const newerRust =
  'The tools seem to want a newer Rust than the sandbox has: `rustup update stable` (rustup is found in your home), or on Debian 12 `sudo apt-get install rustc-web cargo-web`, which `polya setup` does.';

/** A binary of the tools' crate, as the sandbox builds it: cargo, offline. */
export function toolProgram(crate: ProgramFiles, binary: string): BuildRequest {
  const compileLimits = { wallMs: 600_000, cpuMs: 1_200_000 };
  return { language: 'rust', source: '', files: crate, binary, compileLimits };
}

/** The contest's tools do not compile here; `message` is the compiler's. */
export class ToolsDoNotBuild extends Error {
  override readonly name = 'ToolsDoNotBuild';
}

/** Throws the reason if it was cancelled. */
export async function buildWhole(
  sandbox: Pick<Sandbox, 'build'>,
  request: BuildRequest,
  signal: AbortSignal,
): Promise<BuildResult> {
  const built = await sandbox.build(request, signal);
  if (!built.executable) signal.throwIfAborted();
  return built;
}
