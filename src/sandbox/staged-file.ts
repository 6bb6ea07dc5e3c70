/** Files that are made once and shared by all sandboxes of a machine. A name stands for one content. */
import { createHash, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { chmod, copyFile, link, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeadOwner, ownerName } from './owner.ts';

/** Longer than making any of them takes. */
const staleDraftMs = 600_000;
const draftName = /\.(?:(\d+-\d+)\.)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const [yes, no] = [() => true, () => false];

/** Two processes may do it at once: each makes its own draft, and the last to rename wins with the same bytes. */
export async function makeOnce(path: string, make: (draft: string) => Promise<void>): Promise<void> {
  if (await stat(path).then(yes, no)) return;
  const draft = `${path}.${ownerName()}.${randomUUID()}`;
  await sweepDrafts(path);
  try {
    await make(draft);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true, recursive: true });
  }
}

/** Removes drafts of a process that was killed while it wrote. */
async function sweepDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const draft = join(folder, name);
    if (isStaleDraft(draft)) await rm(draft, { force: true, recursive: true });
  }
}

/** Its age alone does not tell: what is linked, or copied with its time, is as old as what it was made of. */
export function isStaleDraft(path: string): boolean {
  const [draft, owner] = draftName.exec(path) ?? [];
  if (draft === undefined || (owner !== undefined && !isDeadOwner(owner))) return false;
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > staleDraftMs;
}

const noRoom = /\b(?:ENOSPC|EDQUOT|EROFS)\b|no space left on device|disk quota exceeded/i;

/** The place is full, or not to be written to. */
export function isOutOfSpace(error: unknown): boolean {
  return error instanceof Error && noRoom.test(error.message);
}

export function digest(parts: readonly (Buffer | string)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 16);
}

/** A file of the host where sandboxes can reach it: linked where that is enough, else copied. Its time is kept. */
export async function linkOnce(source: string, path: string): Promise<void> {
  await makeOnce(path, async (draft) => {
    const { mode, atime, mtime } = await stat(source);
    const isReadable = (mode & 0o444) === 0o444;
    const isLinked = isReadable && (await link(source, draft).then(yes, no));
    if (isLinked) return;
    await copyFile(source, draft);
    await utimes(draft, atime, mtime);
    await chmod(draft, (mode & 0o111) === 0 ? 0o444 : 0o555);
  });
}
