/** The bubblewrap back-end: tries what this machine can enforce, and opens cells in unprivileged namespaces. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import type { UnavailableError } from '../core/errors.ts';
import type { ExecLimits, Sandbox } from '../core/sandbox.ts';
import { type Backend, type Cell, CellLostError, type CellSpec } from './backend.ts';
import { type Connection, lastWords, RunnerCell } from './cell.ts';
import { type Cgroup, cgroupPlans, createCgroup } from './cgroup.ts';
import { hostFileState } from './host.ts';
import { cellName, findOtherVersions, removeAll, sweepLeftovers } from './leftovers.ts';
import {
  bubblewrapArguments,
  defaultStagingParents,
  findMachine,
  type Machine,
  noSandbox,
  unavailable,
} from './machine.ts';
import { scratchBytes } from './protocol.ts';
import { verifyBackend } from './run-once.ts';
import { createSandbox } from './sandbox.ts';
import { acquireSlot } from './slots.ts';

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
  return createSandbox({ openBackend: () => openBubblewrap(options), limits, compileLimits });
}

/** Throws `UnavailableError` where nothing can be run safely. */
export async function openBubblewrap(options: BubblewrapOptions = {}): Promise<Backend> {
  const machine = await findMachine(options.stagingParents ?? defaultStagingParents());
  sweepLeftovers(machine.staging, machine.isRoot);
  for (const cgroupPlan of (options.useCgroups ?? true) ? cgroupPlans() : []) {
    try {
      return await verifyBackend(backendOn({ ...machine, cgroups: cgroupPlan }));
    } catch {
      // Not allowed here, or it does not work; the next means may.
    }
  }
  return verifyBackend(backendOn(machine));
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
  const group = `cgroup ${cgroups?.version}`;
  const readsCpu = cgroups?.readings.some(({ name }) => name === 'cgroupCpu');
  return {
    wallMs: 'runner',
    cpuMs: `${readsCpu ? group : 'process table'}, rlimit`,
    memoryBytes: cgroups?.memory ? group : 'process table',
    processes: cgroups?.pids ? `${group}, rlimit` : 'rlimit',
    openFiles: 'rlimit',
    fileBytes: 'rlimit',
    diskBytes: 'tmpfs',
    outputBytes: 'runner',
  };
}

const startHint =
  'bubblewrap is installed but does not work here: namespaces may be forbidden, as in most containers, or on Ubuntu by `kernel.apparmor_restrict_unprivileged_userns`. `polya doctor` tries again.';
/** Numbers of open files in bubblewrap and in the runner, behind stdin, stdout and stderr. */
const [filterFd, statusFd, firstCgroupFd] = [3, 4, 5];

export async function openBubblewrapCell(machine: Machine, spec: CellSpec): Promise<Cell> {
  const slot = machine.isRoot ? await acquireSlot(machine.staging.slotsFolder) : null;
  let cgroup: Cgroup | null = null;
  const release = async () => {
    cgroup?.closeFiles();
    await cgroup?.remove();
    slot?.release();
  };
  try {
    cgroup = machine.cgroups && createCgroup(machine.cgroups, spec);
    const files = cgroup?.files ?? [];
    const openFiles = files.map(({ name }, index) => ({ name, fd: firstCgroupFd + index }));
    const fds = files.map(({ fd }) => fd);
    const child = start(machine, spec, { uid: slot?.uid, fds });
    cgroup?.closeFiles();
    return new RunnerCell(connectionTo(child, release), { openFiles, kept: spec.kept });
  } catch (error) {
    await release();
    throw error;
  }
}

type LaunchInput = { readonly uid: number | undefined; readonly fds: readonly number[] };

function start(machine: Machine, spec: CellSpec, { uid, fds }: LaunchInput): ChildProcess {
  const { systemFolders, staging, bwrap } = machine;
  const { runner, passwd } = staging;
  const { mounts } = spec;
  const size = scratchBytes(spec.limits, spec.roomBytes);
  const view = { runner, passwd, systemFolders, mounts, filterFd, statusFd, scratchBytes: size };
  // Opened each time: bubblewrap reads it to the end, and copies of an open file share where they are.
  const filter = openSync(staging.filter, 'r');
  try {
    return spawn(bwrap, bubblewrapArguments(view), {
      stdio: ['pipe', 'pipe', 'pipe', filter, 'pipe', ...fds],
      env: {},
      cwd: '/',
      argv0: cellName(),
      // In a session of its own, so that a Ctrl-C goes to Polya alone, which then cancels in good order.
      detached: true,
      uid,
      gid: uid,
    });
  } catch (error) {
    // Node throws what it takes for a programming error, such as a user that this container does not know.
    throw startError(error);
  } finally {
    closeSync(filter);
  }
}

function connectionTo(child: ChildProcess, release: () => Promise<void>): Connection {
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('A child whose pipes were asked for has none.');
  const [describeIssue, status] = [lastWords(child.stderr), lastWords(child.stdio[statusFd])];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.on('error', (error) => reject(startError(error)));
  child.on('close', () => resolve());
  return {
    input: stdin,
    output: stdout,
    kill: () => killSandbox(child, status()),
    ended: promise.finally(release),
    explain: (why) => explainStartFailure(why, describeIssue(), status()),
  };
}

function startError(error: unknown): UnavailableError {
  const why = error instanceof Error ? error.message : String(error);
  return unavailable(`bubblewrap cannot be started: ${why}.`, startHint);
}

/** Process 1 of the sandbox takes all others with it, and bubblewrap waits for that; so it is the better target. */
function killSandbox(child: ChildProcess, status: string): void {
  const [, pid] = /"child-pid": (\d+)/.exec(status) ?? [];
  try {
    if (pid === undefined) child.kill('SIGKILL');
    else process.kill(Number(pid), 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}

function explainStartFailure(why: string | null, issue: string, status: string): UnavailableError {
  if (why !== null) return unavailable(`The program could not be started in it: ${why}.`);
  if (issue.trim() !== '') return unavailable(issue.trim(), startHint);
  // The other words of its status are numbers of namespaces.
  const [, code] = /"exit-code": (\d+)/.exec(status) ?? [];
  return new CellLostError({
    code: 'cell-lost',
    what: noSandbox,
    why: `The runner inside was killed from outside${code === undefined ? '' : ` (exit code ${code})`}.`,
    fix: 'Try again. If it happens again, look into the kernel’s log: the machine may be out of memory.',
  });
}
