/**
 * Processes that a cell without isolation left behind: its runner ends its descendants, but a program may have ended
 * the runner. They are known by a mark in their environment, or by a user that only they have. One that changed both
 * cannot be told from a stranger's.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeadOwner, type Leftover } from '../owner.ts';

export const markName = 'POLYA_CELL';
const [attempts, pauseMs] = [50, 10];

export type Trace = {
  /** The value of the mark. */
  readonly mark: string;
  /** A user that no other process has; null where it is our own. */
  readonly uid: number | null;
};

/** Until none is left: what is killed may be making others. */
export async function killStrays(trace: Trace): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = processes().filter((pid) => belongsTo(pid, trace));
    if (found.length === 0) return;
    for (const pid of found) kill(pid);
    await sleep(pauseMs);
  }
}

/** Those of dead Polyas, by the marks that they have. */
export function findForsaken(): readonly Leftover[] {
  const forsaken = new Map<string, number[]>();
  for (const pid of processes()) {
    const mark = markOf(pid);
    const [, owner] = /^(\d+-\d+)-\d+$/.exec(mark ?? '') ?? [];
    if (mark === null || owner === undefined || !isDeadOwner(owner)) continue;
    forsaken.set(mark, [...(forsaken.get(mark) ?? []), pid]);
  }
  return [...forsaken].map(([mark, pids]) => {
    const remove = () => {
      // Meanwhile another process may have got the number.
      const still = pids.filter((pid) => markOf(pid) === mark);
      for (const pid of still) kill(pid);
      return still.length > 0;
    };
    return { kind: 'process', name: mark, remove };
  });
}

function processes(): readonly number[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

function belongsTo(pid: number, { mark, uid }: Trace): boolean {
  if (uid !== null && userOf(pid) === uid) return true;
  return markOf(pid) === mark;
}

function userOf(pid: number): number | null {
  try {
    return statSync(`/proc/${pid}`).uid;
  } catch {
    return null;
  }
}

function markOf(pid: number): string | null {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
    const entry = environment.find((text) => text.startsWith(`${markName}=`));
    return entry === undefined ? null : entry.slice(markName.length + 1);
  } catch {
    return null;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile, or is not ours.
  }
}
