import { afterEach, expect, test, vi } from 'vitest';
import { findExecutable, pathFolders } from './executables.ts';
import { installHint, missingExecutable, missingNeeds } from './needs.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('on a machine that has everything, nothing is missing', async () => {
  // Whether this machine has the newest is its own business.
  expect((await missingNeeds()).filter((need) => !need.isUpgrade)).toEqual([]);
});

test('what comes from npm goes into a folder of the user’s, with its version pinned', async () => {
  vi.stubEnv('XDG_CACHE_HOME', '/nowhere');
  const folder = expect.stringMatching(/^\/nowhere\/polya\/toolchains\/kotlin-compiler-\d/);
  const npmPackage = expect.stringMatching(/^kotlin-compiler@\d+\.\d+\.\d+$/);
  const [need, ...siblings] = (await missingNeeds()).filter((each) => !each.isUpgrade);
  expect(siblings).toEqual([]);
  expect(need).toMatchObject({ kind: 'npm', optional: true, npmPackage, folder });
  expect(need?.kind === 'npm' ? need.command.slice(0, 4) : null).toEqual([
    ...['npm', 'install', '--prefix'],
    folder,
  ]);
});

test('a program that no sandbox needs is missed where it is not', async () => {
  const needed = { kind: 'debian', debianPackage: 'x', purpose: 'tests', megabytes: 1 } as const;
  expect(await missingExecutable({ ...needed, executable: 'sh' })).toEqual([]);
  const missing = { ...needed, executable: 'polya-nothing' };
  expect(await missingExecutable(missing)).toEqual([{ ...missing, optional: true }]);
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
