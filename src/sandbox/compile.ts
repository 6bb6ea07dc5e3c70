/** From a program to something that can be run at once. It knows no language: what to do stands in the toolchain. */
import { join } from 'node:path';
import { UserError } from '../core/errors.ts';
import { BadArchive, decodeFolder } from '../core/folder-archive.ts';
import type {
  CompileResult,
  ExecLimits,
  Executable,
  Program,
  ProgramFiles,
  StepResult,
} from '../core/sandbox.ts';
import type { Backend, Finished, Job, StagedFile } from './backend.ts';
import type { CompileJob, CompileKind } from './compile-once.ts';
import { compileOnce, openCompileCache, untilAborted } from './compile-once.ts';
import type { Step, Tool } from './languages/language.ts';
import type { FoundTool } from './languages/languages.ts';
import { inBox } from './layout.ts';
import { checkArguments, checkPaths } from './protocol.ts';
import { runOnce } from './run-once.ts';
import { judgeStep } from './verdict.ts';

export type CompileContext = {
  readonly backend: Backend;
  readonly found: FoundTool;
  readonly signal: AbortSignal;
};
export type Compiled = { readonly compile: CompileResult | null; readonly executable: Executable | null };

/** Where the toolchain has no compiler, the source itself is what is run. */
export async function compileProgram(
  compileContext: CompileContext,
  program: Program,
  limits: ExecLimits,
): Promise<Compiled> {
  const { language, tool } = compileContext.found;
  const executableOf = (bytes: Uint8Array): Executable => ({
    language: language.id,
    toolchain: tool.name,
    files: program.files ?? {},
    bytes,
  });
  const outcome = await compiled(compileContext, 'build', { program, limits });
  if (outcome === null) return { compile: null, executable: executableOf(Buffer.from(program.source)) };
  const { compile } = outcome;
  if (outcome.program === null) return { compile, executable: null };
  const isBundle = tool.compile?.(program, limits).isBundle === true;
  try {
    return { compile, executable: executableOf(selectBinary(outcome.program, isBundle, program.binary)) };
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error;
    // A build script may leave there what it likes.
    const why = `What it built cannot be told apart: ${error.message}`;
    return { compile: { ...compile, ...failedStep(compile, why), digest: why }, executable: null };
  }
}

/** The compiler's quick look; null where the toolchain has none, and no compiler either. */
export async function checkProgram(
  workshop: CompileContext,
  program: Program,
  limits: ExecLimits,
): Promise<CompileResult | null> {
  return (await compiled(workshop, 'check', { program, limits }))?.compile ?? null;
}

async function compiled(
  compileContext: CompileContext,
  kind: CompileKind,
  { program, limits }: { readonly program: Program; readonly limits: ExecLimits },
) {
  const { backend, found, signal } = compileContext;
  const { tool } = found;
  checkForm(found, program);
  if (tool.preparesFor?.(program) ?? true) await untilAborted(prepareOnce(tool, signal), signal);
  const launch: CompileJob['launch'] = async (step, files) => {
    const collectPath = 'collectPath' in step ? step.collectPath : null;
    const processes = limits.processes + (tool.compilerThreads ?? 0);
    const finished = await runStep(compileContext, step, {
      files: stageProgram(found, { ...program, files }),
      collectPath,
      limits: { ...limits, processes },
    });
    if (tool.compilerRanOutOfDisk?.(finished.step))
      return { ...finished, step: { ...finished.step, verdict: 'disk' } };
    if (collectPath === null || finished.step.verdict !== 'ok') return finished;
    return checkCompiled(finished, tool, program);
  };
  const cache = openCompileCache(join(backend.folder, 'compiled'));
  return compileOnce(cache, kind, { tool, source: program, limits, place: backend.name, launch }, signal);
}

function checkForm(found: FoundTool, program: Program): void {
  const { language, tool } = found;
  const flags = program.flags ?? [];
  checkArguments(flags);
  // What cannot be staged is no program, whether it is known or not.
  stageProgram(found, program);
  if (tool.compile !== null || flags.length === 0) return;
  throw new UserError({
    code: 'compiler-options-unsupported',
    what: `${language.title} programs take no options of a compiler.`,
    fix: 'Leave `flags` out.',
  });
}

