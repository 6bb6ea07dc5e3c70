import { expect, test } from 'vitest';
import { JournalError, UnavailableError, UserError } from '../core/errors.ts';
import { explainStoreError, isBusy } from './store-errors.ts';

const sqlite = (errcode: number): Error => Object.assign(new Error('x'), { errcode });

test.each([
  [13, UnavailableError, 'is full'],
  [10 | (3 << 8), UnavailableError, 'cannot be written or read'],
  [5, UnavailableError, 'locked by another process'],
  [8, UnavailableError, 'cannot be opened for writing'],
  [14, UnavailableError, 'cannot be opened for writing'],
  [11, JournalError, 'is no database'],
  [26, JournalError, 'is no database'],
])("SQLite's error %i is told to a person", (code, kind, text) => {
  const explained = explainStoreError(sqlite(code), 'the.db');
  expect(explained).toBeInstanceOf(kind);
  expect(String(explained)).toContain(text);
  expect(String(explained)).toContain('the.db');
});

test('what is told already, and what is our own bug, stays as it is', () => {
  for (const error of [
    new UserError({ code: 'some-code', what: 'A.' }),
    new TypeError('bug'),
    sqlite(1),
    'thrown',
  ]) {
    expect(explainStoreError(error, 'the.db')).toBe(error);
  }
});

test('a lock is worth another try', () => {
  expect([isBusy(sqlite(5)), isBusy(sqlite(261)), isBusy(sqlite(13)), isBusy('no')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test.each([13, 10])('the way on after error %i names what `runs resume` needs', (code) => {
  expect(String(explainStoreError(sqlite(code), 'the.db'))).toContain('`polya runs resume ID`');
});
