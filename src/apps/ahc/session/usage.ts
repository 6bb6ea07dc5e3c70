/**
 * What a session uses of its machine now: CPU time and memory of its process tree, and the size of its folder. Read from
 * /proc; on systems without it, processes are unknown.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ticksPerSecond = 100;
const pageBytes = 4096;

/** As `status --json` prints it: of all processes of the tree, with those that have ended; null where unknown. */
export function machineUsage(pid: number | null, folder: string) {
  const tree = pid === null ? null : treeOf(pid);
  return {
    cpu_seconds: tree && tree.reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond,
    memory_bytes: tree && tree.reduce((sum, { pages }) => sum + pages, 0) * pageBytes,
    processes: tree?.length ?? null,
    disk_bytes: bytesBelow(folder),
  };
}

/** Null where there is no such process, or nothing can be read. */
function treeOf(root: number) {
  const all = entriesOf('/proc').flatMap(({ name }) =>
    /^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : [],
  );
  const first = all.find(({ pid }) => pid === root);
  // A zombie has ended, and its parent has not read its exit code.
  if (!first || /^[ZX]$/.test(first.state)) return null;
  const tree = [first];
  // The list grows while it is iterated, so that it gets the children of children too.
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

function statOf(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name stands in brackets, and may contain spaces and brackets.
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parent = 0, ...fields] = rest.map(Number);
    // Its own time, and that of the children it has reaped.
    const ticks = fields.slice(9, 13).reduce((sum, value) => sum + value, 0);
    return { pid, state, parent, ticks, pages: fields[19] ?? 0 };
  } catch {
    return null;
  }
}

export function bytesBelow(folder: string): number {
  const sizes = entriesOf(folder, true).map((entry) =>
    entry.isFile() ? (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0) : 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function entriesOf(folder: string, recursive = false) {
  try {
    return readdirSync(folder, { recursive, withFileTypes: true });
  } catch {
    return [];
  }
}
