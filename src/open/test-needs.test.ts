import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingTestNeeds, testNeedsFile } from './test-needs.ts';

test('a clone has its list of what only tests need', async () => {
  expect(existsSync(testNeedsFile)).toBe(true);
});

test('an ordinary user is asked for nothing that only root’s tests need', async () => {
  expect(await missingTestNeeds({ isRoot: false })).toEqual([]);
});
