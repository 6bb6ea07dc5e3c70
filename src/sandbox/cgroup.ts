/** A control group for a cell's programs: the kernel counts and limits their memory, processes and CPU time together. */
// A program's first process enters by itself, through files that are opened here and handed over.
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CellSpec } from './backend.ts';
import { endProcess, isDeadOwner, type Leftover, ownerName, processNamespace } from './owner.ts';

export type Cgroup = {
  /** Open files for the runner, each with the name that its request gives it. */
  readonly files: readonly { readonly name: string; readonly fd: number }[];
  closeFiles(): void;
  /** After the last process has ended. A group that is still busy is removed later, without waiting. */
  remove(): Promise<void>;
};

/** Version 1 halts all forks while a whole process enters; a process without threads may enter as a task. */
const entrances = { v1: 'tasks', v2: 'cgroup.procs' } as const;
const [removeAttempts, removePauseMs, laterPauseMs] = [50, 4, 200];
let made = 0;

export function createCgroup(plan: CgroupPlan, { limits }: CellSpec): Cgroup {
  const name = `polya-${ownerName()}-${made++}@${processNamespace()}`;
  const dirs = plan.folders.map((folder) => join(folder, name));
  const files: { name: string; fd: number }[] = [];
  const closeFiles = () => {
    for (const { fd } of files.splice(0)) closeSync(fd);
  };
  const remove = async () => {
    for (const folder of dirs) await removeFolder(folder);
  };
  try {
    for (const folder of dirs) {
      mkdirSync(folder);
      files.push({ name: 'cgroupProcs', fd: openSync(join(folder, entrances[plan.version]), 'w') });
    }
    for (const setting of settings(plan, limits)) write(join(setting.folder, name, setting.file), setting);
    for (const { name: label, folder, file } of plan.readings) {
      files.push({ name: label, fd: openSync(join(folder, name, file), 'r') });
    }
    return { files, closeFiles, remove };
  } catch (error) {
    closeFiles();
    for (const folder of dirs) tryRemove(folder);
    throw error;
  }
}

/** Groups whose makers are dead, with what still runs in them. Makers in a container cannot be judged from outside. */
export function findDeadCgroups(plan: Pick<CgroupPlan, 'folders'>): readonly Leftover[] {
  return plan.folders.flatMap((folder) =>
    readdirSync(folder).flatMap((name) => {
      const [, owner, namespace] = /^polya-(\d+-\d+)-\d+(?:@(\d+))?$/.exec(name) ?? [];
      if (owner === undefined || !isDeadOwner(owner)) return [];
      if (namespace !== undefined && namespace !== String(processNamespace())) return [];
      const path = join(folder, name);
      const remove = () => {
        killAll(join(path, 'cgroup.procs'));
        return tryRemove(path);
      };
      return [{ kind: 'cgroup', name: path, remove }];
    }),
  );
}

function killAll(listing: string): void {
  try {
    const pids = readFileSync(listing, 'utf8').split('\n').map(Number);
    for (const pid of pids.filter((each) => each > 0)) endProcess(pid);
  } catch {
    // Another process removed the group meanwhile.
  }
}

type Setting = { folder: string; file: string; value: number; optional?: boolean };

const memoryFiles = {
  v1: ['memory.limit_in_bytes', 'memory.swappiness'],
  v2: ['memory.max', 'memory.swap.max'],
} as const;

/** Scratch files count as memory, so the hard limit has room for a full disk; the runner holds programs to their own. */
function settings(plan: CgroupPlan, limits: CellSpec['limits']): readonly Setting[] {
  const requested: Setting[] = [];
  if (plan.memory !== null) {
    const [file, swap] = memoryFiles[plan.version];
    requested.push({ folder: plan.memory, file, value: limits.memoryBytes + limits.diskBytes });
    // Not every kernel can swap, and then it has no such file.
    requested.push({ folder: plan.memory, file: swap, value: 0, optional: true });
  }
  if (plan.pids !== null) requested.push({ folder: plan.pids, file: 'pids.max', value: limits.processes });
  return requested;
}

function write(path: string, { value, optional }: Setting): void {
  try {
    writeFileSync(path, String(value), { flag: 'r+' });
  } catch (error) {
    if (!optional) throw error;
  }
}

/** A group stays busy for a moment after its last process was reaped; on a busy machine that moment is long. */
async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 0; attempt < removeAttempts; attempt++) {
    if (tryRemove(folder)) return;
    await sleep(removePauseMs);
  }
  void scheduleRemoval(folder);
}

/** No other process removes a living owner's groups. If this one ends before, the next sweep removes them. */
async function scheduleRemoval(folder: string): Promise<void> {
  while (!tryRemove(folder)) await sleep(laterPauseMs, undefined, { ref: false });
}

function tryRemove(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT';
  }
}

