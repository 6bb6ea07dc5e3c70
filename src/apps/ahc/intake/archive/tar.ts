/** A tar.gz, unpacked into memory: plain files alone, with the long names of GNU and of pax. Links are refused. */
import { crc32 } from 'node:zlib';
import { Gunzip } from 'fflate';
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
export function unpackTarGz(bytes: Uint8Array, limits: ArchiveLimits = usualLimits): Unpacked {
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
