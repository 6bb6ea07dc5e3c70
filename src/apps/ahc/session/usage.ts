/**
 * What a session uses of its machine now: CPU time and memory of its process tree, and the size of its folder. Read from
 * /proc; on systems without it, processes are unknown.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type MachineUsage = {
  /** Of all processes of the tree, with those that have ended; null where unknown. */
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
  /** It has ended, and its parent has not read its exit code. */
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
  // The list grows while it is iterated, so that it gets the children of children too.
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

function statOf(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name stands in brackets, and may contain spaces and brackets.
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent = 0, ...fields] = rest.map(Number);
    // Its own time, and that of the children it has reaped.
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
