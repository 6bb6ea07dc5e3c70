/** Reads the input of `polya exec` up to a bound: a device or a pipe may have no end. */
import { closeSync, openSync, readSync } from 'node:fs';
import { UserError } from '../../core/errors.ts';

/** More than any contest's input, and less than Node can hold in one piece. */
export const mostInputBytes = 256 * 2 ** 20;
const chunkBytes = 2 ** 20;

/** Throws what the system says where it cannot be read. */
export function readBounded(path: string, told: string): Uint8Array {
  const file = openSync(path, 'r');
  try {
    return Buffer.concat([...chunksOf(file, told)]);
  } finally {
    closeSync(file);
  }
}

function* chunksOf(file: number, told: string): Generator<Uint8Array> {
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const length = readSync(file, chunk);
    if (length === 0) return;
    total += length;
    if (total > mostInputBytes) throw tooLong(told);
    yield chunk.subarray(0, length);
  }
}

/** The same of a stream. */
export async function gatherBounded(pieces: AsyncIterable<Uint8Array>, told: string): Promise<Uint8Array> {
  const gathered: Uint8Array[] = [];
  let total = 0;
  for await (const piece of pieces) {
    total += piece.length;
    if (total > mostInputBytes) throw tooLong(told);
    gathered.push(piece);
  }
  return Buffer.concat(gathered);
}

function tooLong(told: string): UserError {
  return new UserError({
    code: 'too-long',
    what: `${told} is too long for a program in the sandbox.`,
    why: `It has more than ${mostInputBytes / 2 ** 20} MiB, or no end.`,
    fix: 'Name a shorter one, or let the program make its input itself.',
  });
}
