/**
 * What a container is and may: the one description that an engine gets of it. Pure. The runner is its process 1, a
 * tmpfs of limited size its one writable place. That is mounted at /dev/shm, because an engine mounts something
 * writable there in any case; the image's links lead from /scratch, /box and /tmp into it.
 */
import type { ContainerCreateOptions } from 'dockerode';
import type { ExecLimits } from '../../core/sandbox.ts';
import { environment } from '../arguments.ts';
import { runnerInside } from '../layout.ts';

export type ContainerPlan = {
  readonly name: string;
  readonly image: string;
  readonly uid: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly mounts: readonly { readonly source: string; readonly target: string }[];
  readonly limits: ExecLimits;
  /** Of the tmpfs: what programs may write and what we bring. */
  readonly scratchBytes: number;
  /** What the runner itself needs: it holds files and outputs in its memory. */
  readonly runnerBytes: number;
  /** Profile for the filter of system calls as the engine wants it: the text, or for podman a file. */
  readonly seccomp: string;
  readonly kind: 'docker' | 'podman';
};

export const scratchInContainer = '/dev/shm';
/** The runner itself. */
const runnerProcesses = 1;
/** What the runner opens for itself. */
const runnerOpenFiles = 64;

/** What programs have no business with; most of it is hidden by default, but a list of ours replaces the default. */
const masked = [
  ...[
    'acpi',
    'asound',
    'interrupts',
    'kallsyms',
    'kcore',
    'keys',
    'latency_stats',
    'sched_debug',
    'scsi',
  ].map((name) => `/proc/${name}`),
  ...['timer_list', 'timer_stats', 'vmallocinfo'].map((name) => `/proc/${name}`),
  // All of /sys but the control groups, where the runner reads what its container used.
  ...['block', 'bus', 'class', 'dev', 'devices', 'firmware', 'hypervisor', 'kernel', 'module', 'power'].map(
    (name) => `/sys/${name}`,
  ),
  // The host's own, which the engine brings in; and a file system that needs no place on a disk.
  ...['/etc/resolv.conf', '/etc/hosts', '/etc/hostname', '/dev/mqueue'],
];

/** What an engine can change on a container that runs. */
export type ChangeableOptions = {
  readonly Memory: number;
  readonly MemorySwap: number;
  readonly PidsLimit: number;
};

export function changeableOptions(plan: Omit<ContainerPlan, 'name' | 'uid'>): ChangeableOptions {
  const { limits, scratchBytes, runnerBytes } = plan;
  const memory = limits.memoryBytes + scratchBytes + runnerBytes;
  // Memory and swap together: no swap.
  return { Memory: memory, MemorySwap: memory, PidsLimit: limits.processes + runnerProcesses };
}

/** What is settled when a container is made, whoever it is. */
export function fixedOptions(plan: Omit<ContainerPlan, 'name' | 'uid'>): ContainerCreateOptions {
  const { HostConfig: host, ...options } = containerOptions({ ...plan, name: '', uid: 0 });
  const { Memory: _memory, MemorySwap: _swap, PidsLimit: _processes, ...fixed } = host ?? {};
  return { ...options, HostConfig: fixed };
}

export function containerOptions(plan: ContainerPlan): ContainerCreateOptions {
  const { limits, uid } = plan;
  return {
    name: plan.name,
    Image: plan.image,
    Entrypoint: [runnerInside],
    Cmd: [],
    User: `${uid}:${uid}`,
    WorkingDir: scratchInContainer,
    Hostname: 'sandbox',
    Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    Labels: { ...plan.labels },
    Tty: false,
    OpenStdin: true,
    // When Polya goes, whichever way, its connection ends, and the end of stdin ends the runner.
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    NetworkDisabled: true,
    HostConfig: {
      NetworkMode: 'none',
      // Podman would then make writable folders of its own, beside the one that we limit; root owns all others.
      ReadonlyRootfs: plan.kind === 'docker',
      CapDrop: ['ALL'],
      Privileged: false,
      IpcMode: 'private',
      SecurityOpt: securityOptions(plan),
      MaskedPaths: masked,
      ...changeableOptions(plan),
      MemorySwappiness: 0,
      Ulimits: ulimits(limits),
      Tmpfs: { [scratchInContainer]: tmpfsOptions(plan) },
      Mounts: plan.mounts.map(({ source, target }) => ({
        Type: 'bind',
        Source: source,
        Target: target,
        ReadOnly: true,
      })),
      // What goes through the runner's stdout is a protocol: nobody shall keep a copy.
      LogConfig: { Type: 'none', Config: {} },
      RestartPolicy: { Name: 'no' },
      AutoRemove: false,
      Init: false,
    },
  };
}

/** The runner sets it back between two programs, so it must be its own; the engines have different words for that. */
function tmpfsOptions({ kind, uid, scratchBytes }: ContainerPlan): string {
  const owner = kind === 'podman' ? 'U' : `uid=${uid},gid=${uid}`;
  return `rw,exec,nosuid,nodev,mode=755,size=${scratchBytes},${owner}`;
}

function securityOptions({ kind, seccomp }: ContainerPlan): readonly string[] {
  const own = kind === 'podman' ? [`mask=${masked.join(':')}`] : [];
  return ['no-new-privileges', `seccomp=${seccomp}`, ...own];
}

/**
 * Hard ones for the whole container; the runner sets each program's own below. So they may be wider, and users with
 * other limits find the same container fit. None on CPU time: it would count the runner's, which lives on, and the
 * runner limits that of each program.
 */
function ulimits({ processes, openFiles }: ExecLimits) {
  const both = (name: string, value: number) => ({ Name: name, Soft: value, Hard: value });
  return [
    both('nofile', ceiling(openFiles + runnerOpenFiles)),
    both('nproc', ceiling(processes + runnerProcesses + 1)),
    both('core', 0),
    both('msgqueue', 0),
    both('memlock', 0),
  ];
}

function ceiling(count: number): number {
  return Math.max(256, 2 ** Math.ceil(Math.log2(count)));
}
