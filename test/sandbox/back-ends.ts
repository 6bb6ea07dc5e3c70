/** The back-ends other than the default, held to as much of the contract as is named. */
import { afterAll, beforeAll } from 'vitest';
import { openDocker } from '../../src/sandbox/docker/backend.ts';
import { openNone } from '../../src/sandbox/none/backend.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import type { Scope } from './bench.ts';
import { sandboxConformance } from './conformance.ts';
import { engineTimeoutMs, startEngine, type TestEngine } from './engine.ts';

/** On a real Docker, with the toolchains of this machine in containers. */
export function dockerConformance(scope: Scope): void {
  let engine: TestEngine | null = null;
  beforeAll(async () => {
    engine = await startEngine();
  }, engineTimeoutMs);
  afterAll(() => engine?.stop());
  const env = () => ({ DOCKER_HOST: engine?.address });
  sandboxConformance(
    'docker',
    (limits) =>
      createSandbox({ ...limits, openBackend: () => openDocker({ env: env(), toolchains: 'host' }) }),
    { scope, languages: ['kotlin'] },
  );
}

/** Without isolation: the promises that are kept all the same. */
export function noneConformance(scope: Scope): void {
  sandboxConformance('none', (limits) => createSandbox({ ...limits, openBackend: () => openNone() }), {
    scope,
    isolates: false,
    languages: ['csharp'],
  });
}
