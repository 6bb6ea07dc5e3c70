/**
 * What the runner reports (see runner/report.c), and how it becomes a step's result. Pure.
 * Text is made here: invalid UTF-8 becomes U+FFFD, and a cut is marked where it is.
 */
import { constants } from 'node:os';
import { z } from 'zod';
import type { CapturedOutput, StepResult } from '../core/sandbox.ts';
import type { Finished } from './backend.ts';

const count = z.number().int().nonnegative();
const outputSchema = z.object({ bytes: count, headBytes: count, tailBytes: count });
const doneSchema = z.object({
  verdict: z.enum([
    'ok',
    'exit',
    'signal',
    'wall',
    'cpu',
    'memory',
    'processes',
    'disk',
    'output',
    'cancelled',
  ]),
  exitCode: z.number().int().nullable(),
  signalNumber: count,
  wallUs: count,
  cpuUs: count,
  peakMemoryBytes: count,
  stdout: outputSchema,
  stderr: outputSchema,
  /** Of a file that is handed back, below 0 where there is none. */
  collectedBytes: z.number().int(),
  /** Of the working folder, below 0 where it was not asked for. */
  archiveBytes: z.number().int(),
  handsArchive: z.boolean(),
});
const openedSchema = z.object({ opened: z.literal(true) });
const renewedSchema = z.object({ renewed: z.literal(true) });
const reportSchema = z.union([doneSchema, openedSchema, renewedSchema, z.object({ failure: z.string() })]);

export type Report =
  | { readonly kind: 'done'; readonly finished: Finished }
  /** The pipes of a pair are open at this end. */
  | { readonly kind: 'opened' }
  /** Nothing is left in the cell of who used it so far. */
  | { readonly kind: 'renewed' }
  /** The runner could not do its work. */
  | { readonly kind: 'failed'; readonly why: string };

/** Where it is not all there yet, as many bytes as are needed at least. */
export type Decoded =
  | { readonly report: Report; readonly length: number }
  | { readonly report: null; readonly length: number };

/** The first report in these bytes, and how many of them it takes. */
export function decodeReport(bytes: Buffer): Decoded {
  const lineEnd = bytes.indexOf('\n');
  if (lineEnd < 0) return { report: null, length: bytes.length + 1 };
  const described = reportSchema.parse(JSON.parse(bytes.toString('utf8', 0, lineEnd)));
  const headLength = lineEnd + 1;
  if ('failure' in described)
    return { report: { kind: 'failed', why: described.failure }, length: headLength };
  if ('opened' in described) return { report: { kind: 'opened' }, length: headLength };
  if ('renewed' in described) return { report: { kind: 'renewed' }, length: headLength };
  const { stdout, stderr, collectedBytes, archiveBytes, handsArchive } = described;
  const sizes = [stdout, stderr].flatMap(({ headBytes, tailBytes }) => [headBytes, tailBytes]);
  const bodyLength = [...sizes, Math.max(collectedBytes, 0), handsArchive ? archiveBytes : 0].reduce(
    (sum, size) => sum + size,
  );
  if (bytes.length < headLength + bodyLength) return { report: null, length: headLength + bodyLength };
  const take = cutter(bytes.subarray(headLength, headLength + bodyLength));
  const finished = {
    step: stepOf(described, take),
    collected: collectedBytes < 0 ? null : take(collectedBytes),
    archive: handsArchive ? take(archiveBytes) : null,
    archiveBytes: archiveBytes < 0 ? null : archiveBytes,
  };
  return { report: { kind: 'done', finished }, length: headLength + bodyLength };
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
    peakMemoryBytes: described.peakMemoryBytes,
  };
}

/** A job that ended before there was a program. */
export function emptyFinished(verdict: StepResult['verdict'], wallMs = 0): Finished {
  return { step: emptyStep(verdict, wallMs), collected: null, archive: null, archiveBytes: null };
}

/** A step that ended before there was a program. */
export function emptyStep(verdict: StepResult['verdict'], wallMs = 0): StepResult {
  const nothing: CapturedOutput = { text: '', bytes: 0, cut: false };
  const zeros = { cpuMs: 0, peakMemoryBytes: 0 };
  return { verdict, exitCode: null, signal: null, stdout: nothing, stderr: nothing, wallMs, ...zeros };
}

type Take = (length: number) => Buffer;

function cutter(bytes: Buffer): Take {
  let at = 0;
  return (length) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
}

function takeOutput(take: Take, described: z.infer<typeof outputSchema>): CapturedOutput {
  const [head, tail] = [take(described.headBytes), take(described.tailBytes)];
  const missingBytes = described.bytes - head.length - tail.length;
  if (missingBytes === 0) {
    return { text: decode(Buffer.concat([head, tail])), bytes: described.bytes, cut: false };
  }
  const mark = `\n[… ${missingBytes} bytes left out …]\n`;
  const text = decode(withoutBrokenEnd(head)) + mark + decode(withoutBrokenStart(tail));
  return { text, bytes: described.bytes, cut: true };
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function decode(bytes: Buffer): string {
  return decoder.decode(bytes);
}

/** A character that the cut went through is our doing, and no fault of the program's text. */
function withoutBrokenStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start])) start++;
  return bytes.subarray(start);
}

function withoutBrokenEnd(bytes: Buffer): Buffer {
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
  const named = Object.entries(constants.signals).find(([, value]) => value === number);
  return named ? named[0] : `SIG${number}`;
}
