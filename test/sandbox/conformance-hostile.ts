/** Programs that want what is not theirs, by theme. Each is to leave the host, others and the account untouched. */
import { describe } from 'vitest';
import type { Bench } from './bench.ts';
import { compileTimeTests } from './hostile/compile-time.ts';
import { compilerTests } from './hostile/compilers.ts';
import { diskTests } from './hostile/disk.ts';
import { hiddenUseTests } from './hostile/hidden-use.ts';
import { kernelTests } from './hostile/kernel.ts';
import { memoryTests } from './hostile/memory.ts';
import { neighbourTests } from './hostile/neighbours.ts';
import { networkTests } from './hostile/network.ts';
import { outputTests } from './hostile/output.ts';
import { pathTests } from './hostile/paths.ts';
import { processTests } from './hostile/processes.ts';
import { runtimeTests } from './hostile/runtimes.ts';
import { secretTests } from './hostile/secrets.ts';

export function hostileTests(bench: Bench): void {
  describe('hostile programs', () => {
    processTests(bench);
    memoryTests(bench);
    hiddenUseTests(bench);
    diskTests(bench);
    neighbourTests(bench);
    if (bench.scope === 'limits') return;
    secretTests(bench);
    pathTests(bench);
    networkTests(bench);
    kernelTests(bench);
    compilerTests(bench);
    compileTimeTests(bench);
    if (bench.scope === 'differences') return;
    outputTests(bench);
    runtimeTests(bench);
  });
}
