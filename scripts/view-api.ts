/** Writes docs/view-api.md (`npm run api`); a test looks whether it is the page of today. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { routesMarkdown } from '../src/server/route-table.ts';

const root = join(import.meta.dirname, '..');

export const viewApiPage = join(root, 'docs', 'view-api.md');

export function viewApiMarkdown(): string {
  const source = readFileSync(join(root, 'src', 'notes', 'page-items.ts'), 'utf8');
  const types =
    source.match(/^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export type \w+ = \{[\s\S]*?^\};$/gm) ?? [];
  return routesMarkdown(types.join('\n\n').replaceAll('readonly ', '').replaceAll('export type', 'type'));
}

if (process.argv[1] === import.meta.filename) writeFileSync(viewApiPage, viewApiMarkdown());
