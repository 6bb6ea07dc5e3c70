/**
 * The `Sandbox` contract over any back-end: builds programs, runs them once or over many cases. It keeps nothing
 * between two calls but what it found out about the machine.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { UserError } from '../core/errors.ts';
import type {
  BatchRequest,
  BatchResult,
  CompileResult,
  ExecLimits,
  ExecRequest,
  ExecResult,
  OnCase,
  Runnable,
  Sandbox,
  SandboxInfo,
  Tester,
} from '../core/sandbox.ts';
import type { Backend } from './backend.ts';
import { runCases } from './batch.ts';
import { checkProgram, compileProgram } from './compile.ts';
import { execute } from './execute.ts';
import { toolchain } from './languages/languages.ts';
import { defaultCompileLimits, defaultRunLimits, mergeLimits } from './limits.ts';
import { pairWorker, type TesterCrew } from './pair.ts';
import { type FoundTool, findTools, toolFor } from './toolchains.ts';
import { type Crew, caseWorker } from './worker.ts';

export type SandboxOptions = {
  /** Throws `UnavailableError` where nothing can be run. */
  readonly openBackend: () => Promise<Backend>;
  readonly limits?: Partial<ExecLimits>;
  readonly compileLimits?: Partial<ExecLimits>;
};

export type Found = { readonly backend: Backend; readonly tools: readonly FoundTool[] };

export function createSandbox(options: SandboxOptions): Sandbox {
  const runLimits = mergeLimits(defaultRunLimits, options.limits);
  const compileLimits = mergeLimits(defaultCompileLimits, options.compileLimits);
  const finding = onceItWorks(() => findOut(options));
  const { found } = finding;
  return {
    info: async () => describe(await found(), { runLimits, compileLimits }),
    async check(request, signal) {
      const limits = mergeLimits(compileLimits, request.compileLimits);
      const { backend, tools } = await found();
      const workshop = { backend, found: toolFor(tools, request), signal };
      return { backend: backend.name, check: await checkProgram(workshop, request, limits) };
    },
    async build(request, signal) {
      const limits = mergeLimits(compileLimits, request.compileLimits);
      const { backend, tools } = await found();
      const workshop = { backend, found: toolFor(tools, request), signal };
      return { backend: backend.name, ...(await compileProgram(workshop, request, limits)) };
    },
    async exec(request, signal) {
      const limits = {
        runLimits: mergeLimits(runLimits, request.limits),
        compileLimits: mergeLimits(compileLimits, request.compileLimits),
      };
      return runProgram(await found(), { request, limits, signal });
    },
    async batch(request, onCase, signal) {
      return runBatch(await found(), { request, onCase, limits: { runLimits, compileLimits }, signal });
    },
    clean: async () => (await found()).backend.clean(),
    close: finding.close,
  };
}

type Limits = { readonly runLimits: ExecLimits; readonly compileLimits: ExecLimits };
type Run = { readonly request: ExecRequest; readonly limits: Limits; readonly signal: AbortSignal };

async function runProgram({ backend, tools }: Found, { request, limits, signal }: Run): Promise<ExecResult> {
  const workshop = { backend, found: toolFor(tools, request), signal };
  const { compile, executable } = await compileProgram(workshop, request, limits.compileLimits);
  if (executable === null)
    return { backend: backend.name, compile, run: null, folder: null, folderBytes: null };
  const ran = await execute(workshop, { executable, request, limits: limits.runLimits });
  return { backend: backend.name, compile, ...ran };
}

type Batch = {
  readonly request: BatchRequest;
  readonly onCase: OnCase;
  readonly limits: Limits;
  readonly signal: AbortSignal;
};

async function runBatch(found: Found, { request, onCase, limits, signal }: Batch): Promise<BatchResult> {
  const workers = positiveCount(request.workers ?? availableParallelism());
  const { tester } = request;
  const [program, counterpart] = await Promise.all([
    built(found, request, { limits, signal }),
    tester && built(found, tester, { limits, signal }),
  ]);
  const testerCompile = counterpart?.compile ?? null;
  const head = { backend: found.backend.name, compile: program.compile, testerCompile };
  const { crew } = program;
  if (crew === null || counterpart?.crew === null) return { ...head, finished: 0, stopped: signal.aborted };
  const testerCrew = tester && counterpart && testerOf(tester, counterpart.crew);
  const openWorker = (stopping: AbortSignal) =>
    testerCrew ? pairWorker(crew, testerCrew, stopping) : caseWorker(crew, stopping);
  const { cases, casesAhead = 2 } = request;
  const ended = await runCases({ cases, workers, casesAhead, openWorker }, onCase, signal);
  return { ...head, ...ended };
}

function testerOf({ talks, args = [] }: Tester, crew: Crew): TesterCrew {
  return { ...crew, talks, args };
}

/** `crew` is null where it could not be built. */
async function built(
  { backend, tools }: Found,
  runnable: Runnable & { readonly limits?: Partial<ExecLimits> },
  { limits, signal }: { readonly limits: Limits; readonly signal: AbortSignal },
): Promise<{ compile: CompileResult | null; crew: Crew | null }> {
  const runLimits = mergeLimits(limits.runLimits, runnable.limits);
  if ('executable' in runnable) {
    const { executable } = runnable;
    return {
      compile: null,
      crew: { backend, found: toolFor(tools, executable), executable, limits: runLimits },
    };
  }
  const { program } = runnable;
  const found = toolFor(tools, program);
  const compileLimits = mergeLimits(limits.compileLimits, program.compileLimits);
  const { compile, executable } = await compileProgram({ backend, found, signal }, program, compileLimits);
  return { compile, crew: executable && { backend, found, executable, limits: runLimits } };
}

function positiveCount(workers: number): number {
  if (Number.isSafeInteger(workers) && workers > 0) return workers;
  throw new UserError({
    code: 'worker-count-invalid',
    what: `A batch cannot have ${workers} workers.`,
    fix: 'Give a whole number above 0.',
  });
}

async function findOut({ openBackend }: SandboxOptions): Promise<Found> {
  const backend = await openBackend();
  return { backend, tools: await findTools(backend) };
}

/**
 * A failure is not kept: what is missing may be installed while a long-lived process waits. Nor is a find whose
 * staged files are gone: the system clears its temporary folders.
 */
function onceItWorks(find: () => Promise<Found>) {
  let finding: Promise<Found> | null = null;
  const close = async () => (await finding?.catch(() => null))?.backend.close?.();
  const findAgain = () => {
    void close();
    finding = find();
    finding.catch(() => {
      finding = null;
    });
    return finding;
  };
  const found = async (): Promise<Found> => {
    const known = await (finding ?? findAgain());
    const staged = known.tools.flatMap(({ tool }) => tool.staged ?? []);
    return known.backend.isIntact() && staged.every((path) => existsSync(path)) ? known : findAgain();
  };
  return { found, close };
}

function describe({ backend, tools }: Found, { runLimits, compileLimits }: Limits): SandboxInfo {
  return {
    backend: backend.name,
    version: backend.version,
    isolation: backend.isolation,
    toolchains: tools.map(({ language, tool }) => toolchain(language, tool)),
    limits: runLimits,
    compileLimits,
    enforcement: backend.enforcement,
  };
}
