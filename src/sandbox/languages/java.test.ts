import { expect, test } from 'vitest';
import { defaultRunLimits, heapBytes } from '../limits.ts';
import { emptyStep } from '../protocol.ts';
import { javaArguments, ranOutOfHeap } from './kotlin.ts';

const mebibyte = 2 ** 20;

test.each([
  [1024, 896],
  [256, 192],
  [128, 64],
  [64, 16],
  [1, 16],
])('of %i MiB the heap gets %i', (memory, heap) => {
  expect(heapBytes(memory * mebibyte)).toBe(heap * mebibyte);
});

test('the heap follows the limit on memory', () => {
  expect(javaArguments({ ...defaultRunLimits, memoryBytes: 256 * mebibyte })).toContain(
    `-Xmx${192 * mebibyte}`,
  );
});

test('a full heap is told from a program’s own exit status', () => {
  const text = 'before\nTerminating due to java.lang.OutOfMemoryError: Java heap space\n';
  const stderr = { text, bytes: text.length, cut: false };
  const step = { ...emptyStep('exit'), exitCode: 3 };
  expect(ranOutOfHeap({ ...step, stderr })).toBe(true);
  expect(ranOutOfHeap(step)).toBe(false);
  expect(ranOutOfHeap({ ...step, stderr, exitCode: 1 })).toBe(false);
  expect(ranOutOfHeap({ ...step, stderr, verdict: 'wall' })).toBe(false);
  const error =
    'Exception in thread "main" java.lang.OutOfMemoryError: Cannot reserve 9 bytes of direct buffer memory (allocated: 8, limit: 9)\n';
  const buffers = { text: error, bytes: error.length, cut: false };
  expect(ranOutOfHeap({ ...step, stderr: buffers, exitCode: 1 })).toBe(true);
  expect(ranOutOfHeap({ ...step, stderr: buffers, exitCode: 2 })).toBe(false);
});
