/**
 * What the runner is told, as the bytes it reads (see runner/request.c). Pure.
 * Large contents are passed on as they are, not copied together.
 */
import { posix } from 'node:path';
import { UserError } from '../core/errors.ts';
import type { ExecLimits } from '../core/sandbox.ts';

export type StagedFile = {
  /** Relative to the scratch folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
};

export type Job = {
  /** An absolute path as seen inside, then arguments. */
  readonly command: readonly string[];
  readonly files: readonly StagedFile[];
  readonly stdin: Uint8Array | null;
  /** A file to hand back if the program succeeds. */
  readonly collectPath: string | null;
  readonly limits: ExecLimits;
};

export type OpenFile = { readonly name: string; readonly fd: number };

const pageBytes = 4096;

export function encodeRequest(job: Job, openFiles: readonly OpenFile[]): readonly Uint8Array[] {
  const numbers = [
    ...Object.entries(job.limits),
    ...openFiles.map(({ name, fd }): [string, number] => [name, fd]),
  ];
  return [
    ...numbers.map(([name, value]) => Buffer.from(`${name} ${value}\n`)),
    ...job.command.flatMap((argument) => record('arg', Buffer.from(argument))),
    ...job.files.flatMap((file) => [
      ...record('path', Buffer.from(file.path)),
      ...record(file.executable ? 'executable' : 'file', file.bytes),
    ]),
    ...(job.stdin === null ? [] : record('stdin', job.stdin)),
    ...(job.collectPath === null ? [] : record('collect', Buffer.from(job.collectPath))),
    Buffer.from('go 0\n'),
  ];
}

function record(name: string, bytes: Uint8Array): readonly Uint8Array[] {
  return [Buffer.from(`${name} ${bytes.length}\n`), bytes];
}

/** What we put there ourselves must not be taken from what the program may write. */
export function scratchBytes(job: Job): number {
  const staged = [...job.files.map(({ bytes }) => bytes.length), job.stdin?.length ?? 0];
  return [...staged, job.limits.diskBytes].reduce((sum, bytes) => sum + roundToPages(bytes), 0);
}

function roundToPages(bytes: number): number {
  return Math.ceil(bytes / pageBytes) * pageBytes;
}

/** A program's own files stay in its working folder. */
export function checkRelativePath(path: string): string {
  const isSafe =
    path !== '' &&
    !posix.isAbsolute(path) &&
    !path.includes('\0') &&
    path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  if (isSafe) return path;
  throw new UserError({
    what: `${JSON.stringify(path)} cannot be the name of a file for a program.`,
    fix: 'Give a relative path without `.`, `..` and empty parts.',
  });
}
