/**
 * A zip, unpacked into memory. The directory at its end is read here and not by fflate, which tells neither links nor
 * encryption and checks no checksum: what is damaged must not become a tool that scores a little wrong.
 */
import { crc32 } from 'node:zlib';
import { inflateSync } from 'fflate';
import { BadArchive } from '../../../../core/folder-archive.ts';
import {
  type ArchiveLimits,
  refuseBombs,
  refuseCollisions,
  safeName,
  type Unpacked,
  usualLimits,
} from './names.ts';

/** Throws `BadArchive`: then nothing of it is to be used. */
export function unpackZip(bytes: Uint8Array, limits: ArchiveLimits = usualLimits): Unpacked {
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
