/** Files that the user has named, read as text, by paths relative to one folder. Writes nothing, keeps nothing. */
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UserError } from '../core/errors.ts';

export type LocalFiles = {
  absolute(path: string): string;
  /** Null where there is no such file. Throws `UserError` where there is one that cannot be read. */
  read(path: string): Promise<string | null>;
  /** Of a longer file little more than `mostBytes`. Throws `UserError` also where there is no such file. */
  readBytes(path: string, mostBytes?: number): Promise<Uint8Array>;
  /** The names of the folders in a folder; none where it is not there. */
  foldersIn(path: string): Promise<readonly string[]>;
  /** The names of the files in a folder, sorted; null where there is no such folder. */
  filesIn(path: string): Promise<readonly string[] | null>;
};

export function localFiles(base: string): LocalFiles {
  return {
    absolute: (path) => resolve(base, path),
    async read(path) {
      try {
        return await readFile(resolve(base, path), 'utf8');
      } catch (error) {
        if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
        throw new UserError({
          code: 'file-unreadable',
          what: `The file ${path} cannot be read (${codeOf(error)}).`,
          fix: 'Look whether it is a file, and yours.',
        });
      }
    },
    async readBytes(path, mostBytes) {
      try {
        return mostBytes === undefined
          ? await readFile(resolve(base, path))
          : await beginningOf(resolve(base, path), mostBytes);
      } catch (error) {
        throw new UserError({
          code: 'file-unreadable',
          what: `The file ${path} cannot be read (${codeOf(error)}).`,
          fix: 'Look whether it is there, a file, and yours.',
        });
      }
    },
    async foldersIn(path) {
      try {
        const entries = await readdir(resolve(base, path), { withFileTypes: true });
        return entries
          .filter((entry) => entry.isDirectory())
          .map(({ name }) => name)
          .sort();
      } catch {
        return [];
      }
    },
    async filesIn(path) {
      try {
        const entries = await readdir(resolve(base, path), { withFileTypes: true });
        return entries
          .filter((entry) => !entry.isDirectory())
          .map(({ name }) => name)
          .sort();
      } catch (error) {
        if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return null;
        throw new UserError({
          code: 'folder-unreadable',
          what: `The folder ${path} cannot be read (${codeOf(error)}).`,
          fix: 'Look whether it is yours.',
        });
      }
    },
  };
}

/** A device has no end, and a pipe no size. */
async function beginningOf(path: string, mostBytes: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > mostBytes) break;
  }
  return Buffer.concat(chunks);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
