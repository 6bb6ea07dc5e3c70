/**
 * The container back-end on a real Docker, with the toolchains of this machine in containers.
 * @module-tag root
 */
import { afterAll, beforeAll } from 'vitest';
import { openDocker } from '../../src/sandbox/docker/backend.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { sandboxConformance } from './conformance.ts';
import { engineTimeoutMs, startEngine, type TestEngine } from './engine.ts';

let engine: TestEngine | null = null;

beforeAll(async () => {
  engine = await startEngine();
}, engineTimeoutMs);
afterAll(() => engine?.stop());

sandboxConformance(
  'docker',
  (limits) =>
    createSandbox({
      ...limits,
      openBackend: () => openDocker({ env: { DOCKER_HOST: engine?.address }, toolchains: 'host' }),
    }),
  { scope: 'back-end', languages: ['kotlin'] },
);
