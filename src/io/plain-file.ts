/** Reads files, but no pipes and devices, which may have no end. Throws the system's errors, or `ENOTFILE`. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { UserError } from '../core/errors.ts';
import { oneLine, shellWord } from '../text/format.ts';

/** So opening a pipe does not wait for its writer. */
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

export async function readPlainFile(path: string): Promise<Buffer> {
  await using handle = await open(path, flags);
  assertRegularFile(await handle.stat());
  return await handle.readFile();
}

/** `mostBytes`: a longer one is `EFBIG`. */
export function readPlainFileSync(path: string, mostBytes = Number.POSITIVE_INFINITY): Buffer {
  const handle = openSync(path, flags);
  try {
    const stat = fstatSync(handle);
    assertRegularFile(stat);
    if (stat.size > mostBytes) throw errorWithCode('EFBIG');
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** More than any text that its user brings, and less than Node can hold in one piece. */
export const mostTextBytes = 256 * 2 ** 20;

/** A file, or a pipe of the shell's. A device may have no end: what is longer than 256 MiB is `EFBIG`. */
export function readEndingSync(path: string): Buffer {
  using _ = warnWhileWaiting(path);
  const handle = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let bytes = 0; bytes <= mostTextBytes; ) {
      const { size } = fstatSync(handle);
      if (size > mostTextBytes) throw errorWithCode('EFBIG');
      const chunk = Buffer.allocUnsafe(Math.max(2 ** 16, size + 1 - bytes));
      const length = readSync(handle, chunk);
      if (length === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, length));
      bytes += length;
    }
    throw errorWithCode('EFBIG');
  } finally {
    closeSync(handle);
  }
}

const waitCode =
  "const { workerData } = require('node:worker_threads'); setTimeout(() => require('node:fs').writeSync(2, workerData), 2000)";

/** While a pipe is read, says after 2 seconds what is waited for: from a thread, because opening it blocks this one. */
export function warnWhileWaiting(path: string): Disposable {
  const workerData = `Waiting for ${oneLine(path)}, a pipe.\n`;
  const worker = foundAt(path)?.isFIFO() ? new Worker(waitCode, { eval: true, workerData }) : null;
  worker?.unref();
  return { [Symbol.dispose]: () => void worker?.terminate() };
}

function assertRegularFile(stat: { isFile(): boolean; isDirectory(): boolean }): void {
  if (!stat.isFile()) throw errorWithCode(stat.isDirectory() ? 'EISDIR' : 'ENOTFILE');
}

export function errorWithCode(code: string): Error {
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

/** Undefined where nothing can be looked at: nobody has the name, it is too long for one, or its links lead in a circle. */
export function foundAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Whether the path still lies in the folder when all links are followed. False if there is no such file. */
export function isInside(path: string, folder: string): boolean {
  try {
    return realpathSync(path).startsWith(join(realpathSync(folder), '/'));
  } catch {
    return false;
  }
}

/** Bytes as text, without the mark that editors of Windows begin files with. Null where they are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The same with a sign in the place of each byte that is no UTF-8. */
export function plainText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Trimmed; null where there is no such file or nothing in it. `noun` is what the errors call it. */
export function readSecretFile(file: string, noun: string): string | null {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    if (isMissing(error)) return null;
    throw unreadableError(file, noun);
  }
  try {
    const { mode } = fstatSync(handle);
    if ((mode & 0o077) !== 0) throw tooOpen(file, noun, mode);
    return readFileSync(handle, 'utf8').trim() || null;
  } catch (error) {
    throw error instanceof UserError ? error : unreadableError(file, noun);
  } finally {
    closeSync(handle);
  }
}

function tooOpen(file: string, noun: string, mode: number): UserError {
  return new UserError({
    code: 'secret-file-open',
    what: `The ${noun} in ${file} can be read or changed by others on this machine (mode ${(mode & 0o777).toString(8)}).`,
    why: 'Whoever has it can act as you.',
    fix: `Run \`chmod 600 ${shellWord(file)}\`.`,
  });
}

function unreadableError(file: string, noun: string): UserError {
  return new UserError({
    code: 'file-unreadable',
    what: `The ${noun} in ${file} cannot be read.`,
    fix: 'Look whether it is a file, and yours.',
  });
}
