import { expect, test } from 'vitest';
import { politeSpacingMs } from './spacing.ts';

test('a guest waits, at home nobody does', () => {
  expect(politeSpacingMs('adventofcode.com')).toBe(3_000);
  expect([politeSpacingMs('127.0.0.1'), politeSpacingMs('localhost'), politeSpacingMs('[::1]')]).toEqual([
    0, 0, 0,
  ]);
});
