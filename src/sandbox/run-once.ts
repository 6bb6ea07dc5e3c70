/** Runs one job in a cell of its own, and once more if that cell was ended from outside: it changed nothing outside. */
import { type Backend, CellLostError, type Finished, type Job, type Mount } from './backend.ts';
import { defaultRunLimits } from './limits.ts';
import { emptyFinished, spaceFor } from './protocol.ts';

const never = new AbortController().signal;

export async function runOnce(
  backend: Pick<Backend, 'openCell'>,
  { job, mounts = [] }: { readonly job: Job; readonly mounts?: readonly Mount[] },
  signal: AbortSignal = never,
): Promise<Finished> {
  return onceMore(async () => {
    if (signal.aborted) return emptyFinished('cancelled');
    const cell = await backend.openCell({ limits: job.limits, mounts, kept: [], roomBytes: jobBytes(job) });
    try {
      return await cell.run(job, signal);
    } finally {
      await cell.close();
    }
  });
}

/** The back-end, when a program has run in it. Throws where none can. */
export async function verifyBackend<B extends Backend>(backend: B): Promise<B> {
  await runOnce(backend, { job: { command: ['/bin/sh', '-c', 'exit 0'], limits: defaultRunLimits } });
  return backend;
}

/** Room on the disk for what a job brings. */
export function jobBytes({ files = [], stdin }: Job): number {
  return spaceFor([...files.map(({ bytes }) => bytes), ...(stdin ? [stdin] : [])]);
}

/** `run` opens a cell of its own each time. */
export async function onceMore<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof CellLostError)) throw error;
  }
  try {
    return await run();
  } catch (error) {
    throw error instanceof CellLostError ? error.again() : error;
  }
}
