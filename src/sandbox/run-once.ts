/** One job in a cell of its own, which is gone when the result is there; in a second one where the first was lost. */
import type { Backend, Finished, Job, Mount } from './backend.ts';
import { onceMore } from './once-more.ts';
import { emptyFinished } from './report.ts';
import { roomFor } from './request.ts';

export async function runOnce(
  backend: Pick<Backend, 'openCell'>,
  { job, mounts }: { readonly job: Job; readonly mounts: readonly Mount[] },
  signal: AbortSignal,
): Promise<Finished> {
  return onceMore(async () => {
    if (signal.aborted) return emptyFinished('cancelled');
    const cell = await backend.openCell({ limits: job.limits, mounts, kept: [], roomBytes: jobRoom(job) });
    try {
      return await cell.run(job, signal);
    } finally {
      await cell.close();
    }
  });
}

/** Room on the disk for what a job brings. */
export function jobRoom({ files, stdin }: Job): number {
  return roomFor([...files.map(({ bytes }) => bytes), ...(stdin === null ? [] : [stdin])]);
}
