/**
 * What a folder may do before its user trusts it: pure decisions over owners, modes, hashes and records. It reads no file and
 * asks nobody.
 */
import { UserError } from '../../core/errors.ts';
import { oneLine, shellWord } from '../../text/format.ts';

/** A file that decides what runs, which key is used or where it is sent. */
export type ActingFile = {
  readonly name: string;
  /** Changes with the file and with what it imports. */
  readonly digest: string;
  /** What the file brings, for people. */
  readonly effect: string;
};

/** `folder` is a real path; `uid` is null where the system has no owners. */
export type ActingFolder = {
  readonly folder: string;
  readonly uid: number | null;
  readonly files: readonly ActingFile[];
};

/** What the user has trusted: the folder as it was then. */
export type TrustRecord = {
  readonly folder: string;
  readonly uid: number | null;
  /** Digests by name. A store that is being written has two. */
  readonly files: Readonly<Record<string, readonly string[]>>;
};

/** The files that are new or have changed since the folder was trusted. */
export function untrustedFiles(found: ActingFolder, record: TrustRecord | null): readonly ActingFile[] {
  const isSame = record !== null && record.folder === found.folder && record.uid === found.uid;
  const known = isSame ? record.files : {};
  return found.files.filter(
    ({ name, digest }) => !Object.hasOwn(known, name) || !known[name]?.includes(digest),
  );
}

/** The record after `files` of the folder were trusted too. A record of another owner counts for nothing. */
export function withTrusted({ folder, uid, files }: ActingFolder, before: TrustRecord | null): TrustRecord {
  const kept = before?.folder === folder && before.uid === uid ? before.files : {};
  const added = Object.fromEntries(files.map(({ name, digest }) => [name, [digest]]));
  return { folder, uid, files: { ...kept, ...added } };
}

export type Ownership = { readonly uid: number; readonly gid: number; readonly mode: number };

/**
 * Why a file may be the work of another user; null if only `user` can have written it. A group with the number of the user is
 * the user's private one. Undefined where the system has no owners.
 */
export function ownershipIssue({ uid, gid, mode }: Ownership, user: number | undefined): string | null {
  if (user === undefined) return null;
  if (uid !== user) return uid === 0 ? 'it belongs to root' : `it belongs to another user of this machine`;
  const isGroupWritable = (mode & 0o020) !== 0 && gid !== user;
  return isGroupWritable || (mode & 0o002) !== 0 ? 'other users can write it' : null;
}

/** The same of a folder on the way to a file: root's are safe, and in one with a sticky bit nobody moves files of others. */
export function parentIssue(ownedRun: Ownership, user: number | undefined): string | null {
  const isSticky = (ownedRun.mode & 0o1000) !== 0;
  const closed = isSticky ? { ...ownedRun, mode: ownedRun.mode & ~0o022 } : ownedRun;
  return ownershipIssue(ownedRun.uid === 0 ? { ...closed, uid: user ?? 0 } : closed, user);
}

/** Reads `POLYA_TRUST`: `1` trusts every folder that the call meets, else only the folders that it lists. */
export function isTrustedByVariable(text: string | undefined, folder: string): boolean {
  const value = text?.trim() ?? '';
  if (value === '' || value === '0') return false;
  if (value === '1') return true;
  const entries = value.split(':');
  if (entries.every((each) => each.startsWith('/')))
    return entries.some((each) => (each.replace(/\/+$/, '') || '/') === folder);
  throw new UserError({
    code: 'trust-variable-invalid',
    what: `The variable POLYA_TRUST is neither 1 nor a list of folders: "${value}".`,
    fix: 'Set it to 1, or to absolute folders with colons between them.',
  });
}

export function untrustedError({ folder, files }: Pick<ActingFolder, 'folder' | 'files'>): UserError {
  const names = files.map(({ name }) => name).join(', ');
  return new UserError({
    code: 'folder-untrusted',
    what: `You have not trusted ${oneLine(folder)}, or it has changed since: ${names}.`,
    why: 'Whoever wrote these files would decide what runs here, and where your keys go. Until you trust the folder, Polya only shows what it holds.',
    fix: `Read them, then run \`polya trust ${shellWord(folder)}\`. A script sets POLYA_TRUST=1, or POLYA_TRUST=${shellWord(folder)}.`,
  });
}
