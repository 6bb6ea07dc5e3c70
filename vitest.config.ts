/** Everything a test run needs, so that a bare `vitest run FILE` works too. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { filesByKind } from './test/support/kinds.ts';
import { LeftOut, tags } from './test/support/left-out.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import { findDataFolder } from './test/support/shared-data.ts';

const rooms = { statements: 85, branches: 85, functions: 85, lines: 85 };
const files = filesByKind(import.meta.dirname);
const publicFiles = findDataFolder() === null ? [] : files.public;

export default defineConfig({
  test: {
    projects: [
      // A worker takes one after the other: to start one for each of hundreds of files, and load ours anew, costs as much as
      // most of them do.
      { extends: true, test: { name: 'fast', include: [...files.fast], isolate: false } },
      { extends: true, test: { name: 'rest', include: [...files.rest], isolate: false } },
      { extends: true, test: { name: 'alone', include: [...files.alone] } },
      { extends: true, test: { name: 'public', include: [...publicFiles], isolate: false } },
      { extends: true, test: { name: 'long', include: [...files.long] } },
    ],
    tags: [...tags],
    globalSetup: 'test/support/run-folder.ts',
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Much of the suite waits: for programs, for limits, for other processes. One more than there are processors works then.
    maxWorkers: availableParallelism() + 1,
    // Hundreds of processes of ours are started: what they load is compiled once, not by each.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules', '.cache', 'compiled') },
    // For what hangs alone: a machine may be busy, and no test of its own waits longer.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    // The end of the run names what passed only when tried again.
    retry: process.env.CI ? 1 : 0,
    // What a page shows comes about after the act: tests ask again (`expect.poll`) until it does.
    expect: { poll: { timeout: 120_000, interval: 40 } },
    reporters: ['default', new LeftOut(files), ...(process.env.CI ? (['json'] as const) : [])],
    outputFile: { json: 'coverage/results.json' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.{ts,tsx}'],
      exclude: ['src/**/*.test.ts'],
      reporter: ['text-summary', 'json-summary'],
      thresholds: {
        statements: 80,
        branches: 75,
        functions: 80,
        lines: 80,
        'src/core/**': rooms,
        'src/answers/**': rooms,
        'src/run/**': rooms,
        'src/store/**': rooms,
        'src/sandbox/**': rooms,
      },
    },
  },
});
