/** Compiles a program once: by the compiler the first time, and from the cache after that. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CompileResult, ExecLimits, ProgramFiles, StepResult } from '../core/sandbox.ts';
import type { Finished } from './backend.ts';
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
  compileKind: CompileKind,
  job: CompileJob,
  signal: AbortSignal,
): Promise<CompileOutcome | null> {
  const { tool, source, limits } = job;
  const kind = compileKind === 'check' && tool.check === null ? 'build' : compileKind;
  const step = kind === 'check' ? tool.check?.(source, limits) : tool.compile?.(source, limits);
  if (step === undefined) return null;
  // What only the running program reads, such as its input, must not make the compilation another one.
  const files = Object.groupBy(Object.entries(source.files ?? {}), ([path]) =>
    (tool.reads?.(path, source) ?? true) ? 'given' : 'withheld',
  );
  const input = Object.fromEntries(files.given ?? []);
  const withheld = (files.withheld ?? []).map(([path]) => path);
  const key = keyOf(kind, job, input);
  // What a build said is the better answer to a look at the syntax.
  const keys = kind === 'check' ? [keyOf('build', job, input), key] : [key];
  const known = (await firstKnown(cache, keys, limits)) ?? (await fromOther(cache, keys, limits, signal));
  if (known !== null) return outcomeOf(tool, known, true);
  const compiling = compile(job, step, input, withheld).then(async ({ compiled, isWhole }) => {
    if (isWhole && isDeterministic(source) && isCacheable(compiled)) await cache.put(key, compiled);
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

/** A result counts only if these limits would have allowed it. */
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
  input: ProgramFiles,
  withheld: readonly string[],
): Promise<{ readonly compiled: Compiled; readonly isWhole: boolean }> {
  let finished = await job.launch(step, input);
  const blames = (text: string) => {
    const { verdict, stderr } = finished.step;
    return (verdict === 'exit' || verdict === 'signal') && stderr.text.includes(text);
  };
  const { plain } = step;
  if (plain !== undefined && blames(plain.blames)) {
    finished = await job.launch({ ...step, command: plain.command }, input);
  }
  const isComplete = !withheld.some((path) => blames(path.split('/').at(-1) ?? path));
  if (!isComplete) finished = await job.launch(step, job.source.files ?? {});
  return { compiled: { step: finished.step, program: finished.collected }, isWhole: isComplete };
}

/** Limits, signals and what another moment may mend are not kept. */
function isCacheable({ step: { verdict, stdout, stderr } }: Compiled): boolean {
  if (verdict === 'ok') return true;
  return verdict === 'exit' && !accident.test(stdout.text) && !accident.test(stderr.text);
}

function isDeterministic({ source, files = {} }: Source): boolean {
  const texts = [source, ...Object.values(files).filter((content) => typeof content === 'string')];
  return !texts.some((text) => clock.test(text));
}

export type Compiled = {
  readonly step: StepResult;
  /** Null where it failed, or nothing was to be made. */
  readonly program: Buffer | null;
};

/** A folder with a file for each entry, whole or absent, so processes may share it. The least recently used goes first. */
export type CompileCache = {
  get(key: string): Promise<Compiled | null>;
  /** Where there is no room or no right to write, nothing is kept. */
  put(key: string, compiled: Compiled): Promise<void>;
};

const [blockBytes, digestLength] = [4096, 64];
/** After a pruning there is room for a while. */
const share = 0.9;
/** The age of a file whose process was killed while it wrote. */
const staleDraftMs = 600_000;

export function openCompileCache(folder: string, maxBytes = 256 * 2 ** 20): CompileCache {
  return {
    async get(key) {
      const path = join(folder, key);
      const bytes = await readFile(path).catch(() => null);
      if (bytes === null) return null;
      const compiled = decode(bytes);
      const now = new Date();
      await (compiled === null ? rm(path, { force: true }) : utimes(path, now, now).catch(() => {}));
      return compiled;
    },
    async put(key, compiled) {
      try {
        await write(folder, key, encode(compiled));
        await prune(folder, maxBytes);
      } catch {
        // The next compilation is as slow as this one was; nothing else is lost.
      }
    },
  };
}

/** Parts are told apart by their lengths, so that nothing can pass for something else. */
export function cacheKey(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    hash.update(`${bytes.length}:`).update(bytes);
  }
  return hash.digest('hex');
}

async function write(folder: string, key: string, bytes: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${key}.${randomUUID()}`);
  try {
    await writeFile(draft, bytes, { mode: 0o600 });
    await rename(draft, join(folder, key));
  } finally {
    await rm(draft, { force: true });
  }
}

function encode({ step, program }: Compiled): Buffer {
  const head = Buffer.from(`${JSON.stringify({ step, hasProgram: program !== null })}\n`);
  const content = Buffer.concat([head, program ?? Buffer.alloc(0)]);
  return Buffer.concat([Buffer.from(`${digestOf(content)}\n`), content]);
}

function decode(bytes: Buffer): Compiled | null {
  const content = bytes.subarray(digestLength + 1);
  if (bytes.toString('latin1', 0, digestLength) !== digestOf(content)) return null;
  const end = content.indexOf(10);
  // It is what we wrote, so it has the form that we gave it.
  const head = JSON.parse(content.toString('utf8', 0, end)) as { step: StepResult; hasProgram: boolean };
  return { step: head.step, program: head.hasProgram ? content.subarray(end + 1) : null };
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function prune(folder: string, maxBytes: number): Promise<void> {
  const names = await readdir(folder);
  const found = await Promise.all(names.map((name) => entryOf(folder, name)));
  const entries = found.filter((entry) => entry !== null);
  let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const isFull = bytes > maxBytes;
  for (const entry of entries.toSorted((a, b) => a.usedAtMs - b.usedAtMs)) {
    const isStale = entry.isDraft && Date.now() - entry.usedAtMs > staleDraftMs;
    if (!isStale && (!isFull || bytes <= maxBytes * share)) continue;
    await rm(entry.path, { force: true });
    bytes -= entry.bytes;
  }
}

/** Null where another process removed it at the same moment. */
async function entryOf(folder: string, name: string) {
  const path = join(folder, name);
  const info = await stat(path).catch(() => null);
  const bytes = Math.ceil((info?.size ?? 0) / blockBytes) * blockBytes;
  return info && { path, bytes, usedAtMs: info.mtimeMs, isDraft: name.includes('.') };
}
