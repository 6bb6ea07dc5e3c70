/**
 * Files that are made once and shared by all sandboxes of a machine, whoever makes them first. A name stands for
 * one content, so what exists is right.
 */
import { createHash, randomUUID } from 'node:crypto';
import { chmod, copyFile, link, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Longer than making any of them takes. */
export const staleDraftMs = 600_000;
const [yes, no] = [() => true, () => false];

/** Two processes may do it at once: each makes its own draft, and the last to rename wins with the same bytes. */
export async function makeOnce(path: string, make: (draft: string) => Promise<void>): Promise<void> {
  if (await stat(path).then(yes, no)) return;
  const draft = `${path}.${randomUUID()}`;
  await sweepDrafts(path);
  try {
    await make(draft);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Those of a process that was killed while it made one. */
async function sweepDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const draft = join(folder, name);
    const age = await stat(draft).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > staleDraftMs) await rm(draft, { force: true });
  }
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
    await chmod(draft, 0o444);
  });
}
