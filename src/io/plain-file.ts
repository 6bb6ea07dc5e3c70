/**
 * Reads files that are expected by their name, where nobody would put a pipe or a device on purpose: a pipe would be
 * waited for, for ever, and some devices have no end. Throws what the system says, or `ENOTFILE`.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

/** Opening a pipe does not wait for whoever writes into it. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

export async function readPlainFile(path: string): Promise<Buffer> {
  await using handle = await open(path, flags);
  refuseOthers(await handle.stat());
  return await handle.readFile();
}

/** `mostBytes`: a longer one is `EFBIG`. */
export function readPlainFileSync(path: string, mostBytes = Number.POSITIVE_INFINITY): Buffer {
  const handle = openSync(path, flags);
  try {
    const stat = fstatSync(handle);
    refuseOthers(stat);
    if (stat.size > mostBytes) throw coded('EFBIG');
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

function refuseOthers(stat: { isFile(): boolean; isDirectory(): boolean }): void {
  if (!stat.isFile()) throw coded(stat.isDirectory() ? 'EISDIR' : 'ENOTFILE');
}

export function coded(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** `ENOENT`: the system's own name for an error; empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** There is no file of this path. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
}

/** Bytes as text, without the mark that editors of Windows begin files with. Null where they are no UTF-8. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
