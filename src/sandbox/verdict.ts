/** What the host makes of the runner's verdict: a runtime that ended itself for memory, and what the verdict rests on. */
import type { ExecLimits, SandboxInfo, StepResult, StepVerdict } from '../core/sandbox.ts';
import type { Backend, Finished } from './backend.ts';
import type { Tool } from './languages/language.ts';

type VerdictContext = {
  readonly backend: Pick<Backend, 'enforcement'>;
  readonly tool: Pick<Tool, 'ranOutOfMemory'>;
  readonly limits: ExecLimits;
};

/** A heap can be full of reservations: the last array that did not fit was never held. */
const leastShareHeld = 1 / 2;

export function judgeStep({ backend, tool, limits }: VerdictContext, { step }: Finished): StepResult {
  const isHeld = step.peakMemoryBytes >= limits.memoryBytes * leastShareHeld;
  if (isHeld && tool.ranOutOfMemory?.(step)) {
    const decidedBy = 'the message of its runtime, and at least half of the limit held';
    return { ...step, verdict: 'memory', decidedBy };
  }
  const decidedBy = weakEnforcementNote(backend, step);
  return decidedBy === null ? step : { ...step, decidedBy };
}

const measuredLimits: Readonly<Partial<Record<StepVerdict, keyof ExecLimits>>> = {
  cpu: 'cpuMs',
  memory: 'memoryBytes',
  processes: 'processes',
};

/** Null where the kernel itself counted. */
function weakEnforcementNote({ enforcement }: VerdictContext['backend'], step: StepResult): string | null {
  const limit = measuredLimits[step.verdict];
  if (limit === undefined) return null;
  if (limit === 'cpuMs' && step.cpuIsUpperBound) return 'an upper bound: it hid what its children used';
  if (limit === 'memoryBytes' && step.memoryIsUpperBound)
    return 'an upper bound: it forbade to read its memory';
  // Of processes the kernel counts refusals in a control group only.
  const isWeak =
    limit === 'processes' ? !enforcement[limit].includes('cgroup') : isSampledLimit(enforcement[limit]);
  return isWeak ? `samples of the ${processTable}` : null;
}

type Enforcement = SandboxInfo['enforcement'];

/** Where these words begin the means of a limit, nobody but the runner counts. */
const processTable = 'process table';
const scope = 'systemd-run --user --scope -p Delegate=yes polya …';

/** Empty where the kernel counts everything. */
export function limitNotes({
  enforcement,
  backend,
}: Pick<SandboxInfo, 'enforcement' | 'backend'>): readonly string[] {
  const { memoryBytes, cpuMs, processes, diskBytes } = enforcement;
  const notes = [
    isSampledLimit(memoryBytes) &&
      'Memory is read from the process table every 10 ms: a fast program can exceed the limit for a moment, and buffers of pipes and of a few sockets are not counted.',
    isSampledLimit(cpuMs) &&
      'CPU time is read from the process table every 10 ms. A program that hides what its children used is charged the most that it can have been, and its time is shown as `at most`.',
    !processes.includes('cgroup') &&
      'Processes are limited for their user: a program that failed when it was seen at its limit counts as one that lacked processes.',
    !diskBytes.includes('tmpfs') &&
      'Disk is counted in the folder of the program only, and nothing else limits it.',
  ].filter((note) => note !== false);
  const isWeak = isSampledLimit(memoryBytes) || isSampledLimit(cpuMs) || !processes.includes('cgroup');
  if (!isWeak || backend !== 'bubblewrap') return notes;
  return [
    ...notes,
    `Control groups would count exactly. With systemd, an ordinary user gets them by \`${scope}\`.`,
  ];
}

export function isSampledLimit(means: Enforcement[keyof Enforcement]): boolean {
  return means.startsWith(processTable);
}
