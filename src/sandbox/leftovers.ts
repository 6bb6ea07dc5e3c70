/**
 * What dead processes of Polya left on this machine: cells that outlived them, their control groups, users and pipes,
 * and staged files of other versions. Everything carries the number and start time of its owner, so what is in use
 * stays.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Removed } from '../core/sandbox.ts';
import { deadCgroups } from './cgroup.ts';
import { cgroupPlans } from './cgroup-plan.ts';
import { isDeadOwner, type Leftover, ownerName, processNamespace } from './owner.ts';
import { pipesFolderName } from './pipes.ts';
import { deadSlots } from './slots.ts';
import { staleDraftMs } from './staged-file.ts';
import type { Staging } from './staging.ts';

/** The first word of a cell's command line on the host, so that it can be told whose it is. */
const cellPrefix = 'polya-cell-';

export function cellName(owner = ownerName(), namespace = processNamespace()): string {
  return `${cellPrefix}${owner}@${namespace}`;
}

/** Cheap where there is nothing. `isRoot`: cells run as users of their own. */
export function sweepLeftovers(staging: Staging, isRoot: boolean): readonly Removed[] {
  return removeAll(findLeftovers(staging, isRoot));
}

/** Processes first: they hold what comes behind them. */
export function findLeftovers(staging: Staging, isRoot: boolean): readonly Leftover[] {
  const slots = isRoot ? deadSlots(staging.slotsFolder) : [];
  const users = new Set(slots.map(({ uid }) => uid));
  // Given again meanwhile, by a Polya whose staging folder is elsewhere.
  if (users.size > 0) for (const uid of usersOfLivingCells()) users.delete(uid);
  return [
    ...deadProcesses((pid) => isDeadCell(pid) || users.has(userOf(pid) ?? -1)),
    ...cgroupPlans().flatMap((plan) => attempt(() => deadCgroups(plan)) ?? []),
    ...slots.map(({ path, remove }) => {
      return { kind: 'user', name: path, remove: () => attempt(() => remove() ?? true) === true };
    }),
    ...inFolder(join(staging.folder, pipesFolderName), 'pipes', (name) => isDeadOwner(ownerIn(name))),
    ...inFolder(staging.folder, 'draft', (name) => isStaleDraft(join(staging.folder, name))),
  ];
}

/** Files of other versions of Polya. One that still runs makes its own again. */
export function findOtherVersions({ folder, runner, filter, passwd }: Staging): readonly Leftover[] {
  const ours = new Set([runner, filter, passwd]);
  return inFolder(
    folder,
    'staged file',
    (name) => /^(?:runner|filter|passwd)-[0-9a-f]+$/.test(name) && !ours.has(join(folder, name)),
  );
}

/** Those that could be removed. */
export function removeAll(leftovers: readonly Leftover[]): readonly Removed[] {
  return leftovers.flatMap(({ kind, name, remove }) => (remove() ? [{ kind, name }] : []));
}

function deadProcesses(isLeft: (pid: number) => boolean): readonly Leftover[] {
  return processes()
    .filter(isLeft)
    .map((pid) => {
      const remove = () => attempt(() => process.kill(pid, 'SIGKILL')) === true;
      return { kind: 'process', name: String(pid), remove };
    });
}

function processes(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function usersOfLivingCells(): readonly number[] {
  return processes().flatMap((pid) => {
    const uid = isCell(pid) && !isDeadCell(pid) ? userOf(pid) : null;
    return uid === null ? [] : [uid];
  });
}

/** Of cells of a Polya in a container nobody outside can tell whether their owner lives: they are not ours to end. */
function isDeadCell(pid: number): boolean {
  const [owner, namespace] = cellWords(pid)?.split('@') ?? [];
  return owner !== undefined && namespace === String(processNamespace()) && isDeadOwner(owner);
}

function isCell(pid: number): boolean {
  return cellWords(pid) !== null;
}

/** Its owner and the set of process numbers that its owner's number belongs to; null for what is no cell. */
function cellWords(pid: number): string | null {
  const command = attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1')) ?? '';
  return command.startsWith(cellPrefix) ? command.slice(cellPrefix.length, command.indexOf('\0')) : null;
}

function userOf(pid: number): number | null {
  return attempt(() => statSync(`/proc/${pid}`).uid);
}

/** `123-4567-…`: the first two numbers. */
function ownerIn(name: string): string {
  return name.split('-').slice(0, 2).join('-');
}

function isStaleDraft(path: string): boolean {
  const isDraft = /\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(path);
  return isDraft && (attempt(() => Date.now() - statSync(path).mtimeMs) ?? 0) > staleDraftMs;
}

function inFolder(folder: string, kind: string, isLeft: (name: string) => boolean): readonly Leftover[] {
  const names = attempt(() => readdirSync(folder)) ?? [];
  return names.filter(isLeft).map((name) => {
    const path = join(folder, name);
    const remove = () => attempt(() => rmSync(path, { recursive: true, force: true }) ?? true) === true;
    return { kind, name: path, remove };
  });
}

/** Null where it fails: another process swept it, or ended it, at the same moment. */
function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
