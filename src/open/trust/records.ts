/** Keeps the records of trusted folders: a file for each, in the folder of the user's settings, outside of what is trusted. */
import { readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ExplainedError, UnavailableError, UserError } from '../../core/errors.ts';
import { jsonIn } from '../../core/json.ts';
import { configFolder, type Environment } from '../../io/home.ts';
import { isMissing, plainText, readPlainFileSync } from '../../io/plain-file.ts';
import { writeFileAtomicSync } from '../../io/write-whole.ts';
import { hashText } from '../../run/hash.ts';
import { systemReason } from '../../text/system-reason.ts';
import { isPrivate } from './acting-files.ts';
import { ownershipIssue, type TrustRecord } from './decide.ts';

const schema = z.strictObject({
  folder: z.string(),
  uid: z.number().nullable(),
  // Earlier versions kept one digest of each.
  files: z.record(
    z.string(),
    z.preprocess((value) => [value].flat(), z.array(z.string())),
  ),
});

const addresses = z.array(z.strictObject({ provider: z.string(), url: z.string() }));

export type KnownAddress = z.infer<typeof addresses>[number];

const maxBytes = 1_000_000;

/** Null where there is none, or where it cannot be read: then the user is asked again. */
export function readRecord(folder: string, env: Environment): TrustRecord | null {
  return parsed(recordFile(folder, env), schema);
}

export function writeRecord(record: TrustRecord, env: Environment): void {
  write(recordFile(record.folder, env), record);
}

export function removeRecord(folder: string, env: Environment): boolean {
  const exists = readRecord(folder, env) !== null;
  const file = recordFile(folder, env);
  withRecordLock(file, () => rmSync(file, { force: true }));
  return exists;
}

export function listRecords(env: Environment): readonly TrustRecord[] {
  const names = namesIn(recordFolder(env)).filter((name) => name.startsWith('folder-'));
  const found = names.flatMap((name) => parsed(join(recordFolder(env), name), schema) ?? []);
  return found.toSorted((one, other) => (one.folder < other.folder ? -1 : 1));
}

/** The addresses that the user named, with the providers whose keys may go there. */
export function readAddresses(env: Environment): readonly KnownAddress[] {
  return parsed(addressFile(env), addresses) ?? [];
}

export function writeAddresses(known: readonly KnownAddress[], env: Environment): void {
  write(addressFile(env), known);
}

function recordFolder(env: Environment): string {
  return join(configFolder(env), 'trusted');
}

function recordFile(folder: string, env: Environment): string {
  return join(recordFolder(env), `folder-${hashText(folder)}.json`);
}

function addressFile(env: Environment): string {
  return join(recordFolder(env), 'addresses.json');
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function write(file: string, value: object): void {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  withRecordLock(file, () => writeFileAtomicSync(file, text, { mode: 0o600, folderMode: 0o700 }));
}

function withRecordLock(file: string, change: () => void): void {
  try {
    change();
  } catch (error) {
    throw new UnavailableError({
      code: 'trust-record-unwritable',
      what: `The record of trust ${file} cannot be changed.`,
      why: systemReason(error),
      fix: 'Make room, or name a folder that can be written with XDG_CONFIG_HOME. A script sets POLYA_TRUST=1.',
    });
  }
}

/** For what need not be remembered: where no record can be kept, the user is asked the next time. */
export function ifRecordable(keep: () => void): void {
  try {
    keep();
  } catch (error) {
    if (!(error instanceof ExplainedError) && !(error instanceof Error && 'syscall' in error)) throw error;
  }
}

function parsed<T>(file: string, form: z.ZodType<T>): T | null {
  let text: string;
  try {
    for (const path of [dirname(file), file]) assertOwnFile(path);
    text = plainText(readPlainFileSync(file, maxBytes));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  return form.safeParse(jsonIn(text)).data ?? null;
}

/** Whoever can write a record could trust their own folder with it. */
function assertOwnFile(path: string): void {
  const own = ownershipIssue(statSync(path), process.getuid?.());
  const issue = own ?? (isPrivate(dirname(path)) ? null : 'other users can write a folder that it lies in');
  if (issue === null) return;
  throw new UserError({
    code: 'trust-record-foreign',
    what: `The record of trusted folders ${path} cannot be used: ${issue}.`,
    fix: `Make it yours alone (mode 700 for the folder, 600 for a file), or remove it and trust your folders again.`,
  });
}
