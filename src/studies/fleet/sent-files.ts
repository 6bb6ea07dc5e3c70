/**
 * Files of the user's that a problem names by their paths, on their way to the host that takes its run: as texts by their
 * hashes among the blobs of the run, and once on each host in its cache. Secrets stay. Knows no family.
 */
import { JournalError } from '../../core/errors.ts';
import type { SentFile } from '../../core/fleet.ts';
import type { Travel } from '../../core/problem.ts';
import type { BlobRow } from '../../core/store.ts';
import { hashText } from '../../run/hash.ts';
import type { World } from '../../run/world.ts';

export type Packed = { readonly files: readonly SentFile[]; readonly texts: readonly BlobRow[] };

const mebibyte = 2 ** 20;
const mostBytes = 16 * mebibyte;

/** Names under which people keep passwords and keys. */
const secretName =
  /(?:^|\/)(?:\.env[\w.-]*|\.netrc|\.pgpass|\.npmrc|id_\w+|[^/]*\.(?:env|pem|key|p12|kdbx))$/i;

/** `read`: null where there is no such file. `real`: where its links lead. A sentence: why they stay. */
export async function packed(
  { files: paths = [] }: Travel,
  read: (path: string) => Promise<string | null>,
  redact: World['redact'] = (text) => text,
  real: (path: string) => Promise<string> = async (path) => path,
): Promise<Packed | string> {
  const files: SentFile[] = [];
  const texts: BlobRow[] = [];
  let bytes = 0;
  for (const path of paths) {
    // Or is a link to one.
    if (secretName.test(path) || secretName.test(await real(path)))
      return `its file ${path} is named like one with secrets, which travel never`;
    const text = await read(path);
    if (text === null) return `its file ${path} is gone, and cannot be sent`;
    bytes += Buffer.byteLength(text);
    if (bytes > mostBytes)
      return `its files are larger than the ${mostBytes / mebibyte} MiB that travel (with ${path})`;
    if (redact(text) !== text) return `its file ${path} holds the value of a secret, which travels never`;
    const hash = hashText(text);
    files.push({ path, hash });
    texts.push({ hash, text });
  }
  return { files, texts };
}

/** For a host to which they were sent: what lies there under their paths is another's. Throws `JournalError`. */
export async function unpacked(world: World, files: readonly SentFile[]): Promise<World> {
  if (files.length === 0) return world;
  for (const file of files) await textOf(world, file);
  const userFile = async (path: string): Promise<string | null> => {
    const file = files.find((each) => each.path === path);
    return file ? textOf(world, file) : null;
  };
  return { ...world, io: { ...world.io, userFile } };
}

async function textOf({ io, store }: World, { path, hash }: SentFile): Promise<string> {
  const name = `sent/f${hash}.txt`;
  const kept = await io.files.read(name);
  if (kept !== null && hashText(kept) === hash) return kept;
  const text = (await store.blobs([hash])).get(hash);
  if (text === undefined || hashText(text) !== hash)
    throw new JournalError({
      code: 'sent-file-gone',
      what: `The file ${path} is not in the store as it was when the row was given out.`,
      fix: 'Go on with the set on the host that has the file: it is sent again.',
    });
  await io.files.write(name, text);
  return text;
}
