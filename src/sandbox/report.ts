/**
 * What the runner reports (see runner/report.c), and how it becomes a step's result. Pure.
 * Text is made here: invalid UTF-8 becomes U+FFFD, and a cut is marked where it is.
 */
import { constants } from 'node:os';
import { z } from 'zod';
import type { CapturedOutput, StepResult } from '../core/sandbox.ts';

const count = z.number().int().nonnegative();
const outputSchema = z.object({ bytes: count, headBytes: count, tailBytes: count });
const doneSchema = z.object({
  verdict: z.enum(['ok', 'exit', 'signal', 'wall', 'cpu', 'memory', 'disk', 'output', 'cancelled']),
  exitCode: z.number().int().nullable(),
  signalNumber: count,
  wallUs: count,
  cpuUs: count,
  peakMemoryBytes: count,
  stdout: outputSchema,
  stderr: outputSchema,
  collectedBytes: z.number().int(),
});
const reportSchema = z.union([doneSchema, z.object({ failure: z.string() })]);

export type Report =
  | { readonly kind: 'done'; readonly step: StepResult; readonly collected: Buffer | null }
  /** The runner could not do its work. */
  | { readonly kind: 'failed'; readonly why: string };

/** Null where the runner died before it could report, or in the middle of it. */
export function decodeReport(bytes: Buffer): Report | null {
  const lineEnd = bytes.indexOf('\n');
  if (lineEnd < 0) return null;
  const report = reportSchema.parse(JSON.parse(bytes.toString('utf8', 0, lineEnd)));
  if ('failure' in report) return { kind: 'failed', why: report.failure };
  const take = cutter(bytes.subarray(lineEnd + 1));
  const [stdout, stderr] = [takeOutput(take, report.stdout), takeOutput(take, report.stderr)];
  const collected = report.collectedBytes < 0 ? null : take(report.collectedBytes);
  if (stdout === null || stderr === null || (collected === null && report.collectedBytes >= 0)) return null;
  const step: StepResult = {
    verdict: report.verdict,
    exitCode: report.exitCode,
    signal: signalName(report.signalNumber),
    stdout,
    stderr,
    wallMs: report.wallUs / 1000,
    cpuMs: report.cpuUs / 1000,
    peakMemoryBytes: report.peakMemoryBytes,
  };
  return { kind: 'done', step, collected };
}

/** A step that ended before there was a program. */
export function emptyStep(verdict: StepResult['verdict'], wallMs = 0): StepResult {
  const nothing: CapturedOutput = { text: '', bytes: 0, cut: false };
  const zeros = { cpuMs: 0, peakMemoryBytes: 0 };
  return { verdict, exitCode: null, signal: null, stdout: nothing, stderr: nothing, wallMs, ...zeros };
}

type Take = (length: number) => Buffer | null;

function cutter(bytes: Buffer): Take {
  let at = 0;
  return (length) => {
    if (at + length > bytes.length) return null;
    at += length;
    return bytes.subarray(at - length, at);
  };
}

function takeOutput(take: Take, described: z.infer<typeof outputSchema>): CapturedOutput | null {
  const [head, tail] = [take(described.headBytes), take(described.tailBytes)];
  if (head === null || tail === null) return null;
  const missingBytes = described.bytes - head.length - tail.length;
  if (missingBytes === 0) {
    return { text: decode(Buffer.concat([head, tail])), bytes: described.bytes, cut: false };
  }
  const mark = `\n[… ${missingBytes} bytes left out …]\n`;
  const text = decode(withoutBrokenEnd(head)) + mark + decode(withoutBrokenStart(tail));
  return { text, bytes: described.bytes, cut: true };
}

function decode(bytes: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
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
