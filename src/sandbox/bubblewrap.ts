/**
 * The bubblewrap back-end: finds out by trying what this machine can do, takes the strongest limits that work, and
 * opens cells in unprivileged namespaces. Nothing of it runs as the host's root.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { UnavailableError } from '../core/errors.ts';
import type { ExecLimits, Sandbox } from '../core/sandbox.ts';
import { bubblewrapArguments } from './arguments.ts';
import { type Backend, type Cell, CellLost, type CellSpec } from './backend.ts';
import { type Connection, runnerCell } from './cell.ts';
import { type Cgroup, createCgroup } from './cgroup.ts';
import { cgroupPlans } from './cgroup-plan.ts';
import { hostFileState } from './host.ts';
import { cellName, findOtherVersions, removeAll, sweepLeftovers } from './leftovers.ts';
import { defaultRunLimits } from './limits.ts';
import { defaultStagingParents, findMachine, type Machine, noSandbox, unavailable } from './machine.ts';
import { scratchBytes } from './request.ts';
import { runOnce } from './run-once.ts';
import { createSandbox } from './sandbox.ts';
import { acquireSlot, type Slot } from './slots.ts';

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

const startHint =
  'bubblewrap is installed but does not work here: namespaces may be forbidden, as in most containers, or on Ubuntu by `kernel.apparmor_restrict_unprivileged_userns`. `polya doctor` tries again.';
/** Numbers of open files in bubblewrap and in the runner, behind stdin, stdout and stderr. */
const [filterFd, statusFd, firstCgroupFd] = [3, 4, 5];

/** What a cell holds of the machine. */
type Holdings = { readonly slot: Slot | null; readonly cgroup: Cgroup | null };

export async function openBubblewrapCell(machine: Machine, spec: CellSpec): Promise<Cell> {
  const slot = machine.isRoot ? await acquireSlot(machine.staging.slotsFolder) : null;
  let holdings: Holdings = { slot, cgroup: null };
  try {
    const cgroup = machine.cgroups && createCgroup(machine.cgroups, spec);
    holdings = { slot, cgroup };
    const child = start(machine, spec, holdings);
    const openFiles = (cgroup?.files ?? []).map(({ name }, index) => ({ name, fd: firstCgroupFd + index }));
    cgroup?.closeFiles();
    return runnerCell(connectionTo(child, holdings), { openFiles, kept: spec.kept });
  } catch (error) {
    await release(holdings);
    throw error;
  }
}

async function release({ slot, cgroup }: Holdings): Promise<void> {
  cgroup?.closeFiles();
  await cgroup?.remove();
  slot?.release();
}

type Piped = ChildProcess & {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
};

function start(machine: Machine, spec: CellSpec, { slot, cgroup }: Holdings): ChildProcess {
  const { systemFolders, staging, bwrap } = machine;
  const { runner, passwd } = staging;
  const { mounts } = spec;
  const size = scratchBytes(spec.limits, spec.roomBytes);
  const view = { runner, passwd, systemFolders, mounts, filterFd, statusFd, scratchBytes: size };
  // Opened each time: bubblewrap reads it to the end, and copies of an open file share where they are.
  const filter = openSync(staging.filter, 'r');
  try {
    return spawn(bwrap, bubblewrapArguments(view), {
      stdio: ['pipe', 'pipe', 'pipe', filter, 'pipe', ...(cgroup?.files ?? []).map(({ fd }) => fd)],
      env: {},
      cwd: '/',
      argv0: cellName(),
      // In a session of its own, so that a Ctrl-C goes to Polya alone, which then cancels in good order.
      detached: true,
      ...(slot ? { uid: slot.uid, gid: slot.uid } : {}),
    });
  } catch (error) {
    // Node throws what it takes for a programming error, such as a user that this container does not know.
    throw cannotStart(error);
  } finally {
    closeSync(filter);
  }
}

function connectionTo(child: ChildProcess, holdings: Holdings): Connection {
  if (!isPiped(child)) throw new Error('A child whose pipes were asked for has none.');
  const [complaint, status] = [child.stderr, child.stdio[statusFd]].map(collect);
  return {
    input: child.stdin,
    output: child.stdout,
    kill: () => killSandbox(child, text(status)),
    ended: ended(child).finally(() => release(holdings)),
    explain: (why) => explain({ why, complaint: text(complaint), status: text(status) }),
  };
}

function isPiped(child: ChildProcess): child is Piped {
  return child.stdin !== null && child.stdout !== null && child.stderr !== null;
}

function collect(stream: unknown): Buffer[] {
  const chunks: Buffer[] = [];
  if (isReadable(stream)) stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => {});
  return chunks;
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === 'object' && stream !== null && 'on' in stream;
}

function text(chunks: readonly Buffer[] | undefined): string {
  return Buffer.concat(chunks ?? []).toString('utf8');
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(cannotStart(error)));
    child.on('close', () => resolve());
  });
}

function cannotStart(error: unknown): UnavailableError {
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

type Word = { readonly why: string | null; readonly complaint: string; readonly status: string };

function explain({ why, complaint, status }: Word): UnavailableError {
  if (why !== null) return unavailable(`The program could not be started in it: ${why}.`);
  if (complaint.trim() !== '') return unavailable(complaint.trim(), startHint);
  // The other words of its status are numbers of namespaces.
  const [, code] = /"exit-code": (\d+)/.exec(status) ?? [];
  return new CellLost({
    code: 'cell-lost',
    what: noSandbox,
    why: `The runner inside was killed from outside${code === undefined ? '' : ` (exit code ${code})`}.`,
    fix: 'Try again. If it happens again, look into the kernel’s log: the machine may be out of memory.',
  });
}
