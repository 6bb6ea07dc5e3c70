/**
 * From a program to something that can be run at once. It knows no language: what to do stands in the toolchain.
 */
import type { CompileResult, ExecLimits, Executable, Program, ProgramFiles } from '../core/sandbox.ts';
import type { Backend, Finished, Job, StagedFile } from './backend.ts';
import type { Step, Tool } from './languages/language.ts';
import { inBox } from './layout.ts';
import { checkArguments, checkPaths } from './request.ts';
import { runOnce } from './run-once.ts';
import type { FoundTool } from './toolchains.ts';

export type Workshop = { readonly backend: Backend; readonly found: FoundTool; readonly signal: AbortSignal };
export type Compiled = { readonly compile: CompileResult | null; readonly executable: Executable | null };

/** Where the toolchain has no compiler, the source itself is what is run. */
export async function compileProgram(
  workshop: Workshop,
  program: Program,
  limits: ExecLimits,
): Promise<Compiled> {
  const { found, signal } = workshop;
  const { language, tool } = found;
  const { files, source } = stagedProgram(found, program);
  const executableOf = (bytes: Uint8Array): Executable => ({
    language: language.id,
    toolchain: tool.name,
    files: program.files ?? {},
    bytes,
  });
  if (tool.compile === null) return { compile: null, executable: executableOf(source.bytes) };
  await untilAborted(prepareOnce(tool, signal), signal);
  const compilation = tool.compile(limits, program.flags ?? []);
  const { collectPath } = compilation;
  const job = { files: [...files, source], stdin: null, collectPath, limits };
  const { step, collected } = checkCompiled(await runStep(workshop, compilation, job), tool);
  return {
    compile: { ...step, cached: false },
    executable: collected === null ? null : executableOf(collected),
  };
}

/** The compiler's quick look; null where the toolchain has none. */
export async function checkProgram(
  workshop: Workshop,
  program: Program,
  limits: ExecLimits,
): Promise<CompileResult | null> {
  const { found } = workshop;
  const { files, source } = stagedProgram(found, program);
  const step = found.tool.check?.(limits, program.flags ?? []);
  if (step === undefined) return null;
  const job = { files: [...files, source], stdin: null, collectPath: null, limits };
  return { ...(await runStep(workshop, step, job)).step, cached: false };
}

function stagedProgram({ language }: FoundTool, program: Program) {
  const { sourceFile } = language;
  checkArguments(program.flags ?? []);
  const files = stagedFiles(program.files ?? {}, sourceFile);
  const source: StagedFile = { path: inBox(sourceFile), bytes: Buffer.from(program.source) };
  return { files, source };
}

/** The source goes where a file of its name was. */
export function stagedFiles(files: ProgramFiles, sourceFile: string): readonly StagedFile[] {
  const others = Object.entries(files).filter(([path]) => path !== sourceFile);
  checkPaths([...others.map(([path]) => path), sourceFile]);
  return others.map(([path, content]) => ({ path: inBox(path), bytes: Buffer.from(content) }));
}

/** The runtime's own threads come on top of the program's, and its word counts on why it ended. */
export async function runStep(
  { backend, found, signal }: Workshop,
  { command, mounts = [] }: Step,
  job: Omit<Job, 'command'>,
): Promise<Finished> {
  const limits = limitsFor(found.tool, job.limits);
  const finished = await runOnce(backend, { job: { ...job, command, limits }, mounts }, signal);
  return judged(found.tool, finished);
}

export function limitsFor({ runtimeThreads = 0 }: Tool, limits: ExecLimits): ExecLimits {
  return { ...limits, processes: limits.processes + runtimeThreads };
}

export function judged(tool: Tool, finished: Finished): Finished {
  if (!tool.ranOutOfMemory?.(finished.step)) return finished;
  return { ...finished, step: { ...finished.step, verdict: 'memory' } };
}

const preparing = new WeakMap<Tool, Promise<void>>();

/** One that fails is not tried again by this process, unless it was cancelled: without it, steps are only slower. */
function prepareOnce(tool: Tool, signal: AbortSignal): Promise<void> {
  const known = preparing.get(tool);
  if (known !== undefined) return known;
  const begun = (tool.prepare?.(signal) ?? Promise.resolve()).catch(() => {
    if (signal.aborted) preparing.delete(tool);
  });
  preparing.set(tool, begun);
  return begun;
}

async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  await Promise.race([work, promise]);
  signal.removeEventListener('abort', stop);
}

/** A compiler that succeeds without a program would be a defect of ours, and must not pass for the model's. */
function checkCompiled(compiled: Finished, tool: Tool): Finished {
  if (compiled.step.verdict !== 'ok' || compiled.collected !== null) return compiled;
  throw new Error(`${tool.version} succeeded but left no program behind.`);
}
