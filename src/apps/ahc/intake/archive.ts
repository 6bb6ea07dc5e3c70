/**
 * An archive, zip or tar.gz by its content, unpacked into memory: plain files alone; links are refused. The directory of a
 * zip is read here because fflate tells neither links nor encryption and checks no checksum. Names that cannot be files
 * on every system, or that stand twice, make the whole archive unusable.
 */
import { crc32, gunzipSync, inflateRawSync } from 'node:zlib';
import { BadArchive } from '../../../core/folder-archive.ts';

/** Throws `BadArchive`: then nothing of it is to be used. */
export function unpack(bytes: Uint8Array): Readonly<Record<string, Uint8Array>> {
  if (isZip(bytes)) return unpackZip(bytes);
  if (isGzip(bytes)) return unpackTarGz(bytes);
  throw new BadArchive(
    looksLikePage(bytes) ? 'It is a web page, no archive.' : 'It is neither zip nor tar.gz.',
  );
}

export function isArchive(bytes: Uint8Array): boolean {
  return isZip(bytes) || isGzip(bytes);
}

const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b;
const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

export function looksLikePage(bytes: Uint8Array): boolean {
  return /^\s*<(!doctype|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 200)));
}

function unpackZip(bytes: Uint8Array): Record<string, Uint8Array> {
  const entries = entriesOfZip(bytes).filter(({ name }) => !name.endsWith('/'));
  const named = entries.map((entry) => [safeName(entry.name), entry] as const);
  refuseCollisions(named.map(([name]) => name));
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  refuseBombs({ files: entries.length, bytes: size, packed: bytes.length });
  return Object.fromEntries(named.map(([name, entry]) => [name, contentOf(bytes, entry)]));
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const localMark = 0x04034b50;

function entriesOfZip(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count === 0xffff || at === 0xffffffff) {
    throw new BadArchive('It is a zip of the large kind (Zip64), which tools never are.');
  }
  return Array.from({ length: count }, () => {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== entryMark) {
      throw new BadArchive('Its directory is damaged.');
    }
    const nameEnd = at + 46 + view.getUint16(at + 28, true);
    const entry = entryAt(view, at, new TextDecoder().decode(bytes.subarray(at + 46, nameEnd)));
    at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    return entry;
  });
}

/** A comment of up to 64 KB may stand behind it. */
function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= first; at -= 1) {
    if (view.getUint32(at, true) === endMark) return at;
  }
  throw new BadArchive('It is no zip, or its end is missing.');
}

function entryAt(view: DataView, at: number, name: string) {
  if ((view.getUint16(at + 8, true) & 1) !== 0) throw new BadArchive(`${JSON.stringify(name)} is encrypted.`);
  // The upper half holds what Unix says of a file.
  const kind = (view.getUint32(at + 38, true) >>> 16) & 0o170000;
  if (![0, 0o100000, 0o040000].includes(kind)) {
    throw new BadArchive(`${JSON.stringify(name)} is a link or a device.`);
  }
  return {
    name,
    method: view.getUint16(at + 10, true),
    crc: view.getUint32(at + 16, true),
    packed: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
  };
}

function contentOf(
  bytes: Uint8Array,
  { name, method, crc, packed, size, offset }: ReturnType<typeof entryAt>,
): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const badArchive = new BadArchive(`${JSON.stringify(name)} is damaged.`);
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== localMark) throw badArchive;
  const from = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (from + packed > bytes.length) throw badArchive;
  if (method !== 0 && method !== 8) {
    throw new BadArchive(`It is packed in a way (${method}) that is not known here.`);
  }
  const data = bytes.subarray(from, from + packed);
  const content = method === 0 ? data.slice() : inflated(data, size);
  if (content?.length !== size || crc32(content) !== crc) throw badArchive;
  return content;
}

/** Null where it is damaged, or larger than its entry says. */
function inflated(data: Uint8Array, size: number): Uint8Array | null {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, size) });
  } catch {
    return null;
  }
}

function unpackTarGz(bytes: Uint8Array): Record<string, Uint8Array> {
  const entries = [...entriesOfTar(gunzipped(bytes))];
  refuseCollisions(entries.map(([name]) => name));
  refuseBombs({ files: entries.length, bytes: 0, packed: bytes.length });
  return Object.fromEntries(entries);
}

/** It stops where there is more than may be, so that a bomb does not go off. */
function gunzipped(bytes: Uint8Array): Uint8Array {
  const packedBytes = bytes.length;
  const most = Math.min(mostBytes, Math.max(smallBytes, packedBytes * mostRatio));
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (error) {
    if (error instanceof RangeError) refuseBombs({ files: 0, bytes: most + 1, packed: packedBytes });
    throw new BadArchive('It is no gzip, it is damaged, or its end is missing.');
  }
}

