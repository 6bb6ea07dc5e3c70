/** What the library exports is whole, documented, and told in `docs/api.md`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiMarkdown, apiPage, readApi } from '../../scripts/api.ts';

const api = readApi();

test('every type that an export names is exported', () => {
  const missing = api.flatMap(({ name, missing }) => missing.map((type) => `${name} names ${type}`));
  expect(missing).toEqual([]);
});

test('every export has TSDoc', () => {
  expect(api.filter(({ doc }) => doc === '').map(({ name }) => name)).toEqual([]);
});

test('nothing is exported that authors do not call', () => {
  const values = api.filter(({ isValue }) => isValue).map(({ name }) => name);
  expect(values.length).toBeLessThanOrEqual(50);
});

test('docs/api.md is up to date; `npm run api` writes it anew', () => {
  const page = apiMarkdown(api);
  if (process.env.POLYA_GOLDEN === 'update') writeFileSync(apiPage, page);
  expect(readFileSync(apiPage, 'utf8')).toBe(page);
});
