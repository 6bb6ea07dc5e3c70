/** What dead processes of Polya left on this machine. Everything carries the number and start time of its owner. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Removed } from '../core/sandbox.ts';
import { cgroupPlans, findDeadCgroups } from './cgroup.ts';
import type { Leftover } from './owner.ts';
import { endProcess, isDeadOwner, ownerName, processIds, processNamespace, userOf } from './owner.ts';
import { pipesFolderName, removePipesFolder } from './pair.ts';
import { type DeadSlot, deadSlots } from './slots.ts';
import { isStaleDraft } from './staged-file.ts';
import type { StagingArea } from './staging.ts';

/** The first word of a cell's command line on the host, so that it can be told whose it is. */
const cellPrefix = 'polya-cell-';

export function cellName(owner = ownerName(), namespace = processNamespace()): string {
  return `${cellPrefix}${owner}@${namespace}`;
}

/** Cheap where there is nothing. `isRoot`: cells run as users of their own. */
export function sweepLeftovers(staging: StagingArea, isRoot: boolean): readonly Removed[] {
  return removeAll(findLeftovers(staging, isRoot));
}

/** Processes first, for they hold the rest. Each is checked again before removal: another Polya may sweep too. */
export function findLeftovers(staging: StagingArea, isRoot: boolean): readonly Leftover[] {
  const slots = isRoot ? deadSlots(staging.slotsFolder) : [];
  const isLeft = (pid: number) => isDeadCell(pid) || isOfDeadUser(pid, slots);
  return [
    ...processIds()
      .filter(isLeft)
      .map((pid) => ({ kind: 'process', name: String(pid), remove: () => isLeft(pid) && endProcess(pid) })),
    ...cgroupPlans().flatMap((plan) => attempt(() => findDeadCgroups(plan)) ?? []),
    ...slots.map(({ path: name, remove }) => ({
      kind: 'user',
      name,
      remove: () => attempt(remove) === true,
    })),
    ...inFolder(join(staging.folder, pipesFolderName), 'pipes', isDeadPipes, removePipesFolder),
    ...inFolder(staging.folder, 'draft', (_, path) => attempt(() => isStaleDraft(path)) === true),
  ];
}

/** Files of other versions of Polya. One that still runs makes its own again. */
export function findOtherVersions({ folder, runner, filter, passwd }: StagingArea): readonly Leftover[] {
  const local = new Set([runner, filter, passwd]);
  const isOther = (name: string, path: string) =>
    /^(?:runner|filter|passwd)-[0-9a-f]+$/.test(name) && !local.has(path);
  return inFolder(folder, 'staged file', isOther);
}

/** Removes them, and returns those that could be removed. */
export function removeAll(leftovers: readonly Leftover[]): readonly Removed[] {
  return leftovers.flatMap(({ kind, name, remove }) => (remove() ? [{ kind, name }] : []));
}

/** The process is seen first: if the lock is then still the dead owner's, the process had it from there. */
function isOfDeadUser(pid: number, slots: readonly DeadSlot[]): boolean {
  const user = slots.length === 0 ? null : userOf(pid);
  const slot = slots.find(({ uid }) => uid === user);
  if (slot?.isDead() !== true) return false;
  const livingCells = processIds().filter((each) => cellWords(each) !== null && !isDeadCell(each));
  return !livingCells.map(userOf).includes(slot.uid);
}

/** False for cells of a Polya in another container: from here, it is unknown whether their owner lives. */
function isDeadCell(pid: number): boolean {
  const [owner, namespace] = cellWords(pid)?.split('@') ?? [];
  return owner !== undefined && namespace === String(processNamespace()) && isDeadOwner(owner);
}

/** Its owner and the set of process numbers that its owner's number belongs to; null for what is no cell. */
function cellWords(pid: number): string | null {
  const command = attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1')) ?? '';
  return command.startsWith(cellPrefix) ? command.slice(cellPrefix.length, command.indexOf('\0')) : null;
}

/** Their owner is the first two numbers: `123-4567-…`. */
function isDeadPipes(name: string): boolean {
  return isDeadOwner(name.split('-').slice(0, 2).join('-'));
}

function inFolder(
  folder: string,
  kind: string,
  isLeft: (name: string, path: string) => boolean,
  removePath = (path: string): void => rmSync(path, { recursive: true, force: true }),
): readonly Leftover[] {
  const names = attempt(() => readdirSync(folder)) ?? [];
  return names.flatMap((name) => {
    const path = join(folder, name);
    if (!isLeft(name, path)) return [];
    return [{ kind, name: path, remove: () => attempt(() => removePath(path) ?? true) === true }];
  });
}

/** Null where it fails: another process swept it, or ended it, at the same moment. */
function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch {
    return null;
  }
}
