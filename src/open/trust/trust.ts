/** Whether the user has trusted a folder, by its record or by `POLYA_TRUST`; and how a folder becomes trusted. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { configFolder, configName, type Environment } from '../../io/home.ts';
import { foundAt } from '../../io/plain-file.ts';
import { shellWord } from '../../text/format.ts';
import { actingFile, actingIn, foreignFile, isPrivate, storeDigest } from './acting-files.ts';
import {
  type ActingFile,
  type ActingFolder,
  isTrustedByVariable,
  untrustedError,
  untrustedFiles,
  withTrusted,
} from './decide.ts';
import { readRecord, whereRecordable, writeRecord } from './records.ts';

export function untrustedIn(folder: string, env: Environment): ActingFolder {
  return untrustedOf(actingIn(folder), env);
}

/** The folder with what is not trusted in it: no files where all is. */
export function untrustedOf(found: ActingFolder, env: Environment): ActingFolder {
  if (found.files.length === 0 || isTrustedByVariable(env.POLYA_TRUST, found.folder))
    return { ...found, files: [] };
  return { ...found, files: untrustedFiles(found, readRecord(found.folder, env)) };
}

/** Whether this file of its folder may act; what else is there does not matter. */
export function isTrustedFile(path: string, env: Environment): boolean {
  const real = join(realpathSync(dirname(path)), basename(path));
  const file = actingFile(dirname(real), basename(real));
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
  const foreign = existsSync(path) ? foreignFile(path) : null;
  if (foreign === null) return;
  const file = actingFile(realpathSync(dirname(path)), basename(path));
  if (file !== null && isTrustedIn(realpathSync(dirname(path)), [file], env)) return;
  throw new UserError({
    code: 'file-of-somebody-else',
    what: `${foreign.path} is not used: ${foreign.issue}.`,
    why: 'Its owner can change at any time what it does with your rights and keys.',
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
    path === join(configFolder(env), configName) && foreignFile(path) === null && isPrivate(dirname(path))
  );
}

/** Records what is in the folder now as trusted. */
export function trust(found: ActingFolder, env: Environment): void {
  writeRecord(withTrusted(found, readRecord(found.folder, env)), env);
}

/** The same for files that Polya has just written itself, by name. */
export function trustOwnFiles(path: string, names: readonly string[], env: Environment): void {
  trustIfPrivate(path, env, (folder) => names.flatMap((name) => actingFile(folder, name) ?? []));
}

/** The same for a store that this process has just made, which is still empty. */
export function trustNewStore(home: string, env: Environment): void {
  trustIfPrivate(home, env, (folder) => [
    { name: 'polya.db', digest: storeDigest(join(folder, 'polya.db')), effect: '' },
  ]);
}

/** The same for the log that this process has begun beside a trusted store. A log that holds something may be anybody's. */
export function trustNewLog(home: string, env: Environment): void {
  whereRecordable(() => {
    const folder = realpathSync(home);
    const record = readRecord(folder, env);
    const log = join(folder, 'polya.db-wal');
    if (record?.files['polya.db'] !== storeDigest(join(folder, 'polya.db'))) return;
    if (foundAt(log)?.size !== 0 || record.files['polya.db-wal'] === storeDigest(log)) return;
    writeRecord({ ...record, files: { ...record.files, 'polya.db-wal': storeDigest(log) } }, env);
  });
}

/** Only where nobody else can change the folder. */
function trustIfPrivate(
  path: string,
  env: Environment,
  filesIn: (folder: string) => readonly ActingFile[],
): void {
  whereRecordable(() => {
    const { folder, uid } = actingIn(path);
    if (isPrivate(folder)) trust({ folder, uid, files: filesIn(folder) }, env);
  });
}

function isTrustedIn(folder: string, files: readonly ActingFile[], env: Environment): boolean {
  if (isTrustedByVariable(env.POLYA_TRUST, folder)) return true;
  const { uid } = actingIn(folder);
  return untrustedFiles({ folder, uid, files }, readRecord(folder, env)).length === 0;
}
