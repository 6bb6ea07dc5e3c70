/** What a container is and may do. Its one writable place is a tmpfs at /dev/shm, where engines mount one in any case. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ContainerCreateOptions } from 'dockerode';
import type { ExecLimits } from '../../core/sandbox.ts';
import type { CellSpec, Mount } from '../backend.ts';
import { runnerInside } from '../layout.ts';
import { environment } from '../machine.ts';
import { isDeadOwner, ownerName } from '../owner.ts';
import { scratchBytes } from '../protocol.ts';
import type { Engine } from './engine.ts';
import masked from './masked-paths.json' with { type: 'json' };

/** What the containers of a back-end have in common. */
export type Site = {
  readonly engine: Engine;
  readonly image: string;
  /** Folders of the host in every container. */
  readonly mounts: readonly Mount[];
  /** Which of a cell's own mounts its container gets: an image brings some of them itself. Throws where it cannot. */
  readonly ownMounts: (mounts: readonly Mount[]) => readonly Mount[];
  readonly seccomp: string;
};

export type SitePlan = {
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly mounts: readonly Mount[];
  readonly limits: ExecLimits;
  /** The size of the tmpfs: for files of programs, and for those that we bring. */
  readonly scratchBytes: number;
  /** What the runner itself needs: it holds files and outputs in its memory. */
  readonly runnerBytes: number;
  /** Profile for the filter of system calls as the engine wants it: the text, or for podman a file. */
  readonly seccomp: string;
  readonly kind: 'docker' | 'podman';
};

export type ContainerPlan = SitePlan & { readonly name: string; readonly uid: number };

export const scratchInContainer = '/dev/shm';
const runnerProcesses = 1;
const runnerOpenFiles = 64;

export function containerOptions(plan: ContainerPlan): ContainerCreateOptions {
  const { name, uid, image, labels, kind, seccomp, mounts, limits, scratchBytes } = plan;
  const isPodman = kind === 'podman';
  const memory = limits.memoryBytes + scratchBytes + plan.runnerBytes;
  // The runner sets it back between two programs, so it must be its own; the engines have different words for that.
  const owner = isPodman ? 'U' : `uid=${uid},gid=${uid}`;
  const security = ['no-new-privileges', `seccomp=${seccomp}`];
  return {
    name,
    Image: image,
    Entrypoint: [runnerInside],
    Cmd: [],
    User: `${uid}:${uid}`,
    WorkingDir: scratchInContainer,
    Hostname: 'sandbox',
    Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
    Labels: { ...labels },
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
      ReadonlyRootfs: !isPodman,
      CapDrop: ['ALL'],
      Privileged: false,
      IpcMode: 'private',
      SecurityOpt: isPodman ? [...security, `mask=${masked.join(':')}`] : security,
      // It replaces the engine's own list. Of /sys, only the control groups stay, which the runner reads.
      MaskedPaths: masked,
      // Memory and swap together: no swap.
      Memory: memory,
      MemorySwap: memory,
      PidsLimit: limits.processes + runnerProcesses,
      MemorySwappiness: 0,
      Ulimits: ulimits(limits),
      Tmpfs: { [scratchInContainer]: `rw,exec,nosuid,nodev,mode=755,size=${scratchBytes},${owner}` },
      Mounts: mounts.map(({ source: Source, target: Target }) => ({
        Type: 'bind',
        Source,
        Target,
        ReadOnly: true,
      })),
      // The runner's stdout carries a protocol, which belongs in no log.
      LogConfig: { Type: 'none', Config: {} },
      RestartPolicy: { Name: 'no' },
      AutoRemove: false,
      Init: false,
    },
  };
}

/** Wider than each program's own. No CPU time: that would count the runner's. */
function ulimits({ processes, openFiles }: ExecLimits) {
  const both = (name: string, value: number) => ({ Name: name, Soft: value, Hard: value });
  return [
    both('nofile', clampCount(openFiles + runnerOpenFiles)),
    both('nproc', clampCount(processes + runnerProcesses + 1)),
    both('core', 0),
    both('msgqueue', 0),
    both('memlock', 0),
  ];
}

function clampCount(count: number): number {
  return Math.max(256, 2 ** Math.ceil(Math.log2(count)));
}

const mebibyte = 2 ** 20;
/** Its code, its stack, and the archive of a folder on its way out. */
const runnerBaseBytes = 32 * mebibyte;

/** Sizes are rounded up; the runner takes up what is beyond (runner/disk.c). */
export function planOf(site: Site, { limits, mounts, kept, roomBytes }: CellSpec): SitePlan {
  const { engine, image, seccomp } = site;
  const keptBytes = kept.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return {
    image,
    seccomp,
    kind: engine.kind,
    labels: ownerLabels(),
    mounts: [...site.mounts, ...site.ownMounts(mounts)],
    limits,
    scratchBytes: scratchBytes(limits, roundToMebibytes(roomBytes)),
    runnerBytes: runnerBaseBytes + roundToMebibytes(keptBytes) + 4 * limits.outputBytes,
  };
}

function roundToMebibytes(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / mebibyte)) * mebibyte;
}

export const ownerLabel = 'polya.owner';
const placeLabel = 'polya.place';
/** Longer than an owner takes between making a container and starting it, or between its end and removing it. */
const forgottenMs = 600_000;

type ContainerState = {
  readonly labels: Readonly<Record<string, string>>;
  /** `created`, `running`, `exited` … */
  readonly state: string;
  readonly createdMs: number;
};

/** Whose a container is: an owner, and the machine and set of process numbers in which its number means something. */
export function ownerLabels(): Readonly<Record<string, string>> {
  return { [ownerLabel]: ownerName(), [placeLabel]: place() };
}

/** Whether an owner elsewhere lives is unknown here; but a container that has ended is of no use to it. */
export function isAbandoned({ labels, state, createdMs }: ContainerState, nowMs: number): boolean {
  const owner = labels[ownerLabel];
  if (owner === undefined) return false;
  if (labels[placeLabel] === place()) return isDeadOwner(owner);
  return state !== 'running' && nowMs - createdMs > forgottenMs;
}

/** This start of this machine, and this set of process numbers in it. */
function place(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
