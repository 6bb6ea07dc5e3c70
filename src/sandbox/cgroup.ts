/**
 * A control group for the programs of one cell: the kernel then counts and limits memory, processes and CPU time of
 * all their processes together, whatever they do. A program's first process enters by itself, through files that are
 * opened here and handed over. Where the machine offers no such groups, the runner watches instead.
 */
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CellSpec } from './backend.ts';
import type { CgroupPlan } from './cgroup-plan.ts';
import { isDeadOwner, type Leftover, ownerName, processNamespace } from './owner.ts';

export type Cgroup = {
  /** Open files for the runner, each with the name that its request gives it. */
  readonly files: readonly { readonly name: string; readonly fd: number }[];
  closeFiles(): void;
  /** After the last process has ended. What is still busy is removed later, and nobody waits for that. */
  remove(): Promise<void>;
};

const prefix = 'polya-';
/**
 * A process without threads enters the same way through both. Of whole processes, version 1 holds up every fork and
 * end on the machine meanwhile, and waits for a grace period of the kernel before the first of them.
 */
const entrances = { v1: 'tasks', v2: 'cgroup.procs' } as const;
const removeAttempts = 50;
const removePauseMs = 4;
const laterPauseMs = 200;
let made = 0;

export function createCgroup(plan: CgroupPlan, { limits }: CellSpec): Cgroup {
  const name = `${prefix}${ownerName()}-${made++}@${processNamespace()}`;
  const folders = plan.folders.map((folder) => join(folder, name));
  const files: { name: string; fd: number }[] = [];
  const closeFiles = () => {
    for (const { fd } of files.splice(0)) closeSync(fd);
  };
  const remove = async () => {
    for (const folder of folders) await removeFolder(folder);
  };
  try {
    for (const folder of folders) {
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
    for (const folder of folders) tryRemove(folder);
    throw error;
  }
}

/**
 * Groups whose makers are dead. What is still in them is ended with them; most died with their maker. Of those that a
 * Polya in a container made nobody outside can tell whether it lives, and one that nobody has entered yet looks forsaken.
 */
export function deadCgroups(plan: Pick<CgroupPlan, 'folders'>): readonly Leftover[] {
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
    for (const pid of pids.filter((each) => each > 0)) process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}

type Setting = { folder: string; file: string; value: string; optional?: boolean };

/**
 * Files of the scratch folder are memory for the kernel. So the hard limit leaves room for a full disk, and the
 * runner, which can tell the two apart, ends a program at its own limit of memory.
 */
function settings(plan: CgroupPlan, limits: CellSpec['limits']): readonly Setting[] {
  const memoryBytes = String(limits.memoryBytes + limits.diskBytes);
  const wanted: Setting[] = [];
  if (plan.memory !== null) {
    const swap = plan.version === 'v2' ? 'memory.swap.max' : 'memory.swappiness';
    const file = plan.version === 'v2' ? 'memory.max' : 'memory.limit_in_bytes';
    wanted.push({ folder: plan.memory, file, value: memoryBytes });
    // Not every kernel can swap, and then it has no such file.
    wanted.push({ folder: plan.memory, file: swap, value: '0', optional: true });
  }
  if (plan.pids !== null) {
    wanted.push({ folder: plan.pids, file: 'pids.max', value: String(limits.processes) });
  }
  return wanted;
}

function write(path: string, { value, optional }: Setting): void {
  try {
    writeFileSync(path, value, { flag: 'r+' });
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
  void removeLater(folder);
}

/** As long as we live: of a living owner's nobody else does it. It keeps no process alive, and then the next sweep does. */
async function removeLater(folder: string): Promise<void> {
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
