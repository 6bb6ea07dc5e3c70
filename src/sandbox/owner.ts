/**
 * Names a process so that a later one can tell whether it still lives: by its number and its start time, because
 * numbers are used again. Whoever finds something of a dead owner may clear it away.
 */
import { readFileSync, statSync } from 'node:fs';
import type { Removed } from '../core/sandbox.ts';

/** Something of a dead owner's. `remove` is false where another process was faster, or it is still busy. */
export type Leftover = Removed & { remove(): boolean };

const pattern = /^(\d+)-(\d+)$/;

export function ownerName(pid: number = process.pid): string {
  return `${pid}-${startTicks(pid) ?? 0}`;
}

/** False for what is no owner's name at all. */
export function isDeadOwner(name: string): boolean {
  const [, pid, ticks] = pattern.exec(name) ?? [];
  if (pid === undefined || ticks === undefined) return false;
  return startTicks(Number(pid)) !== Number(ticks);
}

/** This process's set of process numbers: in a container they mean something else than outside of it. */
export function processNamespace(): number {
  return statSync('/proc/self/ns/pid', { throwIfNoEntry: false })?.ino ?? 0;
}

/** Column 22 of /proc/PID/stat; the name in column 2 may hold blanks and brackets. */
function startTicks(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const columns = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(columns[19]);
  } catch {
    return null;
  }
}