const block = 512;

function* entriesOfTar(tar: Uint8Array): Generator<readonly [string, Uint8Array]> {
  let longName: string | null = null;
  for (let at = 0; at + block <= tar.length; ) {
    const head = tar.subarray(at, at + block);
    if (head.every((byte) => byte === 0)) return;
    if (sumOf(head) !== octal(head, 148, 8)) throw new BadArchive('A header of the tar is damaged.');
    const size = octal(head, 124, 12);
    const content = tar.subarray(at + block, at + block + size);
    if (content.length < size) throw new BadArchive('It is cut off.');
    at += block + Math.ceil(size / block) * block;
    const type = String.fromCharCode(head[156] ?? 0);
    if (type === 'L') longName = text(content);
    else if (type === 'x') longName = /^\d+ path=(.*)$/m.exec(text(content))?.[1] ?? longName;
    else if (type !== 'g') {
      const name = longName ?? nameIn(head);
      longName = null;
      // Folders are made with their files.
      if (type === '5') continue;
      if (type !== '0' && type !== '\0') {
        throw new BadArchive(`${JSON.stringify(name)} is a link or a device.`);
      }
      yield [safeName(name), content.slice()];
    }
  }
  throw new BadArchive('It is cut off.');
}

function nameIn(head: Uint8Array): string {
  const prefix = text(head.subarray(257, 262)) === 'ustar' ? text(head.subarray(345, 500)) : '';
  return prefix === '' ? text(head.subarray(0, 100)) : `${prefix}/${text(head.subarray(0, 100))}`;
}

/** All bytes of a header, with blanks in the place of the sum itself. */
function sumOf(head: Uint8Array): number {
  return head.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

function octal(head: Uint8Array, from: number, length: number): number {
  const digits = text(head.subarray(from, from + length)).trim();
  if (!/^[0-7]+$/.test(digits)) throw new BadArchive('A header of the tar is damaged.');
  return Number.parseInt(digits, 8);
}

/** Up to the first zero. */
function text(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
}

/** `./a/b` as `a/b`. Throws `BadArchive`. */
export function safeName(name: string): string {
  const plain = name.replace(/^(?:\.\/)+/, '');
  const text = JSON.stringify(name.slice(0, 100));
  if (plain.startsWith('/') || /^[a-z]:/i.test(plain)) throw new BadArchive(`${text} is an absolute name.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no name may hold.
  if (/[\\\x00-\x1f\x7f]/.test(plain) || !plain.isWellFormed()) {
    throw new BadArchive(`${text} holds characters that no name may hold.`);
  }
  const parts = plain.split('/');
  if (parts.some((part) => part === '..' || part === '.')) {
    throw new BadArchive(`${text} leads out of its folder.`);
  }
  if (parts.some((part) => part === '' || Buffer.byteLength(part) > 200) || plain.length > 1000) {
    throw new BadArchive(`${text} has a part that is empty or too long.`);
  }
  return plain;
}

/** Throws `BadArchive` where two names would be one file somewhere, or a file would have to be a folder too. */
export function refuseCollisions(names: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const name of names) {
    const folded = foldedName(name);
    const other = seen.get(folded);
    if (other !== undefined) {
      throw new BadArchive(`${JSON.stringify(other)} and ${JSON.stringify(name)} would be one file.`);
    }
    seen.set(folded, name);
  }
  for (const name of names) {
    const parts = foldedName(name).split('/');
    for (let depth = 1; depth < parts.length; depth += 1) {
      const file = seen.get(parts.slice(0, depth).join('/'));
      if (file !== undefined) throw new BadArchive(`${JSON.stringify(file)} is a file and a folder at once.`);
    }
  }
}

const foldedName = (name: string): string => name.normalize('NFC').toLowerCase();

/** An archive of tools has a few hundred files and some megabytes. */
const mostFiles = 20_000;
const mostBytes = 512 * 1024 * 1024;
/** How many times larger than its archive the content may be, where it is more than a megabyte. */
const mostRatio = 200;
const smallBytes = 1024 * 1024;

/** Throws `BadArchive` where there is more than any contest publishes. */
export function refuseBombs({ files, bytes, packed }: Record<'files' | 'bytes' | 'packed', number>): void {
  if (files > mostFiles) throw new BadArchive(`It holds more than ${mostFiles} files.`);
  if (bytes > mostBytes) throw new BadArchive(`Its content is larger than ${mostBytes} bytes.`);
  if (bytes > smallBytes && bytes > packed * mostRatio) {
    throw new BadArchive(`Its content is more than ${mostRatio} times as large as itself.`);
  }
}
