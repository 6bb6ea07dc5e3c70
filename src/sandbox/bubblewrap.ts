/**
 * The bubblewrap back-end: finds out by trying what this machine can do, takes the strongest limits that work, and
 * opens cells in unprivileged namespaces. Nothing of it runs as the host's root.
 */
import { existsSync } from 'node:fs';
import type { ExecLimits, Sandbox } from '../core/sandbox.ts';
import type { Backend } from './backend.ts';
import { openBubblewrapCell } from './bubblewrap-cell.ts';
import { cgroupPlans } from './cgroup-plan.ts';
import { hostFileState } from './host.ts';
import { findOtherVersions, removeAll, sweepLeftovers } from './leftovers.ts';
import { defaultRunLimits } from './limits.ts';
import { defaultStagingParents, findMachine, type Machine } from './machine.ts';
import { runOnce } from './run-once.ts';
import { createSandbox } from './sandbox.ts';

export type BubblewrapOptions = {
  readonly limits?: Partial<ExecLimits>;
  readonly compileLimits?: Partial<ExecLimits>;
  /** Where the staging folder may be made, in order of preference; default: $TMPDIR, /tmp, /var/tmp. */
  readonly stagingParents?: readonly string[];
  /** False leaves control groups alone: tests hold the other means to the same promises. */
  readonly useCgroups?: boolean;
};

export function bubblewrapSandbox(options: BubblewrapOptions = {}): Sandbox {
  const { limits, compileLimits } = options;
  return createSandbox({
    openBackend: () => openBubblewrap(options),
    ...(limits && { limits }),
    ...(compileLimits && { compileLimits }),
  });
}

/** Throws `UnavailableError` where nothing can be run safely. */
export async function openBubblewrap(options: BubblewrapOptions = {}): Promise<Backend> {
  const machine = await findMachine(options.stagingParents ?? defaultStagingParents());
  sweepLeftovers(machine.staging, machine.isRoot);
  for (const cgroups of (options.useCgroups ?? true) ? cgroupPlans() : []) {
    try {
      return await tried({ ...machine, cgroups });
    } catch {
      // Not allowed here, or it does not work; the next means may.
    }
  }
  return tried(machine);
}

async function tried(machine: Machine): Promise<Backend> {
  const backend = backendOn(machine);
  const command = ['/bin/sh', '-c', 'exit 0'];
  const job = { command, files: [], stdin: null, collectPath: null, limits: defaultRunLimits };
  await runOnce(backend, { job, mounts: [] }, new AbortController().signal);
  return backend;
}

function backendOn(machine: Machine): Backend {
  const { folder, runner, filter, passwd } = machine.staging;
  return {
    name: 'bubblewrap',
    version: machine.version,
    isolation: 'sandbox',
    enforcement: enforcement(machine),
    folder,
    isIntact: () => [runner, filter, passwd].every((path) => existsSync(path)),
    fileState: hostFileState,
    openCell: (spec) => openBubblewrapCell(machine, spec),
    clean: async () => [
      ...sweepLeftovers(machine.staging, machine.isRoot),
      ...removeAll(findOtherVersions(machine.staging)),
    ],
  };
}

/** For people: by which means each limit holds here. */
function enforcement({ cgroups }: Machine): Backend['enforcement'] {
  const group = cgroups && `cgroup ${cgroups.version}`;
  const reads = (name: string) => cgroups?.readings.some((reading) => reading.name === name) === true;
  return {
    wallMs: 'runner',
    cpuMs: `${group !== null && reads('cgroupCpu') ? group : 'process table'}, rlimit`,
    memoryBytes: group !== null && cgroups?.memory !== null ? group : 'process table',
    processes: group !== null && cgroups?.pids !== null ? `${group}, rlimit` : 'rlimit',
    openFiles: 'rlimit',
    fileBytes: 'rlimit',
    diskBytes: 'tmpfs',
    outputBytes: 'runner',
  };
}
