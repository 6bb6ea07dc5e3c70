import { expect, test } from 'vitest';
import { findExecutable, pathFolders } from './executables.ts';
import { installHint, missingNeeds } from './needs.ts';

test('on a machine that has everything, nothing is missing', async () => {
  expect(await missingNeeds()).toEqual([]);
});

test('executables are found in order, folders are not executables', async () => {
  expect(await findExecutable(['polya-nothing', 'sh'], ['/nowhere', '/usr/bin'])).toBe('/usr/bin/sh');
  expect(await findExecutable(['bin'], ['/usr'])).toBeNull();
  expect(await findExecutable(['os-release'], ['/etc'])).toBeNull();
});

test('the system’s folders come before those of PATH', () => {
  expect(pathFolders().slice(0, 2)).toEqual(['/usr/bin', '/usr/local/bin']);
});

test('a hint names both ways', () => {
  expect(installHint('g++')).toBe('Run `./polya setup`, or `sudo apt-get install g++`.');
});
