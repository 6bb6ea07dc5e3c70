/** Names processes as owners by number and start time, because numbers are used again, and tells whether they live. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import type { Removed } from '../core/sandbox.ts';

/** Something of a dead owner's. `remove` is false where another process was faster, or it is still busy. */
export type Leftover = Removed & { remove(): boolean };

const pattern = /^(\d+)-(\d+)$/;

/** Our own, read once: a process that can open no more files must not get another name. */
let ours: string | null = null;

export function ownerName(pid: number = process.pid): string {
  if (pid === process.pid && ours !== null) return ours;
  const name = `${pid}-${startTicks(pid) ?? 0}`;
  if (pid === process.pid) ours = name;
  return name;
}

/** False for what is no owner's name at all, and for one that cannot be looked at now. */
export function isDeadOwner(name: string): boolean {
  const [, pid, ticks] = pattern.exec(name) ?? [];
  if (pid === undefined || ticks === undefined) return false;
  const found = startTicks(Number(pid));
  return found !== undefined && found !== Number(ticks);
}

/** This process's set of process numbers: in a container they mean something else than outside of it. */
export function processNamespace(): number {
  return statSync('/proc/self/ns/pid', { throwIfNoEntry: false })?.ino ?? 0;
}

export function processIds(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Null where the process has ended. */
export function userOf(pid: number): number | null {
  try {
    return statSync(`/proc/${pid}`).uid;
  } catch {
    return null;
  }
}

/** False where it has ended by itself, or is not ours. */
export function endProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Null: no such process, or a dead one. Undefined: unknown. The name in column 2 may hold blanks and brackets. */
function startTicks(pid: number): number | null | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const columns = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /^[ZX]$/.test(columns[0] ?? '') ? null : Number(columns[19]);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === 'ENOENT' || code === 'ESRCH' ? null : undefined;
  }
}
