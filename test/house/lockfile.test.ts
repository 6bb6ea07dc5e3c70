/** `npm ci` refuses a lockfile that lacks an optional package of any platform: found here before a newcomer finds it. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { lockfiles, missingOptional } from '../../scripts/complete-lockfile.ts';

describe.each(lockfiles)('%s', (file) => {
  const lockfile = JSON.parse(readFileSync(file, 'utf8'));

  test('is complete; if not, `npm run lock` completes it', () => {
    expect([...missingOptional(lockfile).keys()]).toEqual([]);
  });

  test('names no host of a registry', () => {
    expect(JSON.stringify(lockfile)).not.toMatch(/"resolved":"https?:/);
  });
});

test('a package that is left out is found, with its platform', () => {
  const packages = {
    'node_modules/a': { optionalDependencies: { '@a/linux-x64-musl': '1.2.3' }, dev: true },
  };
  expect(missingOptional({ packages }).get('node_modules/@a/linux-x64-musl')).toEqual({
    version: '1.2.3',
    dev: true,
    optional: true,
    os: ['linux'],
    cpu: ['x64'],
    libc: ['musl'],
  });
});
