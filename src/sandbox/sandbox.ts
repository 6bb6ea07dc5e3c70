/** The `Sandbox` contract over any back-end: builds programs, runs them once or over many cases. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { UserError } from '../core/errors.ts';
import type { BatchRequest, BuildRequest, ExecLimits, Runnable, Sandbox } from '../core/sandbox.ts';
import type { Backend } from './backend.ts';
import { type CellPool, caseWorker, runCases } from './batch.ts';
import { checkProgram, compileProgram } from './compile.ts';
import { execute } from './execute.ts';
import { type FoundTool, findTools, toolchain, toolFor } from './languages/languages.ts';
import { defaultCompileLimits, defaultRunLimits, mergeLimits } from './limits.ts';
import { pairWorker } from './pair.ts';

export type SandboxOptions = {
  /** Throws `UnavailableError` where nothing can be run. */
  readonly openBackend: () => Promise<Backend>;
  readonly limits?: Partial<ExecLimits>;
  readonly compileLimits?: Partial<ExecLimits>;
};

export function createSandbox({ openBackend, ...changes }: SandboxOptions): Sandbox {
  const limits = mergeLimits(defaultRunLimits, changes.limits);
  const compileLimits = mergeLimits(defaultCompileLimits, changes.compileLimits);
  const { found, close } = lazyBackend(openBackend);
  const prepared = async (program: BuildRequest, signal: AbortSignal) => {
    const forCompiler = mergeLimits(compileLimits, program.compileLimits);
    const { backend, tools } = await found();
    return { workshop: { backend, found: toolFor(tools, program), signal }, forCompiler };
  };
  /** `crew` is null where the program could not be built. */
  const built = async (runnable: Runnable & Pick<BatchRequest, 'limits'>, signal: AbortSignal) => {
    const runLimits = mergeLimits(limits, runnable.limits);
    if ('executable' in runnable) {
      const { executable } = runnable;
      const { backend, tools } = await found();
      const cellPool: CellPool = {
        backend,
        found: toolFor(tools, executable),
        executable,
        limits: runLimits,
      };
      return { compile: null, crew: cellPool };
    }
    const { workshop, forCompiler } = await prepared(runnable.program, signal);
    const { compile, executable } = await compileProgram(workshop, runnable.program, forCompiler);
    return { compile, crew: executable && { ...workshop, executable, limits: runLimits } };
  };
  return {
    async info() {
      const { backend, tools } = await found();
      const { name, version, isolation, enforcement } = backend;
      const toolchains = tools.map(({ language, tool }) => toolchain(language, tool));
      return { backend: name, version, isolation, toolchains, limits, compileLimits, enforcement };
    },
    async check(request, signal) {
      const { workshop, forCompiler } = await prepared(request, signal);
      return { backend: workshop.backend.name, check: await checkProgram(workshop, request, forCompiler) };
    },
    async build(request, signal) {
      const { workshop, forCompiler } = await prepared(request, signal);
      return { backend: workshop.backend.name, ...(await compileProgram(workshop, request, forCompiler)) };
    },
    async exec(request, signal) {
      const runLimits = mergeLimits(limits, request.limits);
      const { workshop, forCompiler } = await prepared(request, signal);
      const backend = workshop.backend.name;
      const { compile, executable } = await compileProgram(workshop, request, forCompiler);
      if (executable === null) return { backend, compile, run: null, folder: null, folderBytes: null };
      return { backend, compile, ...(await execute(workshop, { executable, request, limits: runLimits })) };
    },
    async batch(request, onCase, signal) {
      const { cases, casesAhead, tester } = request;
      const workers = positiveCount(request.workers ?? availableParallelism());
      const { backend } = await found();
      const [program, counterpart] = await Promise.all([
        built(request, signal),
        tester && built(tester, signal),
      ]);
      const testerCompile = counterpart?.compile ?? null;
      const head = { backend: backend.name, compile: program.compile, testerCompile };
      const { crew } = program;
      if (crew === null || counterpart?.crew === null)
        return { ...head, finished: 0, stopped: signal.aborted };
      const testerCrew = tester &&
        counterpart && { ...counterpart.crew, talks: tester.talks, args: tester.args };
      const openWorker = (stopping: AbortSignal) =>
        testerCrew ? pairWorker(crew, testerCrew, stopping) : caseWorker(crew, stopping);
      return { ...head, ...(await runCases({ cases, workers, casesAhead, openWorker }, onCase, signal)) };
    },
    clean: async () => (await found()).backend.clean(),
    close,
  };
}

function positiveCount(workers: number): number {
  if (Number.isSafeInteger(workers) && workers > 0) return workers;
  throw new UserError({
    code: 'worker-count-invalid',
    what: `A batch cannot have ${workers} workers.`,
    fix: 'Give a whole number above 0.',
  });
}

type Found = { readonly backend: Backend; readonly tools: readonly FoundTool[] };

/** Failures are not kept: what is missing may be installed. Nor are finds whose staged files the system cleared. */
function lazyBackend(openBackend: () => Promise<Backend>) {
  let finding: Promise<Found> | null = null;
  const find = async () => {
    const backend = await openBackend();
    return { backend, tools: await findTools(backend) };
  };
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
