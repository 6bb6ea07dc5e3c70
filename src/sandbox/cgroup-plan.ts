/**
 * Finds where this process may make control groups, in version 2 or version 1 of their interface. What is found
 * is a plan only: whether a group can really be made and entered is tried before it is relied upon.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
    return [...version2Plans(mounts, memberships), ...version1Plans(mounts, memberships)];
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
function version2Plans(mounts: readonly Mount[], memberships: ReadonlyMap<string, string>): CgroupPlan[] {
  const mount = mounts.find(({ kind }) => kind === 'v2');
  const membership = memberships.get('');
  if (!mount || membership === undefined) return [];
  const own = folderOf(mount, membership);
  const candidates = new Set([own === mount.point ? own : dirname(own), own, mount.point]);
  return [...candidates].filter(divides).map((folder) => ({
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

function divides(folder: string): boolean {
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

function version1Plans(mounts: readonly Mount[], memberships: ReadonlyMap<string, string>): CgroupPlan[] {
  const folderFor = (controller: string): string | null => {
    const mount = mounts.find(({ kind, options }) => kind === 'v1' && options.includes(controller));
    return mount ? folderOf(mount, memberships.get(controller) ?? '/') : null;
  };
  const [memory, pids, cpu] = [folderFor('memory'), folderFor('pids'), folderFor('cpuacct')];
  const folders = [...new Set([memory, pids, cpu].filter((folder) => folder !== null))];
  if (folders.length === 0) return [];
  const memoryReadings =
    memory === null
      ? []
      : [
          { name: 'cgroupMemoryStat', folder: memory, file: 'memory.stat' },
          { name: 'cgroupMemoryEvents', folder: memory, file: 'memory.oom_control' },
        ];
  const cpuReadings = cpu === null ? [] : [{ name: 'cgroupCpu', folder: cpu, file: 'cpuacct.usage' }];
  const pidsReadings = pids === null ? [] : [{ name: 'cgroupPidsEvents', folder: pids, file: 'pids.events' }];
  const readings = [...memoryReadings, ...cpuReadings, ...pidsReadings];
  return [{ version: 'v1', folders, memory, pids, readings }];
}

/** In a container the membership may name a group that is not mounted; then the mount's own root is ours. */
function folderOf({ root, point }: Mount, membership: string): string {
  const below =
    root === '/' ? membership : membership.startsWith(`${root}/`) ? membership.slice(root.length) : '/';
  const folder = join(point, below);
  return existsSync(folder) ? folder.replace(/(.)\/$/, '$1') : point;
}
