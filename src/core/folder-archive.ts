/**
 * The archive of a program's working folder, between one sandbox and the next: records of `name length`, a newline, and
 * that many bytes. Folders come before what lies in them. Only folders and regular files with names in UTF-8 are kept: no
 * links, owners or times, so equal folders have equal archives.
 *
 *     folder 4      path 10            executable 9      end 0
 *     data          data/a.txt         #!/bin/sh
 *                   file 5
 *                   Hello
 */

export type FolderEntry =
  | { readonly type: 'folder'; readonly path: string }
  | {
      readonly type: 'file';
      readonly path: string;
      readonly executable: boolean;
      readonly bytes: Uint8Array;
    };

/** An archive that is cut off, of another form, or has a path that leads out of its folder. */
export class BadArchive extends Error {}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });
const longestHead = 64;

/** In the order of paths, whatever the order of the entries. */
export function encodeFolder(entries: readonly FolderEntry[]): Uint8Array {
  const parts = inOrder(entries).flatMap((entry) => {
    const path = encoder.encode(entry.path);
    if (entry.type === 'folder') return record('folder', path);
    return [...record('path', path), ...record(entry.executable ? 'executable' : 'file', entry.bytes)];
  });
  return joined([...parts, ...record('end', new Uint8Array())]);
}

/** The bytes of the files are views of the archive, not copies. */
export function decodeFolder(archive: Uint8Array): readonly FolderEntry[] {
  const entries: FolderEntry[] = [];
  let path: string | null = null;
  for (const { name, bytes } of recordsIn(archive)) {
    if (path === null) {
      if (name === 'end') return inOrder(removeNameCollisions(entries));
      if (name === 'folder') entries.push({ type: 'folder', path: safePath(bytes) });
      else if (name === 'path') path = safePath(bytes);
      else throw new BadArchive(`A record ${JSON.stringify(name)} stands where none may.`);
    } else if (name === 'file' || name === 'executable') {
      entries.push({ type: 'file', path, executable: name === 'executable', bytes });
      path = null;
    } else throw new BadArchive(`The file ${JSON.stringify(path)} has no content.`);
  }
  throw new BadArchive('It has no end.');
}

/** A relative path of plain names. */
export function isPathWithin(path: string): boolean {
  return (
    path.isWellFormed() &&
    !path.includes('\0') &&
    path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')
  );
}

function* recordsIn(archive: Uint8Array): Generator<{ name: string; bytes: Uint8Array }> {
  let at = 0;
  while (at < archive.length) {
    const end = archive.subarray(at, at + longestHead).indexOf(10);
    const head = end < 0 ? '' : String.fromCharCode(...archive.subarray(at, at + end));
    const [, name = '', size = ''] = /^([a-z]+) (\d{1,15})$/.exec(head) ?? [];
    if (name === '') throw new BadArchive(`There is no record at byte ${at}.`);
    const from = at + end + 1;
    at = from + Number(size);
    if (at > archive.length) throw new BadArchive(`It is cut off in its ${name}.`);
    yield { name, bytes: archive.subarray(from, at) };
  }
}

function removeNameCollisions(entries: readonly FolderEntry[]): readonly FolderEntry[] {
  const files = new Set(entries.flatMap(({ type, path }) => (type === 'file' ? [path] : [])));
  for (const { type, path } of entries) {
    const names = path.split('/');
    const preceding = names.map((_, depth) => names.slice(0, depth).join('/'));
    const pair = [...preceding, ...(type === 'folder' ? [path] : [])].find((each) => files.has(each));
    if (pair !== undefined) throw new BadArchive(`${JSON.stringify(pair)} is a file and a folder at once.`);
  }
  return entries;
}

function safePath(bytes: Uint8Array): string {
  let path: string;
  try {
    path = decoder.decode(bytes);
  } catch {
    throw new BadArchive('A path is no UTF-8.');
  }
  if (!isPathWithin(path)) throw new BadArchive(`The path ${JSON.stringify(path)} leads elsewhere.`);
  return path;
}

function inOrder(entries: readonly FolderEntry[]): readonly FolderEntry[] {
  return entries.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function record(name: string, bytes: Uint8Array): readonly Uint8Array[] {
  return [encoder.encode(`${name} ${bytes.length}\n`), bytes];
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
