/**
 * Compiles a program once: from the cache where it is, else by the compiler, and then it is there. It decides what a
 * compilation depends on and which results are worth keeping; how a step is run is its caller's business.
 */
import type { CompileResult, ExecLimits, ProgramFiles } from '../core/sandbox.ts';
import type { Finished } from './backend.ts';
import { type CompileCache, type Compiled, cacheKey } from './cache.ts';
import type { Compilation, Source, Step, Tool } from './languages/language.ts';

export type CompileKind = 'build' | 'check';

export type CompileJob = {
  readonly tool: Tool;
  readonly source: Source;
  readonly limits: ExecLimits;
  /** Whose compiler it is: the back-end's name. */
  readonly place: string;
  /** Runs one step over the source and these files, and collects what it makes. */
  launch(step: Step | Compilation, files: ProgramFiles): Promise<Finished>;
};

export type CompileOutcome = { readonly compile: CompileResult; readonly program: Buffer | null };

/** What a change of the form of keys or entries makes new. */
const format = '1';
/** A failure with one of these may be the machine's, and not happen again. */
const accident =
  /killed|internal compiler error|out ?of ?memory|memory exhausted|cannot allocate|could not reserve|bad_alloc|no space left|resource temporarily|too many open files|input\/output error|bus error|limit exceeded|segmentation fault|stack ?overflow|please submit a full bug report/i;
const clock = /__(?:DATE|TIME|TIMESTAMP)__/;
/** Compilations that this process is at work on, by key: who wants the same waits with them. */
const underWay = new Map<string, Promise<void>>();

/** Null where the toolchain has nothing to do for it. Where there is no faster look, a check is a build. */
export async function compileOnce(
  cache: CompileCache,
  wanted: CompileKind,
  job: CompileJob,
  signal: AbortSignal,
): Promise<CompileOutcome | null> {
  const { tool, source, limits } = job;
  const kind = wanted === 'check' && tool.check === null ? 'build' : wanted;
  const step = kind === 'check' ? tool.check?.(source, limits) : tool.compile?.(source, limits);
  if (step === undefined) return null;
  // What only the running program reads, such as its input, must not make the compilation another one.
  const files = Object.groupBy(Object.entries(source.files ?? {}), ([path]) =>
    (tool.reads?.(path, source) ?? true) ? 'given' : 'withheld',
  );
  const given = Object.fromEntries(files.given ?? []);
  const withheld = (files.withheld ?? []).map(([path]) => path);
  const key = keyOf(kind, job, given);
  // What a build said is the better answer to a look at the syntax.
  const keys = kind === 'check' ? [keyOf('build', job, given), key] : [key];
  const known = (await firstKnown(cache, keys, limits)) ?? (await fromOther(cache, keys, limits, signal));
  if (known !== null) return outcomeOf(tool, known, true);
  const compiling = compile(job, step, given, withheld).then(async ({ compiled, isWhole }) => {
    if (isWhole && isTimeless(source) && isRepeatable(compiled)) await cache.put(key, compiled);
    return compiled;
  });
  const settled = compiling.then(
    () => {},
    () => {},
  );
  underWay.set(key, settled);
  try {
    return outcomeOf(tool, await compiling, false);
  } finally {
    if (underWay.get(key) === settled) underWay.delete(key);
  }
}

/** What this process is compiling just now for another caller: waited for once, whatever comes of it. */
async function fromOther(
  cache: CompileCache,
  keys: readonly string[],
  limits: ExecLimits,
  signal: AbortSignal,
): Promise<Compiled | null> {
  const other = keys.map((key) => underWay.get(key)).find((work) => work !== undefined);
  if (other === undefined) return null;
  await untilAborted(other, signal);
  return firstKnown(cache, keys, limits);
}

/** Waits for work that goes on without us, until it has ended or the signal says not to wait any more. */
export async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function outcomeOf(tool: Tool, { step, program }: Compiled, cached: boolean): CompileOutcome {
  const printed = [step.stdout.text, step.stderr.text].filter((text) => text.trim() !== '').join('\n');
  const digest = step.verdict === 'ok' ? '' : tool.digest(printed);
  return { compile: { ...step, cached, digest }, program };
}

/** A compilation that these limits would have ended is none that they allow. */
async function firstKnown(cache: CompileCache, keys: readonly string[], limits: ExecLimits) {
  for (const key of keys) {
    const known = await cache.get(key);
    if (known !== null && isWithin(limits, known)) return known;
  }
  return null;
}

function isWithin(limits: ExecLimits, { step, program }: Compiled): boolean {
  return (
    step.wallMs <= limits.wallMs &&
    step.cpuMs <= limits.cpuMs &&
    step.peakMemoryBytes <= limits.memoryBytes &&
    (program?.length ?? 0) <= Math.min(limits.fileBytes, limits.diskBytes)
  );
}

function keyOf(kind: CompileKind, { tool, source, limits, place }: CompileJob, files: ProgramFiles): string {
  const paths = Object.keys(files).sort();
  const flags = JSON.stringify(source.flags ?? []);
  return cacheKey([
    // How much of what a compiler says is kept is part of a failure.
    ...[format, kind, place, tool.name, tool.identity, flags, String(limits.outputBytes), source.source],
    ...paths.flatMap((path) => [path, files[path] ?? '']),
  ]);
}

/** `isWhole` is false where it took files that the key does not know. */
async function compile(
  job: CompileJob,
  step: Step | Compilation,
  given: ProgramFiles,
  withheld: readonly string[],
): Promise<{ readonly compiled: Compiled; readonly isWhole: boolean }> {
  let finished = await job.launch(step, given);
  const blames = (text: string) => {
    const { verdict, stderr } = finished.step;
    return (verdict === 'exit' || verdict === 'signal') && stderr.text.includes(text);
  };
  const { plain } = step;
  if (plain !== undefined && blames(plain.blames)) {
    finished = await job.launch({ ...step, command: plain.command }, given);
  }
  const isWhole = !withheld.some((path) => blames(path.split('/').at(-1) ?? path));
  if (!isWhole) finished = await job.launch(step, job.source.files ?? {});
  return { compiled: { step: finished.step, program: finished.collected }, isWhole };
}

/** Limits, signals and what another moment may mend are not kept. */
function isRepeatable({ step: { verdict, stdout, stderr } }: Compiled): boolean {
  if (verdict === 'ok') return true;
  return verdict === 'exit' && !accident.test(stdout.text) && !accident.test(stderr.text);
}

function isTimeless({ source, files = {} }: Source): boolean {
  const texts = [source, ...Object.values(files).filter((content) => typeof content === 'string')];
  return !texts.some((text) => clock.test(text));
}
