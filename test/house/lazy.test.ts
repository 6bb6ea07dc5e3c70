/** Heavy libraries are loaded when they are needed: no file that is loaded at once, by any command, imports them. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const imports = /^(?:import|export)\s+(?!type\b)[^'";]*?from\s*'([^']+)'|^import\s*'([^']+)'/gm;

/** Packages that come with a file and all that it imports at once; the way to each. */
function loadedWith(file: string): Map<string, string> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  const visit = (path: string, trail: string): void => {
    if (seen.has(path) || !existsSync(path)) return;
    seen.add(path);
    for (const [, from, bare] of readFileSync(path, 'utf8').matchAll(imports)) {
      const target = from ?? bare ?? '';
      if (target.startsWith('.')) visit(join(dirname(path), target), `${trail} → ${target}`);
      else found.set(target, trail);
    }
  };
  visit(join(root, file), file);
  return found;
}

test.each([
  'src/main.ts',
  'src/index.ts',
  'src/cli/commands/ask.ts',
  'src/apps/aoc/commands/run.ts',
  'src/apps/arc/commands/run.ts',
])('%s brings no graph engine and no pictures', (file) => {
  const packages = [...loadedWith(file)].filter(([name]) => /^(@langchain|langsmith|pngjs)/.test(name));
  expect(packages).toEqual([]);
});

test('what does import the graph engine is found', () => {
  expect([...loadedWith('src/agents/induction-graph/induction-graph.ts').keys()]).toContain(
    '@langchain/langgraph',
  );
});
