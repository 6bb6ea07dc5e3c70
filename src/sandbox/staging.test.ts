import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { stagingFolder } from './staging.ts';

const uid = process.getuid?.() ?? -1;
let parent = '';
beforeEach(() => {
  parent = temporaryFolder('staging');
  chmodSync(parent, 0o755);
});

test('the folder is passed through by everybody and listed by nobody else', async () => {
  const folder = await stagingFolder(parent, uid);
  expect(folder).toBe(join(parent, `polya-${uid}`));
  expect(statSync(folder ?? '').mode & 0o777).toBe(0o711);
  expect(await stagingFolder(parent, uid)).toBe(folder);
});

test('where the unprivileged user cannot pass, root stages nothing', { tags: ['root'] }, async () => {
  chmodSync(parent, 0o700);
  expect(await stagingFolder(parent, uid)).toBeNull();
});

test('a folder that another user made is not ours', { tags: ['root'] }, async () => {
  const folder = join(parent, 'polya-0');
  mkdirSync(folder);
  chownSync(folder, 60_500, 60_500);
  expect(await stagingFolder(parent, uid)).toBeNull();
});

test('a link is not a folder of ours, wherever it leads', async () => {
  symlinkSync('/tmp', join(parent, `polya-${uid}`));
  expect(await stagingFolder(parent, uid)).toBeNull();
});

test('where everybody may rename, anybody could put another in its place', async () => {
  chmodSync(parent, 0o777);
  expect(await stagingFolder(parent, uid)).toBeNull();
  expect(readdirSync(parent)).toEqual([]);
  chmodSync(parent, 0o1777);
  expect(await stagingFolder(parent, uid)).not.toBeNull();
});

test('a parent that is not there is no place', async () => {
  expect(await stagingFolder(join(parent, 'nowhere'), uid)).toBeNull();
});

test('the runner compiles without a warning', () => {
  const folder = join(import.meta.dirname, 'runner');
  const sources = readdirSync(folder).filter((name) => name.endsWith('.c'));
  const flags = ['-std=gnu17', '-O2', '-Wall', '-Wextra', '-Wshadow', '-Wconversion', '-Wno-sign-conversion'];
  execFileSync('gcc', [...flags, '-Werror', '-o', join(parent, 'runner'), ...sources], { cwd: folder });
});
