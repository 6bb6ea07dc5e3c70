/** For people: what it means where a limit is kept by something weaker than the kernel's own account. Pure. */
import type { SandboxInfo } from '../core/sandbox.ts';

type Enforcement = SandboxInfo['enforcement'];

/** Where these words begin the means of a limit, nobody but the runner counts. */
export const processTable = 'process table';
const scope = 'systemd-run --user --scope -p Delegate=yes polya …';

/** Empty where the kernel counts everything. */
export function limitNotes({
  enforcement,
  backend,
}: Pick<SandboxInfo, 'enforcement' | 'backend'>): readonly string[] {
  const { memoryBytes, cpuMs, processes, diskBytes } = enforcement;
  const notes = [
    isSampled(memoryBytes) &&
      'Memory is read from the process table every 10 ms: a fast program can exceed the limit for a moment, and buffers of pipes and of a few sockets are not counted.',
    isSampled(cpuMs) &&
      'CPU time is read from the process table every 10 ms. A program that hides what its children used is charged the most that it can have been, and its time is shown as `at most`.',
    !processes.includes('cgroup') &&
      'Processes are limited for their user: a program that failed when it was seen at its limit counts as one that lacked processes.',
    !diskBytes.includes('tmpfs') &&
      'Disk is counted in the folder of the program only, and nothing else limits it.',
  ].filter((note) => note !== false);
  const isWeak = isSampled(memoryBytes) || isSampled(cpuMs) || !processes.includes('cgroup');
  if (!isWeak || backend !== 'bubblewrap') return notes;
  return [
    ...notes,
    `Control groups would count exactly. With systemd, an ordinary user gets them by \`${scope}\`.`,
  ];
}

export function isSampled(means: Enforcement[keyof Enforcement]): boolean {
  return means.startsWith(processTable);
}
