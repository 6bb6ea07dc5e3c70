/** Finds the files of a folder that act: each with its digest, and what it would bring. It runs none of them. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { configName } from '../../io/home.ts';
import { codeOf, foundAt, plainText, readPlainFileSync } from '../../io/plain-file.ts';
import { hashText } from '../../run/hash.ts';
import { readIdentity } from '../../store/connections.ts';
import { codeIn, hashOfCode } from '../user-code/code-text.ts';
import { type ActingFile, type ActingFolder, ownershipIssue, parentIssue } from './decide.ts';
import { screenFileVariables } from './variables.ts';

type Reader = { readonly name: string; read(path: string): Omit<ActingFile, 'name'> | null };

/** No file of settings is longer; one that is longer is not read. */
export const maxActingBytes = 16 * 2 ** 20;

const readers: readonly Reader[] = [
  { name: '.env', read: readEnvFile },
  { name: configName, read: (path) => fingerprintCode(path, 'code that runs with your rights') },
  { name: 'ahc_config.yaml', read: (path) => text(path, 'sandbox, model, programs and image of a contest') },
  { name: 'polya.yaml', read: (path) => text(path, 'sandbox, model and programs of contests') },
  { name: 'polya.db', read: readStore },
  { name: 'polya.db-wal', read: readLog },
  { name: 'polya.db-journal', read: readLog },
];

const readersByName = new Map(readers.map((reader) => [reader.name, reader]));

/** `names`: other files that the user wants to trust there. */
export function findActingFiles(path: string, names: readonly string[] = []): ActingFolder {
  const folder = realpathSync(path);
  const own = readers.flatMap(({ name }) => readActingFile(folder, name) ?? []);
  // The image of a workspace is built from it.
  const siblings = [...(own.some(({ name }) => name === 'ahc_config.yaml') ? ['Dockerfile'] : []), ...names];
  return {
    folder,
    uid: ownerOf(folder),
    files: [...own, ...siblings.flatMap((name) => readActingFile(folder, name) ?? [])],
  };
}

/** Null where the system has no owners. */
export function ownerOf(path: string): number | null {
  return process.getuid === undefined ? null : statSync(path).uid;
}

/** Null where there is no file of this name, or where it brings nothing. */
export function readActingFile(folder: string, name: string): ActingFile | null {
  const path = join(folder, name);
  const stats = foundAt(path);
  if (!stats || stats.isDirectory()) return null;
  const reader = readersByName.get(name);
  const read =
    reader?.read ?? ((file: string) => (isCode(name) ? fingerprintCode(file, 'code') : text(file, 'a file')));
  const found = read(path);
  return found && { name, ...found };
}

/** Why the file, or one that it imports, may be the work of another user; null if only the user can have written it. */
export function checkFileOwner(path: string): { readonly path: string; readonly issue: string } | null {
  const real = realpathSync(path);
  const user = process.getuid?.();
  for (const each of [real, ...codeIn(real).keys()]) {
    const issue =
      ownershipIssue(statSync(each), user) ?? (isCode(each) ? folderIssue(dirname(each), user) : null);
    if (issue !== null && !isOfPolya(each)) return { path: each, issue };
  }
  return null;
}

const isCode = (name: string): boolean => /\.[cm]?[jt]s$/.test(name);

/** Whoever can write a folder above a file can put another file in its place. */
function folderIssue(path: string, user: number | undefined): string | null {
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    const issue = parentIssue(statSync(folder), user);
    if (issue !== null) return `a folder that it lies in can be changed by others (${folder}: ${issue})`;
    if (folder === dirname(folder)) return null;
  }
}

/** Whether nobody but the user can change what lies in the folder, by its owner, its mode and those of all folders above it. */
export function isPrivate(path: string): boolean {
  const user = process.getuid?.();
  return (
    ownershipIssue(statSync(path), user) === null && folderIssue(dirname(realpathSync(path)), user) === null
  );
}

const ownRoot = join(import.meta.dirname, '../../..');

/** The code of this very program runs anyway. */
function isOfPolya(path: string): boolean {
  return path.startsWith(`${realpathSync(ownRoot)}/`) && basename(path) !== configName;
}

/** What a pipe or a device gives is new each time, so no digest stands for it. */
const endless = { digest: '', effect: 'a pipe or a device' };

function fingerprintCode(path: string, effect: string): Omit<ActingFile, 'name'> {
  if (!foundAt(path)?.isFile()) return endless;
  const real = realpathSync(path);
  const imported = codeIn(real).size - 1;
  const also = imported > 0 ? `, with ${imported} ${imported === 1 ? 'file' : 'files'} that it imports` : '';
  return { digest: hashOfCode(real), effect: `${effect}${also}` };
}

function text(path: string, effect: string): Omit<ActingFile, 'name'> {
  return foundAt(path)?.isFile() ? { digest: hashText(bytesOf(path)), effect } : endless;
}

function readEnvFile(path: string): Omit<ActingFile, 'name'> | null {
  const bytes = bytesOf(path);
  const names = Object.keys(screenFileVariables(parseEnv(plainText(bytes)), {}).accepted);
  return names.length === 0 ? null : { digest: hashText(bytes), effect: names.join(', ') };
}

/** A store changes with each run: it is known by its file and its identity, not by its content. An empty one acts only by who reads it later. */
function readStore(path: string): Omit<ActingFile, 'name'> | null {
  const stats = statSync(path);
  const digest = storeDigest(path, readIdentity(path));
  if (stats.size > 0) return { digest, effect: 'runs that go on with their settings, prompts and code' };
  const issue = ownershipIssue(stats, process.getuid?.());
  return issue === null ? null : { digest, effect: `a store for your runs: ${issue}` };
}

/** Whoever wrote it: SQLite puts what it holds in the place of what the store holds. */
function readLog(path: string): Omit<ActingFile, 'name'> | null {
  if (statSync(path).size === 0) return null;
  return { digest: storeDigest(path), effect: 'a log of changes that replaces what the store holds' };
}

export function storeDigest(path: string, identity = ''): string {
  const { ino, birthtimeNs } = statSync(path, { bigint: true });
  return `${ino}:${birthtimeNs}${identity && `:${identity}`}`;
}

/** What cannot be read acts neither, but it may be readable the next time. */
function bytesOf(path: string): Uint8Array {
  if (!existsSync(path)) return new Uint8Array();
  try {
    return readPlainFileSync(path, maxActingBytes);
  } catch (error) {
    return new TextEncoder().encode(`unreadable: ${codeOf(error)}`);
  }
}
