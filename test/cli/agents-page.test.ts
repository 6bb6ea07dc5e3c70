/** docs/agents.md is what `npm run docs:agents` writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentsPage } from '../../scripts/agents-page.ts';
import { root } from './process.ts';

test('docs/agents.md is the page of today; if not, `npm run docs:agents` writes it', async () => {
  expect(readFileSync(join(root, 'docs', 'agents.md'), 'utf8')).toBe(await agentsPage());
});
