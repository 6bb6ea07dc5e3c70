/**
 * The bubblewrap back-end of the `Sandbox` contract: compiles and runs a program, each step in a sandbox of its
 * own. It keeps nothing between two calls but what it found out about the machine.
 */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { UnavailableError } from '../core/errors.ts';
import type { ExecLimits, ExecRequest, ExecResult, Sandbox, SandboxInfo } from '../core/sandbox.ts';
import { boxFolder } from './arguments.ts';
import { compiledPath, type Language, languages, programPath, toolchain } from './languages.ts';
import { type Finished, launch } from './launch.ts';
import { defaultCompileLimits, defaultRunLimits, mergeLimits } from './limits.ts';
import { defaultStagingParents, type Machine } from './machine.ts';
import { installHint } from './needs.ts';
import { enforcement, probeMachine, probeTools, type Tool } from './probe.ts';
import { checkArguments, checkPaths, type StagedFile } from './request.ts';

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

/** Resolves to null where programs can be run, else to the error that says why not. Costs one empty sandbox. */
export async function probeBubblewrap(options: BubblewrapOptions = {}): Promise<UnavailableError | null> {
  try {
    await probeMachine(probeOptions(options));
    return null;
  } catch (error) {
    if (error instanceof UnavailableError) return error;
    throw error;
  }
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
    return [runner, filter, passwd].every((path) => existsSync(path)) ? found : findAgain();
  };
}

function describe({ machine, tools }: Found, { runLimits, compileLimits }: Limits): SandboxInfo {
  return {
    backend,
    version: machine.version,
    toolchains: [...tools].map(([id, { version }]) => toolchain(languages[id], version)),
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
  const run = async (program: StagedFile) => {
    const command = [...language.run(tool.path), ...(request.args ?? [])];
    const stdin = Buffer.from(request.stdin ?? '');
    const job = { command, files: [...files, program], stdin, collectPath: null, limits: limits.runLimits };
    return (await launch(machine, job, signal)).step;
  };
  const compileCommand = language.compile?.(tool.path);
  if (compileCommand === undefined) return { backend, compile: null, run: await run(source) };
  const job = { command: compileCommand, files: [...files, source], stdin: null, collectPath: compiledPath };
  const compiled = await launch(machine, { ...job, limits: limits.compileLimits }, signal);
  const { step, collected } = checkCompiled(compiled, tool);
  if (collected === null) return { backend, compile: step, run: null };
  const program = { path: programPath, bytes: collected, executable: true };
  return { backend, compile: step, run: await run(program) };
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

function inBox(path: string): string {
  return posix.join(boxFolder, path);
}

function noToolchain(language: Language): UnavailableError {
  return new UnavailableError({
    what: `${language.title} programs cannot be run here.`,
    why: `No ${language.id === 'cpp' ? 'compiler' : 'interpreter'} for ${language.title} answers from inside the sandbox; only those in /usr are looked for.`,
    fix: installHint(language.debianPackage),
  });
}
