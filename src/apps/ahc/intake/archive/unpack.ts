/**
 * An archive, zip or tar.gz by its content and not by its name, unpacked into memory: plain files alone; links are refused.
 * The directory of a zip is read here and not by fflate, which tells neither links nor encryption and checks no checksum:
 * what is damaged must not become a tool that scores a little wrong. Names that cannot be files everywhere, or twice, make
 * the whole archive unusable.
 */

import { crc32 } from 'node:zlib';
import { Gunzip, inflateSync } from 'fflate';
import { BadArchive } from '../../../../core/folder-archive.ts';

/** Throws `BadArchive`, and then nothing of it is to be used. */
export function unpack(bytes: Uint8Array, limits?: ArchiveLimits): Unpacked {
  if (isZip(bytes)) return unpackZip(bytes, limits);
  if (isGzip(bytes)) return unpackTarGz(bytes, limits);
  throw new BadArchive(
    looksLikePage(bytes) ? 'It is a web page, no archive.' : 'It is neither zip nor tar.gz.',
  );
}

export function isArchive(bytes: Uint8Array): boolean {
  return isZip(bytes) || isGzip(bytes);
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b;
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

export function looksLikePage(bytes: Uint8Array): boolean {
  return /^\s*<(!doctype|html)/i.test(new TextDecoder().decode(bytes.subarray(0, 200)));
}

/** Throws `BadArchive`: then nothing of it is to be used. */
function unpackZip(bytes: Uint8Array, limits: ArchiveLimits = usualLimits): Unpacked {
  const entries = directoryOf(bytes).filter(({ name }) => !name.endsWith('/'));
  const names = entries.map(({ name }) => safeName(name));
  refuseCollisions(names);
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  refuseBombs({ files: entries.length, bytes: size, packed: bytes.length }, limits);
  return Object.fromEntries(entries.map((entry, index) => [names[index] ?? '', contentOf(bytes, entry)]));
}

type Entry = {
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
};

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const localMark = 0x04034b50;

function directoryOf(bytes: Uint8Array): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  const count = view.getUint16(end + 10, true);
  if (count === 0xffff || view.getUint32(end + 16, true) === 0xffffffff) {
    throw new BadArchive('It is a zip of the large kind (Zip64), which tools never are.');
  }
  const entries: Entry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== entryMark) {
      throw new BadArchive('Its directory is damaged.');
    }
    const [names, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    entries.push(entryAt(view, at, bytes.subarray(at + 46, at + 46 + (names ?? 0))));
    at += 46 + (names ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return entries;
}

/** A comment of up to 64 KB may stand behind it. */
function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= first; at -= 1) {
    if (view.getUint32(at, true) === endMark) return at;
  }
  throw new BadArchive('It is no zip, or its end is missing.');
}

function entryAt(view: DataView, at: number, nameBytes: Uint8Array): Entry {
  const name = new TextDecoder().decode(nameBytes);
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

function contentOf(bytes: Uint8Array, { name, method, crc, packed, size, offset }: Entry): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const damaged = new BadArchive(`${JSON.stringify(name)} is damaged.`);
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== localMark) throw damaged;
  const from = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (from + packed > bytes.length) throw damaged;
  const content = unpacked(bytes.subarray(from, from + packed), { method, size, damaged });
  if (content.length !== size || crc32(content) !== crc) throw damaged;
  return content;
}

function unpacked(
  data: Uint8Array,
  { method, size, damaged }: { method: number; size: number; damaged: BadArchive },
): Uint8Array {
  if (method === 0) return data.slice();
  if (method !== 8) throw new BadArchive(`It is packed in a way (${method}) that is not known here.`);
  try {
    // Into a place of the size that was told: what is larger is cut off, and then its checksum is another.
    return inflateSync(data, { out: new Uint8Array(size) });
  } catch {
    throw damaged;
  }
}

/** Throws `BadArchive`: then nothing of it is to be used. */
function unpackTarGz(bytes: Uint8Array, limits: ArchiveLimits = usualLimits): Unpacked {
  const entries = [...entriesIn(gunzipped(bytes, limits))];
  refuseCollisions(entries.map(([name]) => name));
  refuseBombs({ files: entries.length, bytes: 0, packed: bytes.length }, limits);
  return Object.fromEntries(entries);
}

