/** What the library exports, and the types that it names, are documented and stand in `docs/api.md`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiMarkdown, apiPage, readApi } from '../../scripts/api.ts';

const api = readApi();

test('each has TSDoc', () => {
  expect(api.filter(({ doc }) => doc === '').map(({ name }) => name)).toEqual([]);
});

test('nothing is exported that authors neither call nor name', () => {
  expect(api.filter(({ isExported }) => isExported).length).toBeLessThanOrEqual(60);
});

test('docs/api.md is up to date; `npm run api` writes it anew', () => {
  const page = apiMarkdown(api);
  if (process.env.POLYA_GOLDEN === 'update') writeFileSync(apiPage, page);
  expect(readFileSync(apiPage, 'utf8')).toBe(page);
});
