/**
 * The bubblewrap back-end of the `Sandbox` contract: compiles and runs a program, each step in a sandbox of its
 * own. It keeps nothing between two calls but what it found out about the machine.
 */
import { existsSync } from 'node:fs';
import { UnavailableError } from '../core/errors.ts';
import type { ExecLimits, ExecRequest, ExecResult, Sandbox, SandboxInfo } from '../core/sandbox.ts';
import { inBox, type Language, programFile, type Step, type Tool } from './languages/language.ts';
import { languages, toolchain } from './languages/languages.ts';
import { type Finished, launch } from './launch.ts';
import { defaultCompileLimits, defaultRunLimits, mergeLimits } from './limits.ts';
import { defaultStagingParents, type Machine } from './machine.ts';
import { enforcement, probeMachine, probeTools } from './probe.ts';
import { checkArguments, checkPaths, type Job, type StagedFile } from './request.ts';

export type BubblewrapOptions = {
  readonly limits?: Partial<ExecLimits>;
  readonly compileLimits?: Partial<ExecLimits>;
  /** Where the staging folder may be made, in order of preference; default: $TMPDIR, /tmp, /var/tmp. */
  readonly stagingParents?: readonly string[];
  readonly useCgroups?: boolean;
};

const backend = 'bubblewrap';

export function bubblewrapSandbox(options: BubblewrapOptions = {}): Sandbox {
  const runLimits = mergeLimits(defaultRunLimits, options.limits);
  const compileLimits = mergeLimits(defaultCompileLimits, options.compileLimits);
  const found = onceItWorks(() => findOut(options));
  return {
    info: async () => describe(await found(), { runLimits, compileLimits }),
    exec: async (request, signal) => {
      const limits = {
        runLimits: mergeLimits(runLimits, request.limits),
        compileLimits: mergeLimits(compileLimits, request.compileLimits),
      };
      return execute(await found(), { request, limits, signal });
    },
  };
}

type Found = { machine: Machine; tools: Awaited<ReturnType<typeof probeTools>> };
type Limits = { runLimits: ExecLimits; compileLimits: ExecLimits };

async function findOut(options: BubblewrapOptions): Promise<Found> {
  const machine = await probeMachine(probeOptions(options));
  return { machine, tools: await probeTools(machine) };
}

function probeOptions({ stagingParents, useCgroups }: BubblewrapOptions) {
  return { stagingParents: stagingParents ?? defaultStagingParents(), useCgroups: useCgroups ?? true };
}

/**
 * A failure is not kept: what is missing may be installed while a long-lived process waits. Nor is a find whose
 * staged files are gone: the system clears its temporary folders.
 */
function onceItWorks(find: () => Promise<Found>): () => Promise<Found> {
  let finding: Promise<Found> | null = null;
  const findAgain = () => {
    finding = find();
    finding.catch(() => {
      finding = null;
    });
    return finding;
  };
  return async () => {
    const found = await (finding ?? findAgain());
    const { runner, filter, passwd } = found.machine.staging;
    const staged = [...found.tools.values()].flatMap((tool) => tool.staged ?? []);
    return [runner, filter, passwd, ...staged].every((path) => existsSync(path)) ? found : findAgain();
  };
}

function describe({ machine, tools }: Found, { runLimits, compileLimits }: Limits): SandboxInfo {
  return {
    backend,
    version: machine.version,
    toolchains: [...tools].map(([id, tool]) => toolchain(languages[id], tool)),
    limits: runLimits,
    compileLimits,
    enforcement: enforcement(machine),
  };
}

type Execution = { request: ExecRequest; limits: Limits; signal: AbortSignal };

async function execute({ machine, tools }: Found, execution: Execution): Promise<ExecResult> {
  const { request, limits, signal } = execution;
  const language = languages[request.language];
  const tool = tools.get(language.id);
  if (tool === undefined) throw noToolchain(language);
  const files = programFiles(request, language);
  checkArguments(request.args ?? []);
  const source = { path: inBox(language.sourceFile), bytes: Buffer.from(request.source) };
  const workshop = { machine, tool, signal };
  const run = (program: StagedFile) => {
    const step = tool.run(limits.runLimits);
    const command = [...step.command, ...(request.args ?? [])];
    const stdin = Buffer.from(request.stdin ?? '');
    const job = { files: [...files, program], stdin, collectPath: null, limits: limits.runLimits };
    return launchStep(workshop, { ...step, command }, job).then((finished) => finished.step);
  };
  if (tool.compile === null) return { backend, compile: null, run: await run(source) };
  await untilAborted(prepareOnce(tool, signal), signal);
  const compilation = tool.compile(limits.compileLimits);
  const { collectPath } = compilation;
  const job = { files: [...files, source], stdin: null, collectPath, limits: limits.compileLimits };
  const compiled = await launchStep(workshop, compilation, job);
  const { step, collected } = checkCompiled(compiled, tool);
  if (collected === null) return { backend, compile: step, run: null };
  const program = { path: programFile, bytes: collected, executable: true };
  return { backend, compile: step, run: await run(program) };
}

type Workshop = { machine: Machine; tool: Tool; signal: AbortSignal };

/** The runtime's own threads come on top of the program's, and its word counts on why it ended. */
async function launchStep(
  { machine, tool, signal }: Workshop,
  { command, mounts = [] }: Step,
  job: Omit<Job, 'command' | 'mounts'>,
): Promise<Finished> {
  const processes = job.limits.processes + (tool.runtimeThreads ?? 0);
  const limits = { ...job.limits, processes };
  const { step, collected } = await launch(machine, { ...job, command, mounts, limits }, signal);
  return { step: tool.ranOutOfMemory?.(step) ? { ...step, verdict: 'memory' } : step, collected };
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

function programFiles(request: ExecRequest, { sourceFile }: Language): readonly StagedFile[] {
  const files = Object.entries(request.files ?? {}).filter(([path]) => path !== sourceFile);
  checkPaths([...files.map(([path]) => path), sourceFile]);
  return files.map(([path, text]) => ({ path: inBox(path), bytes: Buffer.from(text) }));
}

function noToolchain({ title, installHint }: Language): UnavailableError {
  return new UnavailableError({
    what: `${title} programs cannot be run here.`,
    why: `No toolchain for ${title} answers from inside the sandbox; only those of the system, in /usr, are looked for, and Kotlin’s compiler from npm.`,
    fix: installHint,
  });
}
