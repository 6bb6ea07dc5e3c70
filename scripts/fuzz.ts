/**
 * Feeds the readers of what others wrote with seeded inputs: `npm run fuzz -- [COUNT] [SEED]`, by default a million. What a
 * reader fails on is kept in `test/hostile/corpus`, where the suite and later runs begin. A thread for each processor; one
 * that a text holds up for minutes is ended, and goes on behind that text.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
  corpus,
  corpusFolder,
  type Failure,
  failureOn,
  inputOf,
  readersOf,
} from '../test/hostile/fuzzing.ts';

type Part = { readonly seed: string; readonly from: number; readonly to: number; readonly step: number };
type Told = { readonly number: number; readonly failure: Failure | null };

const tellEvery = 1_000;
const mostSilenceMs = 120_000;

if (isMainThread) await whole();
else read(workerData);

async function whole(): Promise<void> {
  const [count = '1000000', seed = 'fuzz'] = process.argv.slice(2);
  const to = Number(count);
  const kept = corpus();
  const step = availableParallelism();
  const began = performance.now();
  let [done, failures] = [0, 0];
  const fail = (text: string, from: string, failure: Failure) => {
    failures += 1;
    const { reader, why } = failureOn(text, [failure.reader]) ?? failure;
    const file = join(corpusFolder, `${createHash('sha256').update(text).digest('hex').slice(0, 12)}.txt`);
    writeFileSync(file, text);
    console.log(`${reader}, ${from}, kept as ${file}\n${why}\n`);
  };
  const tell = () => {
    const aSecond = Math.round((done * 1_000) / (performance.now() - began));
    console.log(`${done} inputs, ${aSecond} a second, ${failures} failures`);
  };
  /** Resolves with the number of the input that held a thread up, or null at the end. */
  const part = (from: number) =>
    new Promise<number | null>((resolve, reject) => {
      const worker = new Worker(import.meta.filename, {
        workerData: { seed, from, to, step } satisfies Part,
      });
      let at = from;
      const end = () => void worker.terminate().then(() => resolve(at));
      let silence = setTimeout(end, mostSilenceMs);
      worker.on('message', ({ number, failure }: Told) => {
        clearTimeout(silence);
        silence = setTimeout(end, mostSilenceMs);
        at = number + step;
        done += 1;
        if (failure !== null) fail(inputOf(seed, number, kept), `${seed} ${number}`, failure);
        if (done % (20 * tellEvery) === 0) tell();
      });
      worker.once('error', reject);
      worker.once('exit', () => {
        clearTimeout(silence);
        if (at >= to) resolve(null);
      });
    });
  for (const text of kept) {
    const failure = failureOn(text);
    if (failure !== null) fail(text, 'what failed once', failure);
  }
  await Promise.all(
    Array.from({ length: step }, async (_, first) => {
      for (let from: number | null = first; from !== null && from < to; ) {
        from = await part(from);
        if (from === null) break;
        fail(inputOf(seed, from, kept), `${seed} ${from}`, {
          reader: 'one of them',
          why: 'It does not end.',
        });
        from += step;
      }
    }),
  );
  tell();
  process.exitCode = failures > 0 ? 1 : 0;
}

function read({ seed, from, to, step }: Part): void {
  // Readers try and fail a hundred times a text; the stack of a failure is taken where it is told.
  Error.stackTraceLimit = 0;
  const kept = corpus();
  for (let number = from; number < to; number += step) {
    const failure = failureOn(inputOf(seed, number, kept), readersOf(number));
    parentPort?.postMessage({ number, failure } satisfies Told);
  }
}
