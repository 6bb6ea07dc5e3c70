/**
 * What the runner is told, as the bytes it reads (see runner/request.c). Pure.
 * Large contents are passed on as they are, not copied together.
 */
import { UserError } from '../core/errors.ts';
import type { ExecLimits } from '../core/sandbox.ts';
import type { Mount } from './arguments.ts';

export type StagedFile = {
  /** Relative to the scratch folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable?: boolean;
};

export type Job = {
  /** An absolute path as seen inside, then arguments. */
  readonly command: readonly string[];
  readonly mounts?: readonly Mount[];
  readonly files: readonly StagedFile[];
  readonly stdin: Uint8Array | null;
  /** A file to hand back if the program succeeds. */
  readonly collectPath: string | null;
  readonly limits: ExecLimits;
};

export type OpenFile = { readonly name: string; readonly fd: number };

const pageBytes = 4096;
/** What Linux allows, less what surrounds it. */
const [argumentsBytes, pathBytes, nameBytes] = [100_000, 3500, 255];

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

/** A program's own files stay in its working folder, and none stands where another needs a folder. */
export function checkPaths(paths: readonly string[]): void {
  const folders = new Set(paths.flatMap((path) => parents(path)));
  for (const path of paths) {
    if (!isSafe(path)) {
      throw refuse(path, 'Give a relative path without `.`, `..` and empty parts, its names not too long.');
    }
    if (folders.has(path)) throw refuse(path, 'Another file needs a folder of that name.');
  }
}

export function checkArguments(args: readonly string[]): void {
  const total = args.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
  if (total <= argumentsBytes && !args.some((text) => text.includes('\0'))) return;
  throw new UserError({
    what: 'These cannot be the arguments of a program.',
    why: `They are longer than ${argumentsBytes} bytes, or hold a zero byte.`,
    fix: 'Hand the program its input as stdin or as a file.',
  });
}

function isSafe(path: string): boolean {
  const isName = (name: string) =>
    name !== '' && name !== '.' && name !== '..' && Buffer.byteLength(name) <= nameBytes;
  return !path.includes('\0') && Buffer.byteLength(path) <= pathBytes && path.split('/').every(isName);
}

function parents(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

function refuse(path: string, fix: string): UserError {
  return new UserError({ what: `${JSON.stringify(path)} cannot be the name of a file for a program.`, fix });
}
