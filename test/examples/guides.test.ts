/**
 * The code in the guides is taken from examples that tests run. A comment above each block names the file, or the region
 * of a file, that it shows. `POLYA_GOLDEN=update` writes the blocks anew.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const block = /<!-- (examples\/\S+) -->\n```(\w*)\n([\s\S]*?)```/g;

/** A whole file without its header, or a region of it. */
function shown(reference: string): string {
  const [file = '', region] = reference.split('#');
  const text = readFileSync(join(root, file), 'utf8');
  if (region === undefined) return text.replace(/^\/\*\*[\s\S]*?\*\/\n/, '');
  const marked = new RegExp(`// #region ${region}\\n([\\s\\S]*?)// #endregion`).exec(text)?.[1];
  if (marked === undefined) throw new Error(`${file} has no region ${region}.`);
  return marked;
}

test('docs/your-own.md shows code that is tested', () => {
  const path = join(root, 'docs/your-own.md');
  const page = readFileSync(path, 'utf8');
  expect([...page.matchAll(block)]).toHaveLength(3);
  const fresh = page.replaceAll(
    block,
    (_, reference: string, language: string) =>
      `<!-- ${reference} -->\n\`\`\`${language}\n${shown(reference)}\`\`\``,
  );
  if (process.env.POLYA_GOLDEN === 'update') writeFileSync(path, fresh);
  else expect(page).toBe(fresh);
});