export type CgroupPlan = {
  readonly version: 'v1' | 'v2';
  /** Where one folder each has to be made, and its processes entered. */
  readonly folders: readonly string[];
  /** The folder among these that limits memory or processes; null where that cannot be limited so. */
  readonly memory: string | null;
  readonly pids: string | null;
  /** What the runner reads, by the names it knows. */
  readonly readings: readonly { readonly name: string; readonly folder: string; readonly file: string }[];
};

type Mount = {
  readonly root: string;
  readonly point: string;
  readonly kind: 'v1' | 'v2';
  readonly options: readonly string[];
};

/** All plans worth trying, the best first. */
export function cgroupPlans(): readonly CgroupPlan[] {
  try {
    const mounts = parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
    const memberships = parseMemberships(readFileSync('/proc/self/cgroup', 'utf8'));
    return [...planCgroupV2(mounts, memberships), ...planCgroupV1(mounts, memberships)];
  } catch {
    return [];
  }
}

/** Lines of `36 35 98:0 /root /mount/point options … - cgroup source super,options`. */
export function parseMounts(mountinfo: string): readonly Mount[] {
  return mountinfo.split('\n').flatMap((line): Mount[] => {
    const [left = '', right = ''] = line.split(' - ');
    const [, , , root, point] = left.split(' ');
    const [type, , options = ''] = right.split(' ');
    if (root === undefined || point === undefined || (type !== 'cgroup' && type !== 'cgroup2')) return [];
    return [{ root, point, kind: type === 'cgroup2' ? 'v2' : 'v1', options: options.split(',') }];
  });
}

/** Lines of `4:memory:/path`; the one of version 2 has no controller's name. */
export function parseMemberships(text: string): ReadonlyMap<string, string> {
  const entries = text.split('\n').flatMap((line) => {
    const [, controllers, ...path] = line.split(':');
    if (controllers === undefined) return [];
    return controllers.split(',').map((controller): [string, string] => [controller, path.join(':')]);
  });
  return new Map(entries);
}

/** A group that holds processes cannot divide its memory among groups below, so the one above is tried first. */
function planCgroupV2(mounts: readonly Mount[], memberships: ReadonlyMap<string, string>): CgroupPlan[] {
  const mount = mounts.find(({ kind }) => kind === 'v2');
  const membership = memberships.get('');
  if (!mount || membership === undefined) return [];
  const own = folderOf(mount, membership);
  const candidates = new Set([own === mount.point ? own : dirname(own), own, mount.point]);
  return [...candidates].filter(delegatesControllers).map((folder) => ({
    version: 'v2',
    folders: [folder],
    memory: folder,
    pids: folder,
    readings: [
      { name: 'cgroupMemoryStat', folder, file: 'memory.stat' },
      { name: 'cgroupMemoryEvents', folder, file: 'memory.events' },
      { name: 'cgroupCpu', folder, file: 'cpu.stat' },
      { name: 'cgroupPidsEvents', folder, file: 'pids.events' },
    ],
  }));
}

function delegatesControllers(folder: string): boolean {
  const control = join(folder, 'cgroup.subtree_control');
  const isOn = () => {
    const controllers = readFileSync(control, 'utf8').trim().split(' ');
    return controllers.includes('memory') && controllers.includes('pids');
  };
  try {
    if (!isOn()) writeFileSync(control, '+memory +pids', { flag: 'r+' });
    return isOn();
  } catch {
    return false;
  }
}

function planCgroupV1(mounts: readonly Mount[], memberships: ReadonlyMap<string, string>): CgroupPlan[] {
  const folderFor = (controller: string): string | null => {
    const mount = mounts.find(({ kind, options }) => kind === 'v1' && options.includes(controller));
    return mount ? folderOf(mount, memberships.get(controller) ?? '/') : null;
  };
  const [memory, pids, cpu] = [folderFor('memory'), folderFor('pids'), folderFor('cpuacct')];
  const dirs = [...new Set([memory, pids, cpu].filter((folder) => folder !== null))];
  if (dirs.length === 0) return [];
  const candidates = [
    { name: 'cgroupMemoryStat', folder: memory, file: 'memory.stat' },
    { name: 'cgroupMemoryEvents', folder: memory, file: 'memory.oom_control' },
    { name: 'cgroupCpu', folder: cpu, file: 'cpuacct.usage' },
    { name: 'cgroupPidsEvents', folder: pids, file: 'pids.events' },
  ].flatMap(({ name, folder, file }) => (folder === null ? [] : [{ name, folder, file }]));
  return [{ version: 'v1', folders: dirs, memory, pids, readings: candidates }];
}

/** In a container the membership may name a group that is not mounted; then the mount's own root is ours. */
function folderOf({ root, point }: Mount, membership: string): string {
  const child =
    root === '/' ? membership : membership.startsWith(`${root}/`) ? membership.slice(root.length) : '/';
  const folder = join(point, child);
  return existsSync(folder) ? folder.replace(/(.)\/$/, '$1') : point;
}
