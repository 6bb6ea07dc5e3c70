/** A sandbox that tells of toolchains and runs nothing: what programs do is tested in `solve.test.ts`. */
import type { Sandbox } from '../../src/core/sandbox.ts';

const limits = {
  wallMs: 30_000,
  cpuMs: 10_000,
  memoryBytes: 512 * 2 ** 20,
  processes: 64,
  openFiles: 64,
  fileBytes: 16e6,
  diskBytes: 64e6,
  outputBytes: 1e6,
};

const runsNothing = (): Promise<never> => Promise.reject(new Error('runs nothing'));

export const talkingSandbox: Sandbox = {
  info: async () => ({
    backend: 'none',
    version: '0',
    isolation: 'sandbox',
    toolchains: [
      {
        language: 'python',
        name: 'python3',
        version: 'Python 3.11.2',
        level: '',
        notes: [],
        sourceFile: 'main.py',
      },
    ],
    limits,
    compileLimits: limits,
    enforcement: {
      wallMs: '',
      cpuMs: '',
      memoryBytes: '',
      processes: '',
      openFiles: '',
      fileBytes: '',
      diskBytes: '',
      outputBytes: '',
    },
  }),
  check: () => runsNothing(),
  build: () => runsNothing(),
  exec: () => runsNothing(),
  batch: () => runsNothing(),
  clean: () => runsNothing(),
  close: async () => undefined,
};
