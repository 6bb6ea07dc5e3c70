import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { cacheFolder, configFolder, findHome, makeHome } from './home.ts';

const newFolder = (): string => temporaryFolder('home');

test('the nearest folder above is found; looking makes none', () => {
  const top = newFolder();
  mkdirSync(join(top, '.polya'));
  mkdirSync(join(top, 'a/b'), { recursive: true });
  expect(findHome(join(top, 'a/b'), {})).toEqual({ folder: join(top, '.polya'), exists: true });
  const other = newFolder();
  expect(findHome(other, { POLYA_HOME: 'own' })).toEqual({ folder: join(other, 'own'), exists: false });
  expect(existsSync(join(other, 'own'))).toBe(false);
});

test('a .polya that leads in a circle, and a name that is too long, are no folder', () => {
  const top = newFolder();
  symlinkSync('.polya', join(top, '.polya'));
  for (const named of ['.polya', 'x'.repeat(5_000)])
    expect(findHome(top, { POLYA_HOME: named }).exists).toBe(false);
  expect(() => makeHome(join(top, '.polya'))).toThrow('is a link');
});

test('a folder of ours hides itself from git; in one that somebody else made, only what is ours is hidden', () => {
  const top = newFolder();
  makeHome(join(top, '.polya'));
  makeHome(join(top, 'own'));
  expect(readFileSync(join(top, '.polya/.gitignore'), 'utf8')).toBe('*\n');
  expect(existsSync(join(top, 'own/.gitignore'))).toBe(true);
  makeHome(top);
  const own = readFileSync(join(top, '.gitignore'), 'utf8');
  expect(own.split('\n')).toEqual(['/polya.db*', '/practice/', '/late/', '/.gitignore', '']);
  writeFileSync(join(top, '.gitignore'), 'node_modules\n');
  makeHome(top);
  expect(readFileSync(join(top, '.gitignore'), 'utf8')).toBe('node_modules\n');
});

test('a .gitignore that a full disk left empty is filled, so that no puzzle gets into git', () => {
  const folder = join(newFolder(), '.polya');
  mkdirSync(folder);
  writeFileSync(join(folder, '.gitignore'), '');
  makeHome(folder);
  expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('*\n');
});

test('a full disk is told as one, and leaves no folder that does not hide itself', () => {
  const folder = join(newFolder(), 'own');
  const make = `
    import { makeHome } from ${JSON.stringify(join(import.meta.dirname, 'home.ts'))};
    try { makeHome(${JSON.stringify(folder)}); } catch (error) { console.log(error.name + ': ' + error.message); }`;
  // No file may grow: what a full disk is to whoever writes two bytes.
  const shell = 'ulimit -f 0; trap "" XFSZ; exec "$0" --input-type=module -e "$1"';
  const args = ['-c', shell, process.execPath, make];
  const { stdout } = spawnSync('sh', args, {
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: '' },
  });
  expect(stdout).toMatch(/^UnavailableError: .*cannot be made or written.*Make room/s);
  expect(existsSync(folder)).toBe(false);
});

test('a folder that cannot be made is told', () => {
  expect(() => makeHome('/etc/passwd/polya')).toThrow(/cannot be made or written/);
});

test('XDG folders: an absolute one is taken, a relative one ignored', () => {
  expect(cacheFolder({ HOME: '/h', XDG_CACHE_HOME: '/c' })).toBe('/c/polya');
  expect(cacheFolder({ HOME: '/h', XDG_CACHE_HOME: 'c' })).toBe('/h/.cache/polya');
  expect(configFolder({ HOME: '/h' })).toBe('/h/.config/polya');
});

test('a folder that lacks its .gitignore and may not be written is used as it is', () => {
  // Root may write everywhere else.
  expect(() => makeHome('/proc/self')).not.toThrow();
});
