/** A folder that came with a run from another host, in memory. What is written into it is gone with the process. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { decodeFolder, encodeFolder } from '../../core/folder-archive.ts';
import type { Folder } from '../../core/io.ts';

/** As a text, which the store keeps as others. Equal contents give equal texts. */
export function folderText(contents: ReadonlyMap<string, Uint8Array>): string {
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
