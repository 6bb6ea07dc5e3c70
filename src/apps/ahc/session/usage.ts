/**
 * What a session costs its machine now: CPU time and memory of its process with all that it has started, and its folder's
 * bytes. From /proc; where there is none, nothing is known.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type MachineUsage = {
  /** Of all processes of the tree since they began, those that have ended included; null where unknown. */
  readonly cpuSeconds: number | null;
  readonly memoryBytes: number | null;
  readonly processes: number | null;
  readonly diskBytes: number;
};

const ticksPerSecond = 100;
const pageBytes = 4096;

export function machineUsage(pid: number | null, folder: string): MachineUsage {
  const tree = pid === null ? null : treeOf(pid);
  return {
    cpuSeconds: tree && tree.reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond,
    memoryBytes: tree && tree.reduce((sum, { pages }) => sum + pages, 0) * pageBytes,
    processes: tree?.length ?? null,
    diskBytes: bytesBelow(folder),
  };
}

type Process = {
  readonly pid: number;
  /** It has ended, and nobody has asked how: where no parent waits for it, for ever. */
  readonly isZombie: boolean;
  readonly parent: number;
  readonly ticks: number;
  readonly pages: number;
};

/** Null where there is no such process, or nothing can be read. */
function treeOf(root: number): readonly Process[] | null {
  const all = numbersIn('/proc').flatMap((pid) => statOf(pid) ?? []);
  const first = all.find(({ pid }) => pid === root);
  if (!first || first.isZombie) return null;
  const tree = [first];
  // Grows while it is gone through: children of children too.
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

function statOf(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in brackets and may itself hold spaces and brackets.
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent = 0, ...fields] = rest.map(Number);
    // Its own time, and that of the children that it has waited for.
    const ticks = fields.slice(9, 13).reduce((sum, value) => sum + value, 0);
    return { pid, isZombie: /^[ZX]$/.test(state), parent, ticks, pages: fields[19] ?? 0 };
  } catch {
    return null;
  }
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function bytesBelow(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + sizeOf(join(entry.parentPath, entry.name)), 0);
  } catch {
    return 0;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
