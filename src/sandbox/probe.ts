/**
 * Finds out by trying what this machine can do: the strongest limits that work, and the toolchains that answer
 * from inside a sandbox. What merely lies on the disk proves nothing.
 */
import { UnavailableError } from '../core/errors.ts';
import type { ExecLimits, LanguageId } from '../core/sandbox.ts';
import { sweepCgroups } from './cgroup.ts';
import { cgroupPlans } from './cgroup-plan.ts';
import { type Language, languages } from './languages.ts';
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

/** A compiler or interpreter that answered, and what it called itself. */
export type Tool = { readonly path: string; readonly version: string };

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

export async function probeTools(machine: Machine): Promise<ReadonlyMap<LanguageId, Tool>> {
  const found = await Promise.all(Object.values(languages).map((language) => probeTool(machine, language)));
  return new Map(found.flat());
}

async function probeTool(machine: Machine, language: Language): Promise<[LanguageId, Tool][]> {
  for (const path of language.candidates) {
    try {
      const { step } = await launch(machine, trial([path, '--version']), never);
      const version = step.verdict === 'ok' ? language.version(step.stdout.text) : null;
      if (version !== null) return [[language.id, { path, version }]];
    } catch (error) {
      // What does not exist there cannot be started; the next candidate may.
      if (!(error instanceof UnavailableError)) throw error;
    }
  }
  return [];
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
