/** The one folder on the host that sandboxes read from. It is named `polya-UID`, and no program can write to it. */
import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { UnavailableError } from '../core/errors.ts';
import { findExecutable, pathFolders } from './executables.ts';
import { compilerNames, installHint } from './needs.ts';
import { type FilterArch, seccompFilter } from './seccomp.ts';
import { digest, isOutOfSpace, makeOnce } from './staged-file.ts';

export type StagingArea = {
  readonly folder: string;
  /** Locks of the users that programs run as. */
  readonly slotsFolder: string;
  readonly runner: string;
  readonly filter: string;
  readonly passwd: string;
};

const run = promisify(execFile);
const runnerSources = join(import.meta.dirname, 'runner');
const compilerFlags = ['-std=gnu17', '-O2'];
/** For a compiler that hangs: on a busy machine, two seconds of its time have taken half a minute. */
const buildTimeoutMs = 300_000;
/** Some runtimes ask who they are, and make a folder named `?` if they get no answer. */
const passwdText = 'polya:x:1000:1000::/tmp:/bin/sh\n';

/** A folder of ours below `parent`, or null where another user could tamper with it or a program not reach it. */
export async function stagingFolder(parent: string, uid: number): Promise<string | null> {
  try {
    const place = await realpath(parent);
    if (!(await isReachable(place, uid))) return null;
    const folder = join(place, `polya-${uid}`);
    await mkdir(folder, { mode: 0o711 }).catch(() => {});
    const found = await lstat(folder);
    if (!found.isDirectory() || found.uid !== uid) return null;
    await chmod(folder, 0o711);
    return folder;
  } catch {
    return null;
  }
}

/** As root we hand programs to other users, so everybody must be able to pass. */
async function isReachable(folder: string, uid: number): Promise<boolean> {
  const { mode } = await stat(folder);
  const isOpenToRenames = (mode & 0o1002) === 0o002;
  if (isOpenToRenames || (uid === 0 && (mode & 0o001) === 0)) return false;
  return folder === '/' || isReachable(dirname(folder), uid);
}

/** The place is full, or not to be written to; another may do. */
export class OutOfSpaceError extends UnavailableError {}

/** In the first of these that a folder of ours can be in and that has room; null where none can hold one. */
export async function stageInFirst(
  parents: readonly string[],
  { uid, arch }: { uid: number; arch: FilterArch },
): Promise<StagingArea | null> {
  let full: OutOfSpaceError | null = null;
  for (const parent of parents) {
    const folder = await stagingFolder(parent, uid);
    if (folder === null) continue;
    try {
      return await stage(folder, arch);
    } catch (error) {
      if (!(error instanceof OutOfSpaceError)) throw error;
      full ??= error;
    }
  }
  if (full !== null) throw full;
  return null;
}

/** Cheap when everything is there already, as it is after the first time. */
export async function stage(folder: string, arch: FilterArch): Promise<StagingArea> {
  const slotsFolder = join(folder, 'slots');
  try {
    await mkdir(slotsFolder, { recursive: true, mode: 0o700 });
    return {
      folder,
      slotsFolder,
      runner: await stageRunner(folder),
      filter: await stageBytes(folder, 'filter', seccompFilter(arch)),
      passwd: await stageBytes(folder, 'passwd', Buffer.from(passwdText)),
    };
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
    throw new OutOfSpaceError({
      code: 'no-room',
      what: 'There is no sandbox to run code in.',
      why: `There is no room in ${folder} for the files that every sandbox shares.`,
      fix: 'Free some room there, or set TMPDIR to a folder on another disk.',
    });
  }
}

/** The name tells the content, so that another version of Polya beside us does not disturb. */
async function stageBytes(folder: string, name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, `${name}-${digest([bytes])}`);
  await makeOnce(path, (draft) => writeFile(draft, bytes, { mode: 0o444 }));
  return path;
}

async function stageRunner(folder: string): Promise<string> {
  const compiler = await findExecutable(compilerNames, pathFolders());
  if (compiler === null) {
    throw new UnavailableError({
      code: 'no-sandbox',
      what: 'The sandbox cannot be set up: no C compiler is installed.',
      why: 'A small program that watches programs inside the sandbox is built once on this machine.',
      fix: installHint('g++'),
    });
  }
  const names = (await readdir(runnerSources)).filter((name) => /\.[ch]$/.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(runnerSources, name))));
  const { mtimeMs, size } = await stat(compiler);
  const key = digest([...texts, Buffer.from([compiler, mtimeMs, size, ...compilerFlags].join(' '))]);
  const path = join(folder, `runner-${key}`);
  const sources = names.filter((name) => name.endsWith('.c')).map((name) => join(runnerSources, name));
  await makeOnce(path, async (draft) => {
    await build(compiler, [...compilerFlags, '-o', draft, ...sources], folder);
    await chmod(draft, 0o555);
  });
  return path;
}

/** What the compiler makes by the way goes to the same place: the usual one may be the one that is full. */
async function build(compiler: string, args: readonly string[], temporary: string): Promise<void> {
  try {
    await run(compiler, args, { timeout: buildTimeoutMs, env: { ...process.env, TMPDIR: temporary } });
  } catch (error) {
    throw new UnavailableError({
      code: 'no-sandbox',
      what: 'The sandbox cannot be set up: its runner does not compile.',
      why: error instanceof Error ? error.message : String(error),
      fix: installHint('g++ libc6-dev'),
    });
  }
}
