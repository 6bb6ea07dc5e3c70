/**
 * What the runner is told, as the bytes it reads (see runner/request.c). Pure.
 * Large contents are passed on as they are, not copied together.
 */
import { UserError } from '../core/errors.ts';
import type { ExecLimits } from '../core/sandbox.ts';
import type { Job, Pipes, StagedFile } from './backend.ts';

/** A number of an open file in the runner, by the name that the runner knows. */
export type OpenFile = { readonly name: string; readonly fd: number };
/** What holds for all jobs of a cell; it goes with the first of them. */
export type Preamble = { readonly openFiles: readonly OpenFile[]; readonly kept: readonly StagedFile[] };

const pageBytes = 4096;
/** What Linux allows, less what surrounds it. */
const [argumentsBytes, pathBytes, nameBytes] = [100_000, 3500, 255];

export function encodePreamble({ openFiles, kept }: Preamble): readonly Uint8Array[] {
  return [
    ...openFiles.map(({ name, fd }) => line(name, fd)),
    ...kept.flatMap((file) => fileRecords(file, 'kept', 'keptExecutable')),
  ];
}

export function encodeJob(job: Job): readonly Uint8Array[] {
  const { command, args = [], folders = [], files = [], stdin, pipes, collectPath, archiveBytes } = job;
  return [
    ...Object.entries(job.limits).map(([name, value]) => line(name, value)),
    ...[...command, ...args].flatMap((text) => record('arg', text)),
    ...folders.flatMap((path) => [...record('path', path), line('folder', 0)]),
    ...files.flatMap((file) => fileRecords(file, 'file', 'executable')),
    ...record('stdin', stdin),
    ...(pipes === undefined ? [] : pipeRecords(pipes)),
    ...record('collect', collectPath),
    ...(archiveBytes === undefined ? [] : [line('archive', archiveBytes)]),
    line('go', 0),
  ];
}

/** The cell gets another user. What of the preamble was never sent goes with it. */
export function encodeRenewal(openFiles: readonly OpenFile[]): readonly Uint8Array[] {
  return [...encodePreamble({ openFiles, kept: [] }), line('renew', 0), line('go', 0)];
}

function pipeRecords({ stdin, stdout, forRelay }: Pipes): readonly Uint8Array[] {
  const [inName, outName] = forRelay ? ['relayIn', 'relayOut'] : ['stdinPipe', 'stdoutPipe'];
  return [...record(inName, stdin), ...record(outName, stdout)];
}

function fileRecords(
  { path, bytes, executable }: StagedFile,
  plainName: string,
  executableName: string,
): readonly Uint8Array[] {
  return [...record('path', path), ...record(executable ? executableName : plainName, bytes)];
}

/** None where there is no content. */
function record(name: string, content: Uint8Array | string | null | undefined): readonly Uint8Array[] {
  if (content === null || content === undefined) return [];
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return [line(name, bytes.length), bytes];
}

function line(name: string, value: number): Buffer {
  return Buffer.from(`${name} ${value}\n`);
}

/** What these take on the disk. What we put there ourselves must not be taken from what the program may write. */
export function roomFor(files: readonly Uint8Array[]): number {
  return files.reduce((sum, { length }) => sum + roundToPages(length), 0);
}

/** All that the scratch folder of a cell can hold. */
export function scratchBytes(limits: ExecLimits, roomBytes: number): number {
  return roundToPages(limits.diskBytes) + roundToPages(roomBytes);
}

function roundToPages(bytes: number): number {
  return Math.ceil(bytes / pageBytes) * pageBytes;
}

/** A program's own files stay in its working folder, and none stands where another needs a folder. */
export function checkPaths(paths: readonly string[]): void {
  const folders = new Set(paths.flatMap(parents));
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
    code: 'arguments-invalid',
    what: 'These cannot be the arguments of a program.',
    why: `They are longer than ${argumentsBytes} bytes, or hold a zero byte.`,
    fix: 'Hand the program its input as stdin or as a file.',
  });
}

function isSafe(path: string): boolean {
  const isName = (name: string) => !['', '.', '..'].includes(name) && Buffer.byteLength(name) <= nameBytes;
  return !path.includes('\0') && Buffer.byteLength(path) <= pathBytes && path.split('/').every(isName);
}

/** The folders that a file of this path lies in. */
export function parents(path: string): readonly string[] {
  const names = path.split('/');
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'));
}

function refuse(path: string, fix: string): UserError {
  const what = `${JSON.stringify(path)} cannot be the name of a file for a program.`;
  return new UserError({ code: 'request-invalid', what, fix });
}
