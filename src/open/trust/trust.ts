/** Whether the user has trusted a folder, by its record or by `POLYA_TRUST`; and how a folder becomes trusted. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UserError } from '../../core/errors.ts';
import { configFolder, configName, type Environment } from '../../io/home.ts';
import { foundAt } from '../../io/plain-file.ts';
import { shellWord } from '../../text/format.ts';
import {
  checkFileOwner,
  findActingFiles,
  isPrivate,
  ownerOf,
  readActingFile,
  storeDigest,
} from './acting-files.ts';
import {
  type ActingFile,
  type ActingFolder,
  isTrustedByVariable,
  type TrustRecord,
  untrustedError,
  untrustedFiles,
  withTrusted,
} from './decide.ts';
import { ifRecordable, readRecord, writeRecord } from './records.ts';

export function findUntrusted(folder: string, env: Environment): ActingFolder {
  return filterUntrusted(findActingFiles(folder), env);
}

/** The folder with what is not trusted in it: no files where all is. */
export function filterUntrusted(found: ActingFolder, env: Environment): ActingFolder {
  if (found.files.length === 0 || isTrustedByVariable(env.POLYA_TRUST, found.folder))
    return { ...found, files: [] };
  return { ...found, files: untrustedNow(found, env) };
}

/** A run that starts meanwhile renews the record and then the store: what does not match is read again between two same records. */
function untrustedNow(found: ActingFolder, env: Environment): readonly ActingFile[] {
  const record = readRecord(found.folder, env);
  const untrusted = untrustedFiles(found, record);
  if (untrusted.length === 0) return untrusted;
  const files = untrusted.flatMap(({ name }) => readActingFile(found.folder, name) ?? []);
  const reread = { ...found, files };
  const isUnchanged = isDeepStrictEqual(readRecord(found.folder, env), record);
  return isUnchanged ? untrustedFiles(reread, record) : untrustedNow(reread, env);
}

/** Whether this file of its folder may act; what else is there does not matter. */
export function isTrustedFile(path: string, env: Environment): boolean {
  const real = join(realpathSync(dirname(path)), basename(path));
  const file = readActingFile(dirname(real), basename(real));
  if (file === null) return true;
  return isTrustedIn(dirname(real), [file], env);
}

/** Throws `UserError` for a configuration that the user has not trusted. */
export function requireTrusted(path: string, env: Environment): void {
  if (isTrustedFile(path, env)) return;
  const folder = realpathSync(dirname(path));
  throw untrustedError({ folder, files: [{ name: basename(path), digest: '', effect: '' }] });
}

/** Throws `UserError` where a file that the user names was written by somebody else and is not trusted. */
export function requireOwn(path: string, env: Environment): void {
  const foreign = existsSync(path) ? checkFileOwner(path) : null;
  if (foreign === null) return;
  const file = readActingFile(realpathSync(dirname(path)), basename(path));
  if (file !== null && isTrustedIn(realpathSync(dirname(path)), [file], env)) return;
  throw new UserError({
    code: 'file-of-somebody-else',
    what: `${foreign.path} is not used: ${foreign.issue}.`,
    why: 'Somebody else can change at any time what it does with your rights and keys.',
    fix: `Read it, then run \`polya trust ${shellWord(path)}\`, or copy it. A script sets POLYA_TRUST=1.`,
  });
}

/** The same for settings of all folders, in whose place nobody else may be able to put others. */
export function requireOwnSettings(path: string, env: Environment): void {
  requireOwn(path, env);
  if (!existsSync(path) || isPrivate(dirname(path)) || isTrustedByVariable(env.POLYA_TRUST, dirname(path)))
    return;
  throw new UserError({
    code: 'file-of-somebody-else',
    what: `${path} is not used: other users can write a folder that it lies in.`,
    fix: 'Close the folders to them (`chmod go-w`), or name your own with HOME or XDG_CONFIG_HOME.',
  });
}

/** The configuration of all folders: it needs no trust if only the user can have written it. */
export function isUsersOwn(path: string, env: Environment): boolean {
  return (
    path === join(configFolder(env), configName) && checkFileOwner(path) === null && isPrivate(dirname(path))
  );
}

/** Records what is in the folder now as trusted. */
export function trust(found: ActingFolder, env: Environment): void {
  writeRecord(withTrusted(found, readRecord(found.folder, env)), env);
}

/** The same for files that Polya has just written itself, by name. */
export function trustOwnFiles(path: string, names: readonly string[], env: Environment): void {
  trustIfPrivate(path, env, (folder) => names.flatMap((name) => readActingFile(folder, name) ?? []));
}

/** The same for a store that this process has just made, which is still empty. */
export function trustNewStore(home: string, env: Environment): void {
  trustIfPrivate(home, env, (folder) => [
    { name: 'polya.db', digest: storeDigest(join(folder, 'polya.db')), effect: '' },
  ]);
}

/** The same for the log that this process has begun beside a trusted store. A log that holds something may be anybody's. */
export function trustNewLog(home: string, env: Environment, identity: string): void {
  ifRecordable(() => {
    const folder = realpathSync(home);
    const record = recordOfStore(folder, env, identity);
    const log = join(folder, 'polya.db-wal');
    if (record === null || foundAt(log)?.size !== 0) return;
    const digest = storeDigest(log);
    if (!record.files['polya.db-wal']?.includes(digest)) rerecord(record, { 'polya.db-wal': [digest] }, env);
  });
}

/**
 * Records the identity that a trusted store is about to get, beside the one that it has: a kill may come between the record
 * and the store. False where the store is not trusted, or no record can be kept.
 */
export function trustRenewal(
  home: string,
  env: Environment,
  { before, after }: { readonly before: string; readonly after: string },
): boolean {
  let isRecorded = false;
  ifRecordable(() => {
    const folder = realpathSync(home);
    const record = recordOfStore(folder, env, before);
    if (record === null) return;
    const digests = [before, after].map((identity) => storeDigest(join(folder, 'polya.db'), identity));
    rerecord(record, { 'polya.db': digests }, env);
    isRecorded = true;
  });
  return isRecorded;
}

/** The record that knows the store of the folder by this identity. */
function recordOfStore(folder: string, env: Environment, identity: string): TrustRecord | null {
  const record = readRecord(folder, env);
  const digest = storeDigest(join(folder, 'polya.db'), identity);
  return record?.files['polya.db']?.includes(digest) ? record : null;
}

function rerecord(record: TrustRecord, files: TrustRecord['files'], env: Environment): void {
  writeRecord({ ...record, files: { ...record.files, ...files } }, env);
}

/** Only where nobody else can change the folder. */
function trustIfPrivate(
  path: string,
  env: Environment,
  filesIn: (folder: string) => readonly ActingFile[],
): void {
  ifRecordable(() => {
    const folder = realpathSync(path);
    if (isPrivate(folder)) trust({ folder, uid: ownerOf(folder), files: filesIn(folder) }, env);
  });
}

function isTrustedIn(folder: string, files: readonly ActingFile[], env: Environment): boolean {
  if (isTrustedByVariable(env.POLYA_TRUST, folder)) return true;
  return untrustedNow({ folder, uid: ownerOf(folder), files }, env).length === 0;
}
