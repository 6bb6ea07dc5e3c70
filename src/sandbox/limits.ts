/** The limits that hold where a request names none, and the check of those it names. */
import { UserError } from '../core/errors.ts';
import type { ExecLimits } from '../core/sandbox.ts';

const mebibyte = 1024 * 1024;

/** Wall limits end what waits; with three times the CPU limit they spare what a busy machine lets wait. */
export const defaultRunLimits: ExecLimits = {
  wallMs: 30_000,
  cpuMs: 10_000,
  memoryBytes: 1024 * mebibyte,
  processes: 64,
  openFiles: 1024,
  fileBytes: 64 * mebibyte,
  diskBytes: 128 * mebibyte,
  outputBytes: mebibyte / 4,
};

export const defaultCompileLimits: ExecLimits = {
  wallMs: 180_000,
  cpuMs: 60_000,
  memoryBytes: 2048 * mebibyte,
  processes: 32,
  openFiles: 1024,
  fileBytes: 128 * mebibyte,
  diskBytes: 256 * mebibyte,
  outputBytes: mebibyte / 16,
};

/** For what a toolchain is asked: one that is slow to answer on a busy machine is there all the same. */
export const defaultAskLimits: ExecLimits = { ...defaultRunLimits, wallMs: 180_000, cpuMs: 60_000 };

/** For what we make ourselves with a compiler, once on a machine. */
export const defaultMakeLimits: ExecLimits = {
  ...defaultCompileLimits,
  wallMs: 540_000,
  cpuMs: 180_000,
  fileBytes: 512 * mebibyte,
  diskBytes: 512 * mebibyte,
};

const limitNames = [
  ...(['wallMs', 'cpuMs', 'memoryBytes', 'processes', 'openFiles'] as const),
  ...(['fileBytes', 'diskBytes', 'outputBytes'] as const),
];

/** Later ones win. Fractions are rounded up; nothing below one makes sense to the kernel. */
export function mergeLimits(base: ExecLimits, changes: Partial<ExecLimits> = {}): ExecLimits {
  const merged: { -readonly [Name in keyof ExecLimits]: number } = { ...base };
  for (const name of limitNames) merged[name] = positive(name, changes[name] ?? base[name]);
  return merged;
}

function positive(name: keyof ExecLimits, value: number): number {
  const rounded = Math.ceil(value);
  if (Number.isSafeInteger(rounded) && rounded > 0) return rounded;
  throw new UserError({
    code: 'limit-invalid',
    what: `The limit ${name} is ${value}.`,
    fix: 'Give a number above 0.',
  });
}

/** The heap of a runtime that collects garbage: what is left holds the runtime itself, compiled code and stacks. */
export function heapBytes(memoryBytes: number): number {
  const rest = Math.max(64 * mebibyte, memoryBytes / 8);
  return Math.max(16 * mebibyte, Math.floor(memoryBytes - rest));
}
