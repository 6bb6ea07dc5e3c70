/** What is told of each failure of SQLite, and what counts as damage, a lock, or want of rights. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { coded } from '../../test/support/coded.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { UserError } from '../core/errors.ts';
import { findIntegrityErrors } from './connections.ts';
import { explainReadError, explainStoreError, isBusy, isCorruption } from './store-errors.ts';

const failure = (errcode: number) =>
  Object.assign(new Error('it failed'), { code: 'ERR_SQLITE_ERROR', errcode });

test.each([
  [13, 'disk-full'],
  [10, 'disk-failed'],
  [5, 'database-locked'],
  [8, 'database-read-only'],
  [14, 'database-read-only'],
  [11, 'database-unreadable'],
  [26, 'database-unreadable'],
])('code %i of SQLite is told as %s', (errcode, code) => {
  expect(explainStoreError(failure(errcode), 'polya.db')).toEqual(coded(code, 'polya.db'));
  expect(explainStoreError(failure(errcode), 'polya.db', null)).toEqual(coded(code));
  expect(explainReadError(failure(errcode), 'polya.db')).toEqual(coded(code));
  expect(isBusy(failure(errcode))).toBe(errcode === 5);
  expect(isCorruption(failure(errcode))).toBe([10, 11, 26].includes(errcode));
});

test('what is no failure of SQLite stays what it is; a run that is known is named', () => {
  const own = new UserError({ code: 'mine', what: 'Mine.', fix: 'None.' });
  for (const other of [own, new Error('other'), 'a text', failure(19)])
    expect(explainStoreError(other, 'polya.db')).toBe(other);
  expect(explainReadError(own, 'polya.db')).toBe(own);
  expect(explainReadError(new Error('other'), 'polya.db')).toMatchObject({ message: 'other' });
  expect(explainStoreError(failure(13), 'polya.db', 'r1')).toMatchObject({
    explanation: { fix: expect.stringContaining('polya resume r1') },
  });
  expect(explainStoreError({ errcode: 10 }, 'polya.db')).toMatchObject({});
});

test('a shape, a number or a text that nobody wrote is damage', () => {
  const range = Object.assign(new RangeError('too large'), { code: 'ERR_OUT_OF_RANGE' });
  for (const corruption of [new z.ZodError([]), new SyntaxError('no JSON'), range]) {
    expect(isCorruption(corruption)).toBe(true);
    expect(explainReadError(corruption, 'polya.db')).toEqual(coded('database-damaged'));
  }
  for (const other of [new RangeError('x'), new Error('x'), null]) {
    expect(isCorruption(other)).toBe(false);
  }
  expect(explainReadError(failure(1), 'polya.db')).toEqual(coded('database-damaged'));
});

test('a file that is not there has no flaw', () => {
  expect(findIntegrityErrors(join(temporaryFolder('flaws'), 'polya.db'))).toEqual([]);
});
