/** What a toolchain is asked, over cells that only say how long the answer took. */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { Backend, Job } from './backend.ts';
import { createHost } from './host.ts';
import type { Tool } from './languages/language.ts';
import { findTools, languages } from './languages/languages.ts';
import { emptyFinished, emptyStep } from './protocol.ts';

/** Every program of its cells answers after `tookMs`, where that is within its limits. */
function backendWith(tookMs: number): Backend {
  const reply = {
    ...emptyFinished('ok'),
    step: { ...emptyStep('ok', tookMs), stdout: { text: 'openjdk 17', bytes: 10, cut: false } },
  };
  const run = async ({ limits }: Job) => (tookMs < limits.wallMs ? reply : emptyFinished('wall'));
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

test('an answer for which there is no room is given all the same: a full disk had ended the sandbox', async () => {
  const backend = backendWith(1);
  writeFileSync(join(backend.folder, 'answers'), 'a file where the folder of answers would be');
  expect(await createHost(backend).answer(java, ['/usr/bin/java'])).toBe('openjdk 17');
});

test('a language for whose files there is no room is absent, the others are found', async () => {
  const [python, , kotlin] = languages;
  if (python === undefined || kotlin === undefined) throw new Error('Both stand in the table.');
  const tool = { name: 'python' } as Tool;
  const without = (message: string) => [
    { ...python, find: async () => [tool] },
    { ...kotlin, find: () => Promise.reject(new Error(message)) },
  ];
  expect(await findTools(backendWith(1), without('ENOSPC: no space left on device, copyfile'))).toEqual([
    { language: expect.objectContaining({ id: 'python' }), tool },
  ]);
  await expect(findTools(backendWith(1), without('EIO: i/o error'))).rejects.toThrow('EIO');
});

test('one that never answers is not', async () => {
  expect(await createHost(backendWith(Number.POSITIVE_INFINITY)).answer(java, ['/usr/bin/java'])).toBeNull();
});

test('a toolchain in a closed home is seen by links to its files alone; one that others may walk to, where it is', async () => {
  const home = temporaryFolder('home');
  const put = (name: string, text: string, mode: number) => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text, { mode });
  };
  put('tools/bin/rustc', '#!/bin/sh\n', 0o755);
  put('tools/lib/deep/a.rlib', 'a', 0o644);
  put('tools/share/doc.html', 'long', 0o644);
  put('secret', 'mine', 0o600);
  symlinkSync(join(home, 'secret'), join(home, 'tools/lib/leads-out'));
  chmodSync(home, 0o700);
  const host = createHost(backendWith(1));
  const seen = await host.shareFolder(join(home, 'tools'), ['bin', 'lib']);
  // Programs of an ordinary user run as that user.
  if (process.getuid?.() !== 0) return expect(seen).toBe(join(home, 'tools'));
  expect(readdirSync(seen, { recursive: true }).sort()).toEqual([
    ...['bin', 'bin/rustc', 'lib', 'lib/deep', 'lib/deep/a.rlib'],
  ]);
  for (const name of ['', 'bin', 'bin/rustc', 'lib/deep'])
    expect(statSync(join(seen, name)).mode & 0o777).toBe(0o755);
  // The same again, also by several at once; another toolchain takes its place.
  const retried = await Promise.all(
    [1, 2, 3].map(() => host.shareFolder(join(home, 'tools'), ['bin', 'lib'])),
  );
  expect(new Set([seen, ...retried]).size).toBe(1);
  put('tools/bin/rustdoc', '', 0o755);
  const newer = await host.shareFolder(join(home, 'tools'), ['bin', 'lib']);
  expect([existsSync(seen), existsSync(join(newer, 'bin/rustdoc'))]).toEqual([false, true]);
});
