/** What a toolchain is asked, over cells that only say how long the answer took. */
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { Backend, Job } from './backend.ts';
import { createHost } from './host.ts';
import { emptyFinished, emptyStep } from './protocol.ts';

/** Every program of its cells answers after `tookMs`, where that is within its limits. */
function backendWith(tookMs: number): Backend {
  const answered = {
    ...emptyFinished('ok'),
    step: { ...emptyStep('ok', tookMs), stdout: { text: 'openjdk 17', bytes: 10, cut: false } },
  };
  const run = async ({ limits }: Job) => (tookMs < limits.wallMs ? answered : emptyFinished('wall'));
  return {
    name: 'slow',
    version: '1',
    isolation: 'none',
    enforcement: {} as Backend['enforcement'],
    folder: temporaryFolder('host'),
    isIntact: () => true,
    fileState: async (path) => `${path} 1`,
    openCell: async () => ({ run, close: async () => {} }),
    clean: async () => [],
  };
}

const java = { command: ['/usr/bin/java', '-version'] };

test('a toolchain that needs half a minute to answer is there: on a busy machine Kotlin was said to be missing', async () => {
  expect(await createHost(backendWith(30_000)).answer(java, ['/usr/bin/java'])).toBe('openjdk 17');
});

test('one that never answers is not', async () => {
  expect(await createHost(backendWith(Number.POSITIVE_INFINITY)).answer(java, ['/usr/bin/java'])).toBeNull();
});
