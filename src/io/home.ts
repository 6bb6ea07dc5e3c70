/** Which folders Polya uses: `.polya/` for journals, and XDG folders for caches, cookies and settings. */
import { existsSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { UnavailableError, UserError } from '../core/errors.ts';
import { systemReason } from '../text/system-reason.ts';
import { rejectLinks } from './no-links.ts';
import { codeOf, foundAt, isMissing, readPlainFileSync } from './plain-file.ts';
import { fullDisk, makeFolder } from './write-whole.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

const homeName = '.polya';
const ignoreName = '.gitignore';

/** The user's configuration, beside `.polya/`. */
export const configName = 'polya.config.ts';

/** `POLYA_HOME`, else `.polya/` in the project's folder, or in `from` without a project. It need not exist. */
export function findHome(from: string, env: Environment): { folder: string; exists: boolean } {
  const named = env.POLYA_HOME?.trim();
  if (named) return { folder: resolve(from, named), exists: isFolder(resolve(from, named)) };
  const folder = join(findProject(from) ?? resolve(from), homeName);
  return { folder, exists: isFolder(folder) };
}

/** The nearest folder at or above `from` that has journals or a configuration; null where there is none. */
export function findProject(from: string): string | null {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const config = join(folder, configName);
    if (isFolder(join(folder, homeName)) || (existsSync(config) && isProjectMarker(config, from)))
      return folder;
    if (folder === dirname(folder)) return null;
  }
}

/** Whether the journals go beside this configuration: not where anybody has put one into /tmp. It says nothing of trust. */
function isProjectMarker(file: string, folder: string): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true;
  const [owner, ofFolder] = [file, folder].map((path) => foundAt(path)?.uid);
  return owner !== undefined && [user, 0, ofFolder].includes(owner);
}

/** A folder of journals that Polya finds by itself is no link: only its user may say by `POLYA_HOME` where one leads. */
export function assertHomeIsNoLink(folder: string): void {
  if (basename(folder) === homeName) rejectLinks(dirname(folder), homeName);
}

/** Makes the folder, private and invisible to git. */
export function makeHome(folder: string): void {
  assertHomeIsNoLink(folder);
  rejectLinks(folder, ignoreName);
  try {
    const isNew = makeFolder(folder, { mode: 0o700 });
    const ignore = join(folder, ignoreName);
    // A folder that its user made and named may hold more than is ours to hide.
    const isLocal = isNew || basename(folder) === homeName;
    if (!isHidden(ignore)) hideFromGit(ignore, isLocal ? '*\n' : oursAlone, isNew);
  } catch (error) {
    const what = `The folder ${folder} cannot be made or written.`;
    const why = systemReason(error);
    if (Object.hasOwn(fullDisk, codeOf(error))) {
      const fix = 'Make room, then try again.';
      throw new UnavailableError({ code: 'folder-unwritable', what, why, fix });
    }
    const fix = 'Go to a folder that is yours, or name one with POLYA_HOME.';
    throw new UserError({ code: 'folder-unwritable', what, why, fix });
  }
}

/** Journals hold puzzle texts, and those belong in no repository, wherever their user keeps them. */
const oursAlone = '/polya.db*\n/practice/\n/late/\n/.gitignore\n';

/** A full disk leaves an empty file, which hides nothing; what its user wrote into one is left alone. */
function isHidden(ignore: string): boolean {
  try {
    return readPlainFileSync(ignore).toString().trim() !== '';
  } catch (error) {
    // A pipe without a reader would keep its writer waiting for ever.
    return !isMissing(error);
  }
}

/** A folder that may only be read is as good without: its journals can still be shown. */
function hideFromGit(ignore: string, what: string, isNew: boolean): void {
  try {
    writeFileSync(ignore, what, { mode: 0o600 });
  } catch (error) {
    if (!isNew) return;
    // Else the next try would find a folder that is not new, and a file that hides nothing.
    rmSync(ignore, { force: true });
    rmdirSync(dirname(ignore));
    throw error;
  }
}

/** What can be fetched or made again: puzzle pages, inputs, compiled tools. */
export function cacheFolder(env: Environment): string {
  return join(xdgDirectory(env, 'XDG_CACHE_HOME', '.cache'), 'polya');
}

/** Settings and secrets of the user. */
export function configFolder(env: Environment): string {
  return join(xdgDirectory(env, 'XDG_CONFIG_HOME', '.config'), 'polya');
}

function xdgDirectory(env: Environment, variable: string, fallback: string): string {
  const named = env[variable];
  // The rules say that a relative path is to be ignored.
  return named?.startsWith('/') ? named : join(homeOf(env), fallback);
}

/** A relative one counts as none. */
export function homeOf({ HOME }: Environment): string {
  const folder = HOME?.startsWith('/') ? HOME : homedir();
  return folder.startsWith('/') ? folder : userInfo().homedir;
}

function isFolder(path: string): boolean {
  return foundAt(path)?.isDirectory() ?? false;
}
