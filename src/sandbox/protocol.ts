/** The runner's requests (runner/request.c) and reports (runner/report.c) as bytes. Invalid UTF-8 becomes U+FFFD. */
import { constants } from 'node:os';
import { z } from 'zod';
import { UserError } from '../core/errors.ts';
import type { CapturedOutput, ExecLimits, StepResult } from '../core/sandbox.ts';
import type { Finished, Job, StagedFile } from './backend.ts';

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
  const [inName, outName] = pipes?.forRelay ? ['relayIn', 'relayOut'] : ['stdinPipe', 'stdoutPipe'];
  return [
    ...Object.entries(job.limits).map(([name, value]) => line(name, value)),
    ...[...command, ...args].flatMap((text) => record('arg', text)),
    ...folders.flatMap((path) => [...record('path', path), line('folder', 0)]),
    ...files.flatMap((file) => fileRecords(file, 'file', 'executable')),
    ...record('stdin', stdin),
    ...[...record(inName, pipes?.stdin), ...record(outName, pipes?.stdout)],
    ...record('collect', collectPath),
    ...(archiveBytes === undefined ? [] : [line('archive', archiveBytes)]),
    line('go', 0),
  ];
}

function fileRecords({ path, bytes, executable }: StagedFile, plainName: string, executableName: string) {
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
export function spaceFor(files: readonly Uint8Array[]): number {
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
  const dirs = new Set(paths.flatMap(parents));
  for (const path of paths) {
    if (!isSafe(path)) {
      throw rejectPath(
        path,
        'Give a relative path without `.`, `..` and empty parts, its names not too long.',
      );
    }
    if (dirs.has(path)) throw rejectPath(path, 'Another file needs a folder of that name.');
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

function rejectPath(path: string, fix: string): UserError {
  const what = `${JSON.stringify(path)} cannot be the name of a file for a program.`;
  return new UserError({ code: 'request-invalid', what, fix });
}

const count = z.number().int().nonnegative();
const outputSchema = z.object({ bytes: count, headBytes: count, tailBytes: count });
const doneSchema = z.object({
  verdict: z.enum([
    ...(['ok', 'exit', 'signal', 'wall', 'cpu', 'memory', 'processes', 'disk'] as const),
    ...(['output', 'cancelled'] as const),
  ]),
  exitCode: z.number().int().nullable(),
  signalNumber: count,
  wallUs: count,
  cpuUs: count,
  cpuIsUpperBound: z.boolean(),
  peakMemoryBytes: count,
  memoryIsUpperBound: z.boolean(),
  stdout: outputSchema,
  stderr: outputSchema,
  /** The size of a returned file, below 0 if there is none. */
  collectedBytes: z.number().int(),
  /** The size of the working folder, below 0 if it was not asked for. */
  archiveBytes: z.number().int(),
  handsArchive: z.boolean(),
});
const openedSchema = z.object({ opened: z.literal(true) });
const reportSchema = z.union([doneSchema, openedSchema, z.object({ failure: z.string() })]);

export type Report =
  | { readonly kind: 'done'; readonly finished: Finished }
  /** The pipes of a pair are open at this end. */
  | { readonly kind: 'opened' }
  /** The runner could not do its work. */
  | { readonly kind: 'failed'; readonly why: string };

/** The first report in these bytes, and its length. Null where it is incomplete, with its least length. */
export function decodeReport(bytes: Buffer): { readonly report: Report | null; readonly length: number } {
  const lineEnd = bytes.indexOf('\n');
  if (lineEnd < 0) return { report: null, length: bytes.length + 1 };
  const description = reportSchema.parse(JSON.parse(bytes.toString('utf8', 0, lineEnd)));
  const headLength = lineEnd + 1;
  if ('failure' in description)
    return { report: { kind: 'failed', why: description.failure }, length: headLength };
  if ('opened' in description) return { report: { kind: 'opened' }, length: headLength };
  const { stdout, stderr, collectedBytes, archiveBytes, handsArchive } = description;
  const texts = stdout.headBytes + stdout.tailBytes + stderr.headBytes + stderr.tailBytes;
  const length = headLength + texts + Math.max(collectedBytes, 0) + (handsArchive ? archiveBytes : 0);
  if (bytes.length < length) return { report: null, length };
  const take = createSlicer(bytes.subarray(headLength, length));
  const finished = {
    step: stepOf(description, take),
    collected: collectedBytes < 0 ? null : take(collectedBytes),
    archive: handsArchive ? take(archiveBytes) : null,
    archiveBytes: archiveBytes < 0 ? null : archiveBytes,
  };
  return { report: { kind: 'done', finished }, length };
}

function stepOf(described: z.infer<typeof doneSchema>, take: Take): StepResult {
  return {
    verdict: described.verdict,
    exitCode: described.exitCode,
    signal: signalName(described.signalNumber),
    stdout: takeOutput(take, described.stdout),
    stderr: takeOutput(take, described.stderr),
    wallMs: described.wallUs / 1000,
    cpuMs: described.cpuUs / 1000,
    ...(described.cpuIsUpperBound && { cpuIsUpperBound: true }),
    peakMemoryBytes: described.peakMemoryBytes,
    ...(described.memoryIsUpperBound && { memoryIsUpperBound: true }),
  };
}

/** A job or a step that ended before there was a program. */
export function emptyFinished(verdict: StepResult['verdict'], wallMs = 0): Finished {
  return { step: emptyStep(verdict, wallMs), collected: null, archive: null, archiveBytes: null };
}

export function emptyStep(verdict: StepResult['verdict'], wallMs = 0): StepResult {
  const capturedOutput: CapturedOutput = { text: '', bytes: 0, cut: false };
  const zeros = { cpuMs: 0, peakMemoryBytes: 0 };
  return {
    verdict,
    exitCode: null,
    signal: null,
    stdout: capturedOutput,
    stderr: capturedOutput,
    wallMs,
    ...zeros,
  };
}

type Take = (length: number) => Buffer;

function createSlicer(bytes: Buffer): Take {
  let at = 0;
  return (length) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
}

function takeOutput(take: Take, description: z.infer<typeof outputSchema>): CapturedOutput {
  const [head, tail] = [take(description.headBytes), take(description.tailBytes)];
  const missingBytes = description.bytes - head.length - tail.length;
  const { bytes } = description;
  if (missingBytes === 0) return { text: decoder.decode(Buffer.concat([head, tail])), bytes, cut: false };
  const mark = `\n[… ${missingBytes} bytes left out …]\n`;
  const text = decoder.decode(trimBrokenEnd(head)) + mark + decoder.decode(trimBrokenStart(tail));
  return { text, bytes, cut: true };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** A character that the cut went through is our doing, and no fault of the program's text. */
function trimBrokenStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}

function trimBrokenEnd(bytes: Buffer): Buffer {
  let lead = bytes.length - 1;
  while (lead > bytes.length - 4 && isContinuation(bytes[lead])) lead--;
  return bytes.length - lead < characterLength(bytes[lead]) ? bytes.subarray(0, lead) : bytes;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function characterLength(lead: number | undefined): number {
  if (lead === undefined || lead < 0xc0) return 1;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

function signalName(number: number): string | null {
  if (number === 0) return null;
  const [name] = Object.entries(constants.signals).find(([, value]) => value === number) ?? [];
  return name ?? `SIG${number}`;
}