function stageProgram({ language, tool }: FoundTool, program: Program): readonly StagedFile[] {
  const path = tool.sourceFile === undefined ? language.sourceFile : tool.sourceFile(program);
  const files = stageFiles(program.files ?? {}, path ?? language.sourceFile);
  return path === null ? files : [...files, { path: inBox(path), bytes: Buffer.from(program.source) }];
}

/** The source goes where a file of its name was. */
export function stageFiles(files: ProgramFiles, sourceFile: string): readonly StagedFile[] {
  const siblings = Object.entries(files).filter(([path]) => path !== sourceFile);
  checkPaths([...siblings.map(([path]) => path), sourceFile]);
  return siblings.map(([path, content]) => ({ path: inBox(path), bytes: Buffer.from(content) }));
}

/** The runtime's own threads come on top of the program's. */
export async function runStep(
  { backend, found: { tool }, signal }: CompileContext,
  { command, mounts }: Step,
  job: Omit<Job, 'command'>,
): Promise<Finished> {
  const limits = limitsFor(tool, job.limits);
  const finished = await runOnce(backend, { job: { ...job, command, limits }, mounts }, signal);
  return { ...finished, step: judgeStep({ backend, tool, limits }, finished) };
}

export function limitsFor({ runtimeThreads = 0 }: Tool, limits: ExecLimits): ExecLimits {
  return { ...limits, processes: limits.processes + runtimeThreads };
}

const preparing = new WeakMap<Tool, Promise<void>>();

/** One that fails is not tried again by this process, unless it was cancelled: without it, steps are only slower. */
function prepareOnce(tool: Tool, signal: AbortSignal): Promise<void> {
  const known = preparing.get(tool);
  if (known !== undefined) return known;
  const started = (tool.prepare?.(signal) ?? Promise.resolve()).catch(() => {
    if (signal.aborted) preparing.delete(tool);
  });
  preparing.set(tool, started);
  return started;
}

/** A compiler that succeeds without a program was misled by options or a build script; else it is our defect. */
function checkCompiled(finished: Finished, tool: Tool, { flags = [], files = {} }: Program): Finished {
  if (finished.collected !== null) {
    const lack = tool.lacks?.(finished.collected) ?? null;
    return lack === null ? finished : { ...finished, step: failedStep(finished.step, lack), collected: null };
  }
  const why = `${tool.version} succeeded but left no program behind.`;
  if (flags.length === 0 && Object.keys(files).length === 0) throw new Error(why);
  return { ...finished, step: failedStep(finished.step, why) };
}

function failedStep(step: StepResult, why: string): StepResult {
  const stderr = { text: why, bytes: Buffer.byteLength(why), cut: false };
  return { ...step, verdict: 'exit', stderr };
}

/** A build that makes one program only is that program; else it is an archive of them, by name. */
export function selectBinary(
  built: Uint8Array,
  isBundle: boolean,
  requested: string | undefined,
): Uint8Array {
  if (!isBundle) {
    if (requested === undefined) return built;
    throw new UserError({
      code: 'program-choice-invalid',
      what: `There is no choice of ${JSON.stringify(requested)}: this program is one file.`,
      fix: 'Leave `binary` out, or hand in a project with a Cargo.toml.',
    });
  }
  const binaries = decodeFolder(built).filter((entry) => entry.type === 'file');
  const isOnly = requested === undefined && binaries.length === 1;
  const selected = isOnly ? binaries[0] : binaries.find(({ path }) => path === requested);
  if (selected !== undefined) return selected.bytes;
  // A build script names its files as it likes.
  const names = binaries.map(({ path }) => (/^[\w.-]+$/.test(path) ? path : JSON.stringify(path))).join(', ');
  throw new UserError({
    code: 'program-not-chosen',
    what:
      requested === undefined
        ? `This project builds ${binaries.length} programs, and none was chosen.`
        : `This project builds no program ${JSON.stringify(requested)}.`,
    fix: names ? `Set \`binary\` to one of ${names}.` : 'Give it a `src/main.rs` or a file in `src/bin`.',
  });
}
