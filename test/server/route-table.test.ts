/** The documentation of the routes is today's, and each route of the app stands in it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { viewApiMarkdown, viewApiPage } from '../../scripts/view-api.ts';
import { openJournals } from '../../src/open/journals.ts';
import { api } from '../../src/server/api.ts';
import { commandsIn } from '../../src/server/commands.ts';
import { routeTable } from '../../src/server/route-table.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('every route of the app stands in the table, and no other', async () => {
  const folder = temporaryFolder('routes');
  const polya = openJournals({ folder, env: { POLYA_HOME: folder }, create: true });
  const commands = commandsIn({ calledAs: 'polya', folder, env: {} });
  const { routes } = api({ polya, commands, isReadOnly: false, closing: new AbortController().signal });
  const named = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`;
  expect(routeTable.map(named).toSorted()).toEqual(
    [...new Set(routes.filter(({ method }) => method !== 'ALL').map(named))].toSorted(),
  );
  await polya.close();
});

test('docs/view-api.md is up to date; `npm run api` writes it anew', () => {
  const page = viewApiMarkdown();
  if (process.env.POLYA_GOLDEN === 'update') writeFileSync(viewApiPage, page);
  expect(readFileSync(viewApiPage, 'utf8')).toBe(page);
  for (const type of ['RunItem', 'EventItem', 'SetHead', 'SetRowItem', 'QuestionItem', 'CostTable'])
    expect(page).toContain(`type ${type} = {`);
});
