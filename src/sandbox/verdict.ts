/** What the host makes of the runner's verdict: a runtime that ended itself for memory, and what the verdict rests on. */
// The runner's verdict is measured. What a program prints, and how it ends, is its own choice and decides nothing alone.
import type { ExecLimits, StepResult, StepVerdict } from '../core/sandbox.ts';
import type { Backend, Finished } from './backend.ts';
import type { Tool } from './languages/language.ts';
import { isSampled, processTable } from './limit-notes.ts';

type Circumstances = {
  readonly backend: Pick<Backend, 'enforcement'>;
  readonly tool: Pick<Tool, 'ranOutOfMemory'>;
  readonly limits: ExecLimits;
};

/** A heap can be full of reservations: the last array that did not fit was never held. */
const leastShareHeld = 1 / 2;

export function judgeStep({ backend, tool, limits }: Circumstances, { step }: Finished): StepResult {
  const isHeld = step.peakMemoryBytes >= limits.memoryBytes * leastShareHeld;
  if (isHeld && tool.ranOutOfMemory?.(step)) {
    const decidedBy = 'the message of its runtime, and at least half of the limit held';
    return { ...step, verdict: 'memory', decidedBy };
  }
  const decidedBy = weakerMeans(backend, step);
  return decidedBy === null ? step : { ...step, decidedBy };
}

const measuredLimits: Readonly<Partial<Record<StepVerdict, keyof ExecLimits>>> = {
  cpu: 'cpuMs',
  memory: 'memoryBytes',
  processes: 'processes',
};

/** Null where the kernel itself counted. */
function weakerMeans({ enforcement }: Circumstances['backend'], step: StepResult): string | null {
  const limit = measuredLimits[step.verdict];
  if (limit === undefined) return null;
  if (limit === 'cpuMs' && step.cpuIsUpperBound) return 'an upper bound: it hid what its children used';
  // Of processes the kernel counts refusals in a control group only.
  const isWeak =
    limit === 'processes' ? !enforcement[limit].includes('cgroup') : isSampled(enforcement[limit]);
  return isWeak ? `samples of the ${processTable}` : null;
}
