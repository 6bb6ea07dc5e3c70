/** A cell as a connection to its runner, which enforces the limits. The timers here are for a runner that cannot. */
import { Readable, type Writable } from 'node:stream';
import type { UnavailableError } from '../core/errors.ts';
import { type Cell, CellGoneError, type Finished, type Job } from './backend.ts';
import type { Preamble, Report } from './protocol.ts';
import { decodeReport, emptyFinished, encodeJob, encodePreamble } from './protocol.ts';

export type Connection = {
  /** To the runner. Its end makes the runner end everything inside, itself included. */
  readonly input: Writable;
  readonly output: Readable;
  /** For a runner that does not do so. */
  kill(): void;
  /** Resolves when nothing of the cell is left; rejects where it could not be started. */
  readonly ended: Promise<void>;
  /** True where the cell was lost because it was out of memory, its runner included. */
  wasOutOfMemory?(): boolean;
  /** Why the cell ended without a report. `why` is the runner's own word, if it had one. */
  explain(why: string | null): UnavailableError;
};

/** What a stream has said so far: the words of a runner that did not start. */
export function lastWords(stream: unknown): () => string {
  const chunks: Buffer[] = [];
  if (stream instanceof Readable)
    stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
  return () => Buffer.concat(chunks).toString('utf8');
}

/** Longer than the runner ever takes to end a program and report. */
const graceMs = 2000;
/** For making a cell on a busy machine and clearing away another's files; not counted against the program. */
const preparingMs = 30_000;
const cancelGraceMs = 500;
const smallBytes = 16_384;
/** Longer times end a timer of Node at once. */
const longestTimerMs = 2 ** 31 - 1;

type Interruption = 'wall' | 'cancelled';
type Waiting = {
  readonly job: Job;
  readonly resolve: (finished: Finished) => void;
  readonly reject: (error: unknown) => void;
};

/** Small parts are copied together: each write of its own costs more than that. */
function* joinChunks(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  let small: Uint8Array[] = [];
  for (const part of parts) {
    if (part.length <= smallBytes) {
      small.push(part);
      continue;
    }
    yield Buffer.concat(small);
    yield part;
    small = [];
  }
  yield Buffer.concat(small);
}

export class RunnerCell implements Cell {
  readonly #connection: Connection;
  /** The first of them is the one that runs. */
  readonly #waiting: Waiting[] = [];
  /** Resolves when nothing of the cell is left, for any reason. */
  readonly ended: Promise<void>;
  #preamble: Preamble | null;
  #chunks: Buffer[] = [];
  #received = 0;
  #needed = 1;
  #interruption: Interruption | null = null;
  #overdue: NodeJS.Timeout | undefined;
  #killing: NodeJS.Timeout | undefined;
  #begunAtMs = 0;
  /** Why no job can be run any more. */
  #failure: { readonly error: unknown } | null = null;
  #isOver = false;

  constructor(connection: Connection, preamble: Preamble) {
    this.#connection = connection;
    this.#preamble = preamble;
    // A cell that did not start does not read; what went wrong is told by how it ended.
    connection.input.on('error', () => {});
    connection.output.on('error', () => {});
    connection.output.on('data', (chunk: Buffer) => this.#onData(chunk));
    this.ended = connection.ended.then(
      () => this.#end(null),
      (error: unknown) => this.#end({ error }),
    );
  }

  async run(job: Job, signal: AbortSignal): Promise<Finished> {
    if (signal.aborted || this.#interruption === 'cancelled') return emptyFinished('cancelled');
    if (this.#interruption === 'wall') throw new CellGoneError();
    if (this.#isOver) throw this.#failure?.error ?? this.#connection.explain(null);
    const cancel = () => this.#interrupt('cancelled');
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await this.#enqueue(job);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  async close(): Promise<void> {
    if (this.#waiting.length > 0) this.#interrupt('cancelled');
    else this.#disconnect();
    await this.ended;
  }

  #enqueue(job: Job): Promise<Finished> {
    const { promise, resolve, reject } = Promise.withResolvers<Finished>();
    this.#waiting.push({ job, resolve, reject });
    if (this.#waiting.length === 1) this.#watchFirst();
    this.#send([...(this.#preamble === null ? [] : encodePreamble(this.#preamble)), ...encodeJob(job)]);
    this.#preamble = null;
    return promise;
  }

  #send(parts: readonly Uint8Array[]): void {
    const { input } = this.#connection;
    input.cork();
    for (const part of joinChunks(parts)) input.write(part);
    input.uncork();
  }

  #watchFirst(): void {
    clearTimeout(this.#overdue);
    const [first] = this.#waiting;
    if (first === undefined) return;
    this.#begunAtMs = performance.now();
    const overdueMs = Math.min(preparingMs + first.job.limits.wallMs + graceMs, longestTimerMs);
    // A report may wait behind this timer, where we were busy for as long: it is read first.
    const end = () => this.#waiting[0] === first && this.#interrupt('wall');
    this.#overdue = setTimeout(() => setImmediate(end), overdueMs);
  }

  #onData(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    // A long report is put together once, not with each of its pieces.
    if (this.#received < this.#needed) return;
    let bytes = Buffer.concat(this.#chunks);
    try {
      let next = decodeReport(bytes);
      for (; next.report !== null; next = decodeReport(bytes)) {
        bytes = bytes.subarray(next.length);
        this.#resolveReport(next.report);
      }
      this.#needed = next.length;
    } catch (error) {
      // No report of ours looks so.
      this.#failure ??= { error };
      this.#connection.kill();
      bytes = Buffer.alloc(0);
    }
    this.#chunks = [bytes];
    this.#received = bytes.length;
  }

  #resolveReport(report: Report): void {
    if (report.kind === 'failed') this.#failure ??= { error: this.#connection.explain(report.why) };
    else if (report.kind === 'opened') this.#waiting[0]?.job.onPipesOpen?.();
    else {
      this.#waiting.shift()?.resolve(report.finished);
      this.#watchFirst();
    }
  }

  /** Asks before it kills. */
  #interrupt(why: Interruption): void {
    this.#interruption ??= why;
    this.#disconnect();
    if (why === 'wall') this.#connection.kill();
  }

  #disconnect(): void {
    this.#connection.input.destroy();
    this.#killing ??= setTimeout(() => this.#connection.kill(), cancelGraceMs);
  }

  /** What still waits has no report: it was cut off by us, or by something else. */
  #end(failure: { readonly error: unknown } | null): void {
    this.#isOver = true;
    this.#failure ??= failure;
    clearTimeout(this.#overdue);
    clearTimeout(this.#killing);
    this.#connection.input.destroy();
    const wallMs = performance.now() - this.#begunAtMs;
    const cut = this.#interruption;
    for (const [index, { resolve, reject }] of this.#waiting.splice(0).entries()) {
      const isFirst = index === 0;
      if (cut === 'cancelled') resolve(emptyFinished(cut, isFirst ? wallMs : 0));
      else if (cut === 'wall' && !isFirst) reject(new CellGoneError());
      else if (cut === 'wall') resolve(emptyFinished(cut, wallMs));
      else if (isFirst && this.#connection.wasOutOfMemory?.()) resolve(emptyFinished('memory', wallMs));
      else reject(this.#failure?.error ?? this.#connection.explain(null));
    }
  }
}
