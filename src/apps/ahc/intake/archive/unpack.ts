/** An archive by what it is, not by what it is called. */
import { BadArchive } from '../../../../core/folder-archive.ts';
import type { ArchiveLimits, Unpacked } from './names.ts';
import { unpackTarGz } from './tar.ts';
import { unpackZip } from './zip.ts';

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
