/** Polya's own small files below one folder, whole and private. The last writer wins; no appended line is lost. */
import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UnavailableError } from '../core/errors.ts';
import type { Clock, Files, Io } from '../core/io.ts';
import type { Sandbox } from '../core/sandbox.ts';
import { systemClock } from './clock.ts';
import { createHttp, type Identity } from './http.ts';
import type { Network } from './network.ts';
import { codeOf } from './plain-file.ts';
import { type SpacingMs, sharedTurns } from './spacing.ts';
import { fullDisk, makeFolder, writeFileAtomic } from './write-whole.ts';

export function createFiles(folder: string): Files {
  return {
    async read(path) {
      const file = join(folder, checkedPath(path));
      return readFile(file, 'utf8').catch((error) => {
        if (codeOf(error) === 'ENOENT') return null;
        throw explainFileError(error, 'read', file);
      });
    },
    async write(path, text) {
      const file = join(folder, checkedPath(path));
      await writeFileAtomic(file, text, { mode: 0o600, folderMode: 0o700 }).catch((error) => {
        throw explainFileError(error, 'write', file);
      });
    },
    async append(path, line) {
      const file = join(folder, checkedPath(path));
      await addLine(file, line).catch((error) => {
        throw explainFileError(error, 'write', file);
      });
    },
  };
}

/** A bad path is a defect of the caller, who builds it from checked parts: no user ever names one. */
function checkedPath(path: string): string {
  const safe = path.split('/').every((segment) => /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/.test(segment));
  if (!safe) throw new Error(`Not a path of safe segments: ${JSON.stringify(path)}`);
  return path;
}

/** One write at the end of the file, which the kernel does not mix with another's. */
async function addLine(file: string, line: string): Promise<void> {
  if (line.includes('\n')) throw new Error('Not one line.');
  makeFolder(dirname(file), { mode: 0o700 });
  await using handle = await open(file, 'a', 0o600);
  // The newline before it keeps the line apart from one that a full disk cut short.
  await handle.write(`\n${line}\n`);
  await handle.sync();
}

const reasons: Readonly<Record<string, string>> = {
  ...fullDisk,
  EACCES: 'Permission is denied.',
  EPERM: 'Permission is denied.',
  EROFS: 'The file system is read-only.',
  ENOTDIR: 'A part of its path is a file, not a folder.',
  EEXIST: 'A part of its path is a file, not a folder.',
  EISDIR: 'A folder is in its place.',
};

function explainFileError(error: unknown, verb: 'read' | 'write', file: string): unknown {
  const why = reasons[codeOf(error)];
  if (why === undefined) return error;
  return new UnavailableError({
    code: 'file-failed',
    what: `Polya cannot ${verb} ${file}.`,
    why,
    fix: 'Free some space or put the permissions right, or name other folders with XDG_CACHE_HOME and XDG_CONFIG_HOME, then try again.',
  });
}

type IoOptions = {
  readonly sandbox: Sandbox;
  /** Where `io.files` lives; made when the first file is written. */
  readonly filesFolder: string;
  readonly identity: Identity;
  readonly clock?: Clock;
  readonly spacingMs?: SpacingMs;
  /** With it, requests are spaced between all processes that name the same file. */
  readonly turnsFile?: string;
  /** Called when a request is sent. */
  readonly network?: () => Network;
};

export function createIo(options: IoOptions): Io {
  const { sandbox, filesFolder, identity, clock = systemClock, spacingMs, turnsFile, network } = options;
  const takeTurn = turnsFile === undefined ? undefined : sharedTurns(turnsFile);
  return {
    clock,
    chance: { next: () => Math.random() },
    files: createFiles(filesFolder),
    http: createHttp({ identity, clock, spacingMs, takeTurn, network }),
    sandbox,
  };
}
