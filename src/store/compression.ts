/** How a blob lies in its row: short texts as they are, longer ones under zstd where that is shorter. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Below this many characters, compressing costs more than it saves. */
const compressFrom = 1024;

export function packText(text: string): string | Uint8Array {
  if (text.length < compressFrom) return text;
  const packed = zstdCompressSync(text);
  return packed.byteLength < Buffer.byteLength(text) ? packed : text;
}

export function unpackText(data: unknown): string {
  if (typeof data === 'string') return data;
  if (data instanceof Uint8Array) return zstdDecompressSync(data).toString('utf8');
  throw new Error('The store holds a blob of unknown form.');
}
