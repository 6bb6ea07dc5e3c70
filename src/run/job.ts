/** How a run is started, resumed or forked, as plain data that can be sent to another process. It holds no key. */
import { type ForkSpec, forkRun } from './fork.ts';
import type { RunHandle } from './live.ts';
import { type ResumeChanges, resumeRun } from './resume.ts';
import { beginRun, type PreparedRun, prepareRun, type RunSpec } from './start.ts';
import type { Observer, Runtime } from './world.ts';

export type RunJob =
  | { readonly how: 'start'; readonly spec: RunSpec }
  | ({ readonly how: 'resume'; readonly run: string } & ResumeChanges)
  | { readonly how: 'fork'; readonly parent: string; readonly spec: ForkSpec };

/** `prepared`: a new run that this process has checked already. */
export async function startJob(
  runtime: Runtime,
  job: RunJob,
  observer: Observer = {},
  prepared?: PreparedRun,
): Promise<RunHandle> {
  if (job.how === 'start')
    return beginRun(runtime, prepared ?? (await prepareRun(runtime, job.spec)), observer);
  if (job.how === 'fork') return forkRun(runtime, job.parent, job.spec, observer);
  return resumeRun(runtime, job.run, observer, job);
}
