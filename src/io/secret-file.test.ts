import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { coded } from '../../test/support/coded.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { UserError } from '../core/errors.ts';
import { localFiles } from './local-files.ts';
import { readSecretFile } from './plain-file.ts';

let folder = '';
beforeAll(async () => {
  folder = temporaryFolder('secret');
});

describe('a secret in a file', () => {
  const read = async (text: string, mode: number) => {
    const file = join(folder, `secret-${mode}`);
    await writeFile(file, text);
    await chmod(file, mode);
    return readSecretFile(file, 'cookie');
  };

  test('is read without the space around it, where it is private', async () => {
    expect(await read(' hush\n', 0o600)).toBe('hush');
    expect(await read('hush', 0o400)).toBe('hush');
    expect(await read(' \n', 0o600)).toBeNull();
    expect(readSecretFile(join(folder, 'missing'), 'cookie')).toBeNull();
    expect(readSecretFile(join(folder, 'secret-384', 'below-a-file'), 'cookie')).toBeNull();
  });

  test.each([0o644, 0o640, 0o604, 0o620, 0o602])('is refused with mode %o', async (mode) => {
    const rejected = await read('hush', mode).catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(UserError);
    expect(String(rejected)).toContain(`mode ${mode.toString(8)}`);
    expect(String(rejected)).not.toContain('hush');
  });

  test('a folder is none', async () => {
    await mkdir(join(folder, 'sub'), { mode: 0o700 });
    expect(() => readSecretFile(join(folder, 'sub'), 'cookie')).toThrow(coded('file-unreadable'));
  });
});

test('files of the user are found from a folder', async () => {
  await mkdir(join(folder, 'b'));
  await writeFile(join(folder, 'b', 'x'), 'ä');
  const files = localFiles(folder);
  expect(await files.read('b/x')).toBe('ä');
  expect(await localFiles('/').read(join(folder, 'b/x'))).toBe('ä');
  expect(await files.read('b/y')).toBeNull();
  expect(await files.read('b/x/y')).toBeNull();
  await expect(files.read('b')).rejects.toThrow(coded('file-unreadable'));
  expect(await files.foldersIn('.')).toContain('b');
  expect(await files.foldersIn('nowhere')).toEqual([]);
});
