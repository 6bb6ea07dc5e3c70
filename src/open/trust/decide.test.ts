import { expect, test } from 'vitest';
import { isTrustedByVariable, ownershipIssue, parentIssue, untrustedFiles, withTrusted } from './decide.ts';

const found = { folder: '/w', uid: 1000, files: [{ name: '.env', digest: 'a', effect: '' }] };

test('what is new, has changed, or lies in a folder of another owner is not trusted', () => {
  const record = withTrusted(found, null);
  expect(untrustedFiles(found, record)).toEqual([]);
  expect(untrustedFiles({ ...found, files: [] }, record)).toEqual([]);
  const changed = [{ name: '.env', digest: 'b', effect: '' }];
  const added = [{ name: 'polya.config.ts', digest: 'a', effect: '' }];
  for (const other of [
    { ...found, files: changed },
    { ...found, files: added },
    { ...found, uid: 1001 },
    { ...found, folder: '/w/nested' },
  ])
    expect(untrustedFiles(other, record)).toEqual(other.files);
  expect(untrustedFiles(found, null)).toEqual(found.files);
});

test.each([
  ['own', { uid: 1000, gid: 1000, mode: 0o644 }, true, true],
  ['own, with a private group', { uid: 1000, gid: 1000, mode: 0o664 }, true, true],
  ['own, with a common group', { uid: 1000, gid: 100, mode: 0o664 }, false, false],
  ['own, open to all', { uid: 1000, gid: 1000, mode: 0o666 }, false, false],
  ['of another user', { uid: 1001, gid: 1001, mode: 0o600 }, false, false],
  ['of root', { uid: 0, gid: 0, mode: 0o755 }, false, true],
  ['of root, open to all with a sticky bit', { uid: 0, gid: 0, mode: 0o1777 }, false, true],
  ['of root, open to all', { uid: 0, gid: 0, mode: 0o777 }, false, false],
])('a file or parent folder: %s', (_, ownedRun, isOwn, isSafeParent) => {
  expect([ownershipIssue(ownedRun, 1000) === null, parentIssue(ownedRun, 1000) === null]).toEqual([
    isOwn,
    isSafeParent,
  ]);
});

test('a file of a user is not root’s own; a system without owners has none to compare', () => {
  const file = { uid: 1000, gid: 1000, mode: 0o644 };
  expect(ownershipIssue(file, 0)).toContain('another user');
  expect(ownershipIssue(file, undefined)).toBeNull();
});

test.each([
  [undefined, false],
  ['', false],
  ['0', false],
  ['1', true],
  ['/w', true],
  ['/w/', true],
  ['/x:/w', true],
  ['/x', false],
  ['/', false],
] as const)('POLYA_TRUST=%s', (text, isTrusted) => {
  expect(isTrustedByVariable(text, '/w')).toBe(isTrusted);
});

test.each(['yes', 'w', '/w:x'])('POLYA_TRUST=%s is refused', (text) => {
  expect(() => isTrustedByVariable(text, '/w')).toThrow('neither 1 nor a list of folders');
});
