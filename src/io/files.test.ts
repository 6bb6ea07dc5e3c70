import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { coded } from '../../test/support/coded.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { UnavailableError } from '../core/errors.ts';
import { createFiles } from './files.ts';

let folder = '';
beforeAll(async () => {
  folder = temporaryFolder('io');
});

describe('files', () => {
  test('a folder in the place of a file is told', async () => {
    await mkdir(join(folder, 'taken'));
    await expect(createFiles(folder).read('taken')).rejects.toThrow(coded('file-failed'));
  });

  test('writes whole, private files into private folders', async () => {
    const files = createFiles(join(folder, 'cache'));
    expect(await files.read('a/b/page.html')).toBeNull();
    await files.write('a/b/page.html', 'eins');
    await files.write('a/b/page.html', 'zwei – ü');
    expect(await files.read('a/b/page.html')).toBe('zwei – ü');
    expect(await readdir(join(folder, 'cache/a/b'))).toEqual(['page.html']);
    expect((await stat(join(folder, 'cache/a/b/page.html'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'cache/a'))).mode & 0o777).toBe(0o700);
  });

  test.each(['../x', 'a/../x', '/etc/passwd', 'a//b', '', '.hidden', 'a/b\0', 'a\\b'])(
    'refuses the path %j',
    async (path) => {
      const files = createFiles(folder);
      await expect(files.read(path)).rejects.toThrow('safe segments');
      await expect(files.write(path, '')).rejects.toThrow('safe segments');
    },
  );

  test('twenty writers at once leave one whole file', async () => {
    const files = createFiles(folder);
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000));
    await Promise.all(texts.map((text) => files.write('race.txt', text)));
    expect(texts).toContain(await readFile(join(folder, 'race.txt'), 'utf8'));
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('adds lines, also after one that was cut short', async () => {
    const files = createFiles(join(folder, 'lines'));
    await files.append('log', 'one');
    await writeFile(join(folder, 'lines/log'), '\none\ntw');
    await files.append('log', 'three');
    const lines = (await files.read('log'))?.split('\n').filter(Boolean);
    expect(lines).toEqual(['one', 'tw', 'three']);
    expect((await stat(join(folder, 'lines/log'))).mode & 0o777).toBe(0o600);
    await expect(files.append('log', 'two\nlines')).rejects.toThrow('Not one line');
    await expect(files.append('../log', 'x')).rejects.toThrow('safe segments');
  });

  test('a folder that is a file is explained', async () => {
    await writeFile(join(folder, 'blocked'), '');
    await expect(createFiles(folder).write('blocked/x', '')).rejects.toThrow(coded('file-failed'));
    await expect(createFiles(folder).read('blocked/x')).rejects.toBeInstanceOf(UnavailableError);
  });
});
