/** Files that the user has named, read as text, by paths relative to one folder. Writes nothing, keeps nothing. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UserError } from '../core/errors.ts';
import { systemReason } from '../text/system-reason.ts';
import { namesIn } from './folder.ts';
import { errorWithCode, isMissing, mostTextBytes, plainText, warnWhileWaiting } from './plain-file.ts';

export type LocalFiles = {
  absolute(path: string): string;
  /** Null where there is no such file. Throws `UserError` where there is one that cannot be read. */
  read(path: string): Promise<string | null>;
  /** Of a longer file little more than `mostBytes`. Throws `UserError` also where there is no such file. */
  readBytes(path: string, mostBytes?: number): Promise<Uint8Array>;
  /** Another after each change of a file; null where that cannot be said: of a pipe, or of a file that was just written. */
  stampOf(path: string): Promise<string | null>;
  /** The names of the folders in a folder; none where it is not there. */
  foldersIn(path: string): Promise<readonly string[]>;
  /** The names of the files in a folder, sorted; null where there is no such folder. */
  filesIn(path: string): Promise<readonly string[] | null>;
};

export function localFiles(base: string): LocalFiles {
  const absolute = (path: string) => resolve(base, path);
  return {
    absolute,
    read: (path) =>
      readPrefix(absolute(path), mostTextBytes).then(plainText, (error) => {
        if (isMissing(error)) return null;
        throw unreadableError('file', path, error);
      }),
    readBytes: (path, mostBytes) =>
      readPrefix(absolute(path), mostBytes).catch((error) => {
        if (isMissing(error)) throw missing(path);
        throw unreadableError('file', path, error);
      }),
    stampOf: (path) => readStamp(absolute(path)).catch(() => null),
    foldersIn: (path) => namesIn(absolute(path), true).catch(() => []),
    filesIn: (path) =>
      namesIn(absolute(path), false).catch((error) => {
        if (isMissing(error)) return null;
        throw unreadableError('folder', path, error);
      }),
  };
}

/** File systems count time in steps: within one, a file may change twice. */
const stampAfterMs = 1_000;

async function readStamp(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true });
  const isSettled = Date.now() - Number(found.ctimeMs) > stampAfterMs;
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  return found.isFile() && isSettled ? [dev, ino, size, mtimeNs, ctimeNs].join(' ') : null;
}

/** A device has no end, and a pipe no size. */
async function readPrefix(path: string, mostBytes?: number): Promise<Buffer> {
  using _ = warnWhileWaiting(path);
  const most = mostBytes ?? mostTextBytes;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > most) break;
  }
  if (bytes > mostTextBytes) throw errorWithCode('EFBIG');
  return Buffer.concat(chunks);
}

/** One that somebody has named. */
function missing(path: string): UserError {
  return new UserError({
    code: 'file-unreadable',
    what: `There is no file ${path}.`,
    fix: 'Look for a typing error in its name.',
  });
}

function unreadableError(noun: 'file' | 'folder', path: string, error: unknown): UserError {
  const what = `The ${noun} ${path || '""'} cannot be read.`;
  const why = systemReason(error);
  const fix = `Name a ${noun} that is yours to read.`;
  if (noun === 'file') return new UserError({ code: 'file-unreadable', what, why, fix });
  return new UserError({ code: 'folder-unreadable', what, why, fix });
}