/** In pieces, so that a bomb is seen before it has gone off. */
function gunzipped(bytes: Uint8Array, limits: ArchiveLimits): Uint8Array {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let isWhole = false;
  const gunzip = new Gunzip((chunk, isLast) => {
    chunks.push(chunk);
    length += chunk.length;
    isWhole ||= isLast;
    refuseBombs({ files: 0, bytes: length, packed: bytes.length }, limits);
  });
  try {
    for (let at = 0; at < bytes.length; at += piece) {
      gunzip.push(bytes.subarray(at, at + piece), at + piece >= bytes.length);
    }
  } catch (error) {
    throw error instanceof BadArchive ? error : new BadArchive('It is no gzip, or damaged.');
  }
  if (!isWhole || bytes.length < 18) throw new BadArchive('It is no gzip, or its end is missing.');
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  // fflate does not look at the sum and the size that stand at the end.
  const end = new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 8, 8);
  if (end.getUint32(0, true) !== crc32(all) || end.getUint32(4, true) !== length) {
    throw new BadArchive('It is damaged, or its end is missing.');
  }
  return all;
}

const piece = 64 * 1024;
const block = 512;

function* entriesIn(tar: Uint8Array): Generator<readonly [string, Uint8Array]> {
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
    else if (type === 'x') longName = paxPath(text(content)) ?? longName;
    else if (type !== 'g' && type !== '5') {
      const name = longName ?? nameIn(head);
      if (type !== '0' && type !== '\0')
        throw new BadArchive(`${JSON.stringify(name)} is a link or a device.`);
      yield [safeName(name), content.slice()];
      longName = null;
    } else if (type === '5') longName = null;
  }
  throw new BadArchive('It is cut off.');
}

function nameIn(head: Uint8Array): string {
  const prefix = text(head.subarray(257, 262)) === 'ustar' ? text(head.subarray(345, 500)) : '';
  return prefix === '' ? text(head.subarray(0, 100)) : `${prefix}/${text(head.subarray(0, 100))}`;
}

/** `27 path=a/long/name` */
function paxPath(records: string): string | null {
  return /^\d+ path=(.*)$/m.exec(records)?.[1] ?? null;
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

/** Of an archive of tools: what is real has a few hundred files and some megabytes. */
type ArchiveLimits = {
  readonly files: number;
  readonly bytes: number;
  /** How many times larger than its archive the content may be, where it is more than a megabyte. */
  readonly ratio: number;
};

export const usualLimits: ArchiveLimits = { files: 20_000, bytes: 512 * 1024 * 1024, ratio: 200 };

type Unpacked = Readonly<Record<string, Uint8Array>>;

/** `./a/b` as `a/b`. Throws `BadArchive`. */
export function safeName(name: string): string {
  const plain = name.replace(/^(?:\.\/)+/, '');
  const shown = JSON.stringify(name.slice(0, 100));
  if (plain.startsWith('/') || /^[a-z]:/i.test(plain)) throw new BadArchive(`${shown} is an absolute name.`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no name may hold.
  if (/[\\\x00-\x1f\x7f]/.test(plain) || !plain.isWellFormed()) {
    throw new BadArchive(`${shown} holds characters that no name may hold.`);
  }
  const parts = plain.split('/');
  if (parts.some((part) => part === '..' || part === '.')) {
    throw new BadArchive(`${shown} leads out of its folder.`);
  }
  if (
    parts.some((part) => part === '' || new TextEncoder().encode(part).length > 200) ||
    plain.length > 1000
  ) {
    throw new BadArchive(`${shown} has a part that is empty or too long.`);
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

function foldedName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Throws `BadArchive` where there is more than anybody publishes. */
export function refuseBombs(
  { files, bytes, packed }: { readonly files: number; readonly bytes: number; readonly packed: number },
  limits: ArchiveLimits,
): void {
  if (files > limits.files) throw new BadArchive(`It holds more than ${limits.files} files.`);
  if (bytes > limits.bytes) throw new BadArchive(`Its content is larger than ${limits.bytes} bytes.`);
  if (bytes > 1024 * 1024 && bytes > packed * limits.ratio) {
    throw new BadArchive(`Its content is more than ${limits.ratio} times as large as itself.`);
  }
}
