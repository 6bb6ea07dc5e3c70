/** Names a process so that a recycled pid is not taken for a run's owner. Without /proc, the pid alone has to do. */
import { readFileSync, readlinkSync } from 'node:fs';
import type { Owner } from '../core/store.ts';

/** Older than this, the heartbeat of an owner whom we cannot look at counts as its last. */
const heartbeatTrustMs = 30_000;

export function thisProcess(): Owner {
  return { pid: process.pid, startedAt: `${placeOfProcesses()}/${startOf(process.pid) ?? '?'}` };
}

/** An owner on another machine or in another container is judged by its heartbeat. */
export function isAlive(owner: Owner, heartbeatAtMs: number, nowMs: number): boolean {
  return isAliveOnThisHost(owner) ?? nowMs - heartbeatAtMs < heartbeatTrustMs;
}

/** Whether a process of this machine lives; null where it is another's, or another container's, and cannot be looked at. */
export function isAliveOnThisHost(owner: Owner): boolean | null {
  const place = owner.startedAt.slice(0, owner.startedAt.lastIndexOf('/'));
  if (place !== placeOfProcesses()) return null;
  const start = startOf(owner.pid);
  // A process that can open no more files must not take the living for dead.
  if (start === undefined) return answersToSignals(owner.pid);
  if (start !== null) return owner.startedAt === `${place}/${start}`;
  return owner.startedAt.endsWith('/?') && answersToSignals(owner.pid);
}

/** The columns of a table that say who works on a row. */
export type OwnerColumns = {
  readonly owner_pid: number | null;
  readonly owner_started_at: string | null;
  readonly heartbeat_at: number | null;
};

/** Null where the row has no owner, or its owner is dead. */
export function liveOwner(
  { owner_pid: pid, owner_started_at: startedAt, heartbeat_at }: OwnerColumns,
  nowMs: number,
): Owner | null {
  if (pid === null || startedAt === null) return null;
  return isAlive({ pid, startedAt }, heartbeat_at ?? 0, nowMs) ? { pid, startedAt } : null;
}

let ourPlace: string | null = null;

/** Names the set of processes that share our pids: this boot of this machine, this container. */
function placeOfProcesses(): string {
  try {
    const bootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    ourPlace ??= `${bootId()}/${readlinkSync('/proc/self/ns/pid')}`;
    return ourPlace;
  } catch {
    return 'here';
  }
}

/** In clock ticks since boot; null where there is no such process, or only its corpse; undefined where we cannot look. */
function startOf(pid: number): string | null | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in brackets and may itself hold spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM' ? undefined : null;
  }
}

function answersToSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
