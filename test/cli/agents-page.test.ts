/** docs/agents.md is what `npm run docs:agents` writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentsPage, withBuiltIn } from '../../scripts/agents-page.ts';
import { factsOf } from '../../src/cli/agents.ts';
import { matrixText } from '../../src/cli/agents-text.ts';
import { noPaint } from '../../src/text/paint.ts';
import { root } from './process.ts';

test('docs/agents.md is the page of today; if not, `npm run docs:agents` writes it', async () => {
  expect(readFileSync(join(root, 'docs', 'agents.md'), 'utf8')).toBe(await agentsPage());
});

test('the matrix says what each family lacks for an agent that does not run on it', async () => {
  const facts = await withBuiltIn(factsOf);
  const lines = matrixText({ paint: noPaint }, facts).split('\n');
  const rowOf = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.split(/ {2,}/);
  expect(lines[0]?.trim().split(/ {2,}/)).toEqual(['agent', 'ahc', 'aoc', 'arc', 'plain', 'proof', 'qa']);
  expect(rowOf('sample-and-select')?.slice(1, 4)).toEqual(['no samples', '✓', '✓']);
  expect(rowOf('best-of-n')?.slice(1, 5)).toEqual(['✓', '✓', '✓', 'no program or samples or check']);
});
