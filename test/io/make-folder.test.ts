/** Folders are made one by one: an error comes back, where Node's recursive way never would. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../src/io/write-whole.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('those above it are made too, with its mode, and one that is there stays', () => {
  const folder = temporaryFolder();
  expect(makeFolder(join(folder, 'a', 'b', 'c'), { mode: 0o700 })).toBe(true);
  for (const name of ['a', 'a/b', 'a/b/c']) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o700);
  expect(makeFolder(join(folder, 'a', 'b'))).toBe(false);
  expect(makeFolder('/')).toBe(false);
  symlinkSync(join(folder, 'a'), join(folder, 'link'));
  expect(makeFolder(join(folder, 'link', 'd'))).toBe(true);
  expect(readdirSync(join(folder, 'a')).sort()).toEqual(['b', 'd']);
});

test('what is in the way is said', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(folder, 'file', 'x'))).toThrow('EEXIST');
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
  expect(() => makeFolder(join(folder, 'dangling'))).toThrow('EEXIST');
  mkdirSync(join(folder, 'real'));
  expect(makeFolder(join(folder, 'real'))).toBe(false);
});

test('below /proc there is an error and no hang', () => {
  const file = join(import.meta.dirname, '../../src/io/write-whole.ts');
  const script = `import(${JSON.stringify(file)}).then(({ makeFolder }) => makeFolder('/proc/polya/x'))`;
  // In a process of its own: what hangs there would take the tests with it.
  const { stderr, signal } = spawnSync(process.execPath, ['-e', script], {
    encoding: 'utf8',
    timeout: 100_000,
  });
  expect({ signal, isSaid: stderr.includes('ENOENT') }).toEqual({ signal: null, isSaid: true });
});

test('no command, and nothing that writes for one, makes folders in the way that hangs', () => {
  const root = join(import.meta.dirname, '../../src');
  const files = ['apps', 'cli', 'io', 'open', 'practice'].flatMap((room) =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => join(root, room, name)),
  );
  expect(files.length).toBeGreaterThan(100);
  const hanging = files.filter((file) =>
    /\bmkdir(Sync)?\([^;]*recursive: true/.test(readFileSync(file, 'utf8')),
  );
  expect(hanging).toEqual([]);
});
