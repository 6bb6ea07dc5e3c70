/**
 * Whether files could be written or added to now, looked at before hours are spent on what is to stand in them: something
 * else in their place, rights, a disk that is full or read-only. Leaves nothing behind but the folders on the way.
 */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { coded } from './plain-file.ts';

/** Throws what the system says. */
export async function tryWrite(file: string): Promise<void> {
  const there = await stat(file).catch(() => null);
  if (there) {
    if (!there.isFile()) throw coded(there.isDirectory() ? 'EISDIR' : 'ENOTFILE');
    await access(file, constants.W_OK);
  }
  makeFolder(dirname(file));
  // Rights are not all: root has them also where a disk is full.
  const draft = join(dirname(file), `.try.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(draft, new Uint8Array(4096), { flag: 'wx' });
  } finally {
    await rm(draft, { force: true });
  }
}
