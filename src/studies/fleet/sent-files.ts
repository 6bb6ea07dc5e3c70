/**
 * Files of the user's that a problem names by their paths, on their way to the host that takes its run: as texts by their
 * hashes among the blobs of the run, and once on each host in its cache. Secrets stay. Knows no family.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { JournalError } from '../../core/errors.ts';
import type { TransferredFile } from '../../core/fleet.ts';
import { decodeFolder, encodeFolder } from '../../core/folder-archive.ts';
import type { Folder } from '../../core/io.ts';
import type { Portability } from '../../core/problem.ts';
import type { BlobRow } from '../../core/store.ts';
import { hashText } from '../../run/hash.ts';
import type { Runtime } from '../../run/world.ts';

export type PackedFiles = { readonly files: readonly TransferredFile[]; readonly texts: readonly BlobRow[] };

const mebibyte = 2 ** 20;
const mostBytes = 16 * mebibyte;

/** Names under which people keep passwords and keys. */
const secretName =
  /(?:^|\/)(?:\.env[\w.-]*|\.netrc|\.pgpass|\.npmrc|id_\w+|[^/]*\.(?:env|pem|key|p12|kdbx))$/i;

/** `read`: null where there is no such file. `real`: where its links lead. A sentence: why they stay. */
export async function packFiles(
  { files: paths = [], folder }: Portability,
  read: (path: string) => Promise<string | null>,
  redact: Runtime['redact'] = (text) => text,
  real: (path: string) => Promise<string> = async (path) => path,
): Promise<PackedFiles | string> {
  const files: TransferredFile[] = [];
  const texts: BlobRow[] = [];
  let bytes = 0;
  // By its name, or by that of what it links to.
  const isSecret = async (path: string) => secretName.test(path) || secretName.test(await real(path));
  const secretIn = async (path: string, text: string): Promise<string | null> => {
    if (await isSecret(path)) return `its file ${path} is named like one with secrets, which travel never`;
    if (redact(text) === text) return null;
    return `its file ${path} holds the value of a secret, which travels never`;
  };
  const send = (path: string, text: string, isFolder?: true): string | null => {
    bytes += Buffer.byteLength(text);
    if (bytes > mostBytes)
      return `its files are larger than the ${mostBytes / mebibyte} MiB that travel (with ${path})`;
    const hash = hashText(text);
    files.push({ path, hash, ...(isFolder && { isFolder }) });
    texts.push({ hash, text });
    return null;
  };
  for (const path of paths) {
    // Not even read.
    const text = (await isSecret(path)) ? '' : await read(path);
    if (text === null) return `its file ${path} is gone, and cannot be sent`;
    const why = (await secretIn(path, text)) ?? send(path, text);
    if (why !== null) return why;
  }
  if (folder) {
    const contents = await folder.contents();
    for (const [name, content] of contents) {
      const why = await secretIn(`${folder.path}/${name}`, Buffer.from(content).toString('utf8'));
      if (why !== null) return why;
    }
    const why = send(folder.path, folderText(contents), true);
    if (why !== null) return why;
  }
  return { files, texts };
}

/** For a host to which they were sent: what lies there under their paths is another's. Throws `JournalError`. */
export async function unpackFiles(runtime: Runtime, files: readonly TransferredFile[]): Promise<Runtime> {
  if (files.length === 0) return runtime;
  const dirs = new Map<string, Folder>();
  for (const file of files) {
    const text = await textOf(runtime, file);
    if (file.isFolder) dirs.set(file.path, sharedFolder(file, text));
  }
  const userFolder = (path: string): Folder | null => dirs.get(path) ?? null;
  const userFile = async (path: string): Promise<string | null> => {
    const file = files.find((each) => each.path === path && !each.isFolder);
    return file ? textOf(runtime, file) : null;
  };
  return { ...runtime, io: { ...runtime.io, userFile, userFolder } };
}

const shared = new Map<string, WeakRef<Folder>>();

/** The runs of one workspace share what they make in it, as they do on one host. */
function sharedFolder({ path, hash }: TransferredFile, text: string): Folder {
  const folder = shared.get(hash)?.deref() ?? folderOf(`sent ${hash.slice(0, 8)}: ${path}`, text);
  shared.set(hash, new WeakRef(folder));
  return folder;
}

async function textOf({ io, store }: Runtime, { path, hash }: TransferredFile): Promise<string> {
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

/** As a text, which the store keeps as others. Equal contents give equal texts. */
function folderText(contents: ReadonlyMap<string, Uint8Array>): string {
  const files = [...contents].map(
    ([path, bytes]) => ({ path, bytes, type: 'file', executable: false }) as const,
  );
  return gzipSync(encodeFolder(files)).toString('base64');
}

/** `path`: for people. */
export function folderOf(path: string, text: string): Folder {
  const files = new Map<string, Uint8Array>();
  for (const entry of decodeFolder(gunzipSync(Buffer.from(text, 'base64'))))
    if (entry.type === 'file') files.set(entry.path, entry.bytes);
  const below = (folder: string): readonly string[] =>
    [...files.keys()]
      .filter((name) => name.startsWith(`${folder}/`))
      .map((name) => name.slice(folder.length + 1));
  const textOf = (bytes: Uint8Array | undefined): string | null =>
    bytes === undefined ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return {
    path,
    read: async (name) => textOf(files.get(name)),
    readBytes: async (name) => files.get(name) ?? null,
    write: async (name, content) =>
      void files.set(name, typeof content === 'string' ? Buffer.from(content) : content),
    append: async (name, line) =>
      void files.set(name, Buffer.from(`${textOf(files.get(name)) ?? ''}${line}\n`)),
    tryWrite: async () => undefined,
    files: async (folder) => below(folder).toSorted(),
    sizes: async (folder) =>
      new Map(below(folder).map((name) => [name, files.get(`${folder}/${name}`)?.byteLength ?? 0])),
    foldersIn: async (folder) =>
      [
        ...new Set(
          below(folder).flatMap((name) => (name.includes('/') ? [name.slice(0, name.indexOf('/'))] : [])),
        ),
      ].sort(),
    remove: async (name) => {
      for (const each of [name, ...below(name).map((file) => `${name}/${file}`)]) files.delete(each);
    },
  };
}
