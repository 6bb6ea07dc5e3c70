/** Host users for programs, when Polya is root: one for each running program, because Linux counts processes by user. */
// A slot is a symbolic link to its owner's name: it is made in one step, and so is a lock between processes.
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { UnavailableError } from '../core/errors.ts';
import { isDeadOwner, ownerName, processIds, processNamespace } from './owner.ts';

/** Numbers that neither Debian nor systemd gives to a user. */
const firstUid = 60_600;
const slotCount = 500;

export type Slot = { readonly uid: number; release(): void };

export async function acquireSlot(folder: string): Promise<Slot> {
  if (!areUsersMapped()) {
    throw new UnavailableError({
      code: 'no-free-user',
      what: 'This user namespace has no users for sandboxed programs.',
      why: 'Polya runs as its root, and then each program runs as a user of its own.',
      fix: 'Start Polya as an ordinary user, or give the namespace users (`unshare --map-auto`, `/etc/subuid`).',
    });
  }
  // What still runs as a user whose owner is dead, or was started by a Polya that claims no names, is seen here.
  const busy = processIds().flatMap((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid ?? []);
  const claimed = new Set([...readNamedUids(), ...busy]);
  const owner = ownerName();
  // In each container the first process is number 1, and none sees the programs of another: without the namespace all
  // would begin with the same user, and Linux would count their programs together.
  const start = process.pid + processNamespace();
  for (let attempt = 0; attempt < slotCount; attempt++) {
    const uid = firstUid + ((start + attempt) % slotCount);
    const path = join(folder, String(uid));
    if (claimed.has(uid) || !tryLock(owner, path)) continue;
    const letGo = await claimUid(uid);
    const release = () => {
      letGo?.();
      rmSync(path, { force: true });
    };
    if (letGo !== null) return { uid, release };
    release();
  }
  throw new UnavailableError({
    code: 'no-free-user',
    what: `All ${slotCount} users for sandboxed programs are in use.`,
    fix: `Run fewer programs at once, or remove ${folder} when no Polya is running.`,
  });
}

export type DeadSlot = {
  readonly uid: number;
  readonly path: string;
  /** Whether it still is: another process may have swept it, and a third have taken it. */
  isDead(): boolean;
  /** False where it is not. */
  remove(): boolean;
};

/** Those of dead owners. What still runs as their user has to be ended before they are given again. */
export function deadSlots(folder: string): readonly DeadSlot[] {
  const slots = readdirSync(folder).map((name): DeadSlot => {
    const path = join(folder, name);
    const isDead = () => isDeadOwner(ownerOf(path));
    const remove = () => {
      if (!isDead()) return false;
      rmSync(path, { force: true });
      return true;
    };
    return { uid: Number(name), path, isDead, remove };
  });
  return slots.filter(({ isDead }) => isDead());
}

/** False in most namespaces of an ordinary user: `unshare -r`, a rootless container without `/etc/subuid`. */
function areUsersMapped(): boolean {
  const lines = readFileSync('/proc/self/uid_map', 'latin1').trim().split('\n');
  return lines.some((line) => {
    const [first = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
    return first <= firstUid && firstUid + slotCount <= first + count;
  });
}

function ownerOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    // Another process swept or released it at the same moment.
    return '';
  }
}

function tryLock(owner: string, path: string): boolean {
  try {
    symlinkSync(owner, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Claims a user on the whole machine, for Polyas with other staging folders. Null if it is taken; else its release. */
async function claimUid(uid: number): Promise<(() => void) | null> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer((stranger) => stranger.destroy()).unref();
  server.once('error', (error) => resolve('code' in error && error.code === 'EADDRINUSE'));
  server.listen({ path: `\0polya-user-${uid}`, exclusive: true }, () => resolve(false));
  const isUsed = await promise;
  return isUsed ? null : () => void server.close();
}

function readNamedUids(): ReadonlySet<number> {
  try {
    const lines = readFileSync('/etc/passwd', 'latin1').split('\n');
    return new Set(lines.map((line) => Number(line.split(':')[2])));
  } catch {
    return new Set();
  }
}
