/** A sandbox that tells of toolchains and runs nothing: what programs do is tested in `solve.test.ts`. */
import type { Sandbox } from '../../src/core/sandbox.ts';

const limits = {
  wallMs: 10_000,
  cpuMs: 10_000,
  memoryBytes: 512 * 2 ** 20,
  processes: 64,
  fileBytes: 16e6,
  diskBytes: 64e6,
  outputBytes: 1e6,
};

export const talkingSandbox: Sandbox = {
  info: async () => ({
    backend: 'none',
    version: '0',
    toolchains: [{ language: 'python', version: 'Python 3.11.2', level: '', sourceFile: 'main.py' }],
    limits,
    compileLimits: limits,
    enforcement: {
      wallMs: '',
      cpuMs: '',
      memoryBytes: '',
      processes: '',
      fileBytes: '',
      diskBytes: '',
      outputBytes: '',
    },
  }),
  exec: () => Promise.reject(new Error('runs nothing')),
};
