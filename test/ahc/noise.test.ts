/** How steady a machine is: what is told where nothing can be measured, and by what. */
import { expect, test } from 'vitest';
import { measureNoise, noiseOf } from '../../src/apps/ahc/testing/result.ts';
import type { BatchRequest, Sandbox } from '../../src/core/sandbox.ts';

const signal = new AbortController().signal;

/** Its programs take 10 ms, then 11, and so on; no more than `most` of them are run. */
function sandboxOf({ compiles = true, most = 1000 }) {
  const asked: BatchRequest[] = [];
  const sandbox = {
    build: async () => ({ executable: compiles ? { files: {} } : null }),
    batch: async (request: BatchRequest, onCase: (result: unknown) => unknown) => {
      asked.push(request);
      let cpuMs = 10;
      for await (const _each of request.cases) {
        if (cpuMs - 10 >= most) break;
        await onCase({ step: { cpuMs, wallMs: 2 * cpuMs } });
        cpuMs += 1;
      }
    },
  } as unknown as Sandbox;
  return { sandbox, asked };
}

test('is measured on as many runs as there are cases at once, and twice that', async () => {
  const { sandbox, asked } = sandboxOf({});
  const few = await measureNoise(sandbox, undefined, signal);
  expect(few).toEqual({ runs: 8, leastMs: 10, mostMs: 17, leastWallMs: 20, mostWallMs: 34, spread: 0.7 });
  expect((await measureNoise(sandbox, 6, signal))?.runs).toBe(12);
  expect(asked.map(({ workers }) => workers)).toEqual([undefined, 6]);
});

test('is not told where nothing was measured: no compiler, or one run', async () => {
  expect(await measureNoise(sandboxOf({ compiles: false }).sandbox, undefined, signal)).toBeNull();
  expect(await measureNoise(sandboxOf({ most: 1 }).sandbox, undefined, signal)).toBeNull();
  expect(noiseOf([0, 0], [1, 1]).spread).toBe(0);
});
