/**
 * Finds out by trying what this machine can do: the strongest limits that work, and the toolchains that answer
 * from inside a sandbox. What merely lies on the disk proves nothing.
 */
import type { ExecLimits, LanguageId } from '../core/sandbox.ts';
import { sweepCgroups } from './cgroup.ts';
import { cgroupPlans } from './cgroup-plan.ts';
import { createHost } from './host.ts';
import type { Tool } from './languages/language.ts';
import { languages } from './languages/languages.ts';
import { launch } from './launch.ts';
import { defaultRunLimits } from './limits.ts';
import { findMachine, type Machine } from './machine.ts';
import type { Job } from './request.ts';
import { sweepSlots } from './slots.ts';

export type ProbeOptions = {
  readonly stagingParents: readonly string[];
  /** False leaves control groups alone: tests hold the other means to the same promises. */
  readonly useCgroups: boolean;
};

const never = new AbortController().signal;

/** Throws `UnavailableError` where nothing can be run safely. */
export async function probeMachine(options: ProbeOptions): Promise<Machine> {
  const machine = await findMachine(options.stagingParents);
  if (machine.isRoot) sweepSlots(machine.staging.slotsFolder);
  for (const cgroups of options.useCgroups ? cgroupPlans() : []) {
    try {
      sweepCgroups(cgroups);
      await launch({ ...machine, cgroups }, trial(['/bin/sh', '-c', 'exit 0']), never);
      return { ...machine, cgroups };
    } catch {
      // Not allowed here, or it does not work; the next means may.
    }
  }
  await launch(machine, trial(['/bin/sh', '-c', 'exit 0']), never);
  return machine;
}

/** What each language found of its own; those without a toolchain are missing. */
export async function probeTools(machine: Machine): Promise<ReadonlyMap<LanguageId, Tool>> {
  const host = createHost(machine);
  const found = await Promise.all(
    Object.values(languages).map(async (language): Promise<[LanguageId, Tool][]> => {
      const tool = await language.find(host);
      return tool === null ? [] : [[language.id, tool]];
    }),
  );
  return new Map(found.flat());
}

function trial(command: readonly string[]): Job {
  return { command, files: [], stdin: null, collectPath: null, limits: defaultRunLimits };
}

/** For people: by which means each limit holds here. */
export function enforcement({ cgroups }: Machine): Readonly<Record<keyof ExecLimits, string>> {
  const group = cgroups && `cgroup ${cgroups.version}`;
  const reads = (name: string) => cgroups?.readings.some((reading) => reading.name === name) === true;
  return {
    wallMs: 'runner',
    cpuMs: `${group !== null && reads('cgroupCpu') ? group : 'process table'}, rlimit`,
    memoryBytes: group !== null && cgroups?.memory !== null ? group : 'process table',
    processes: group !== null && cgroups?.pids !== null ? `${group}, rlimit` : 'rlimit',
    fileBytes: 'rlimit',
    diskBytes: 'tmpfs',
    outputBytes: 'runner',
  };
}
