/** A folder of the user's. Files are written whole; names and links that lead out of it are refused. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, appendFile, lstat, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { UnavailableError, UserError } from '../core/errors.ts';
import type { Folder } from '../core/io.ts';
import { codeOf, errorWithCode, isMissing, readPlainFile } from './plain-file.ts';
import { fullDisk, makeFolder, writeFileAtomic } from './write-whole.ts';

export function openFolder(path: string): Folder {
  const root = resolve(path);
  /** Missing files read as `missing`. */
  const reading = <T>(name: string, missing: T, read: (place: string) => Promise<T>): Promise<T> => {
    const place = inside(root, name);
    return withFileErrors(place, 'read', () =>
      read(place).catch((error) => {
        if (isMissing(error)) return missing;
        throw error;
      }),
    );
  };
  const changing = (name: string, verb: string, change: (place: string) => Promise<void>): Promise<void> => {
    const place = inside(root, name);
    return withFileErrors(place, verb, async () => {
      await assertNoLinkOutside(root, place);
      await change(place);
    });
  };
  const readBytes = (name: string) => reading<Buffer | null>(name, null, readPlainFile);
  return {
    path: root,
    readBytes,
    read: async (name) => (await readBytes(name))?.toString('utf8') ?? null,
    write: (name, content, options) =>
      changing(name, 'written', (place) => writeFileAtomic(place, content, options)),
    append: (name, line) =>
      changing(name, 'written', async (place) => {
        makeFolder(dirname(place));
        await appendFile(place, `${line}\n`);
      }),
    tryWrite: (name) => changing(name, 'written', tryWrite),
    files: (name) => reading(name, [], listFilesRecursive),
    sizes: (name) => reading(name, new Map(), listFileSizes),
    foldersIn: (name) => reading(name, [], (place) => namesIn(place, true)),
    remove: (name) => changing(name, 'removed', (place) => rm(place, { recursive: true, force: true })),
  };
}

/** A name that leads out is a defect of the caller, or of an archive that it trusted. */
function inside(root: string, name: string): string {
  const place = resolve(root, name);
  if (place === root || place.startsWith(root.endsWith(sep) ? root : root + sep)) return place;
  throw new UserError({
    code: 'path-outside',
    what: `${JSON.stringify(name)} lies outside of ${root}; nothing was written.`,
    fix: 'Name a place inside of it.',
  });
}

/** A link may have been put where a file is to be: what it points to is not ours. */
async function assertNoLinkOutside(root: string, place: string): Promise<void> {
  const real = await realpath(root).catch(() => root);
  for (let folder = dirname(place); folder.startsWith(root) && folder !== root; folder = dirname(folder)) {
    const target = await realpath(folder).catch(() => null);
    if (target === null) continue;
    if (target === real || target.startsWith(real + sep)) return;
    throw new UserError({
      code: 'path-outside',
      what: `${relative(root, place)} lies behind a link that leads out of ${root}; nothing was written.`,
      fix: 'Remove the link, or put the folder itself in its place.',
    });
  }
}

/** Not behind links, as Node's own walk: a folder that was unpacked from an archive may link to all of the machine. */
async function listFilesRecursive(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const preceding = ['']; preceding.length > 0; ) {
    const path = preceding.pop() ?? '';
    for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
      const name = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory()) preceding.push(name);
      else if (entry.isFile() && !name.endsWith('.tmp')) files.push(name);
    }
  }
  return files.sort();
}

async function listFileSizes(folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const name of await listFilesRecursive(folder)) {
    const found = await stat(join(folder, name)).catch(() => null);
    if (found) sizes.set(name, found.size);
  }
  return sizes;
}

/** The names of the folders in a folder, or of what else is in it, sorted. Throws what the system says. */
export async function namesIn(folder: string, areFolders: boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() === areFolders)
    .map(({ name }) => name)
    .sort();
}

async function withFileErrors<T>(file: string, verb: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UserError) throw error;
    const code = codeOf(error);
    const why = fullDisk[code];
    if (why) {
      const fix = 'What was there before is untouched. Make room, then try again.';
      throw new UnavailableError({ code: 'file-failed', what: `${file} cannot be ${verb}.`, why, fix });
    }
    const isFolder = (await lstat(file).catch(() => null))?.isDirectory();
    throw new UserError({
      code: 'file-failed',
      what: `${file} cannot be ${verb} (${code || 'unknown error'}).`,
      fix: isFolder
        ? 'There is a folder of that name.'
        : (whatHelps[code] ?? 'Look whether it is yours to use.'),
    });
  }
}

const fileOnTheWay = 'A part of its path is a file, and no folder: name another place.';

const whatHelps: Readonly<Record<string, string>> = {
  EEXIST: fileOnTheWay,
  ENOTDIR: fileOnTheWay,
  ENOTFILE: 'It is a pipe or a device, and no file: remove it.',
  EROFS: 'The disk is read-only: copy the folder to one that is not.',
};

/** Throws what the system says. */
export async function tryWrite(file: string): Promise<void> {
  const existing = await stat(file).catch(() => null);
  if (existing) {
    if (!existing.isFile()) throw errorWithCode(existing.isDirectory() ? 'EISDIR' : 'ENOTFILE');
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
