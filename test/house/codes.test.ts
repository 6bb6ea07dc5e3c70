/** Codes of errors: lower case with hyphens, and listed in docs/exit-codes.md. `POLYA_GOLDEN=update` writes the list anew. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = join(root, 'docs/exit-codes.md');
const [begin, end] = ['<!-- codes: made from src (test/house/codes.test.ts) -->', '<!-- end of codes -->'];

const thrown = /new (\w+)\(\s*\{\s*code: (?:'([^']*)'|`([^`]*)`)/g;

/** Exit code → codes. An error of a class that is named otherwise is one of these three all the same. */
const exits: Readonly<Record<string, number>> = { UserError: 2, UnavailableError: 3, JournalError: 4 };

function codesInSource(): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map<string, Set<number>>();
  for (const path of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue;
    const text = readFileSync(join(root, 'src', path), 'utf8');
    for (const [, name = '', plain, template] of text.matchAll(thrown)) {
      const code = plain ?? (template ?? '').replaceAll(/\$\{[^}]*\}/g, '…');
      const of = found.get(code) ?? new Set<number>();
      found.set(code, of.add(exits[name] ?? 3));
    }
  }
  return found;
}

function listed(): string {
  const codes = codesInSource();
  const rows = Object.values(exits).map((exit) => {
    const names = [...codes].filter(([, of]) => of.has(exit)).map(([code]) => `\`${code}\``);
    return `- **${exit}**: ${names.sort().join(', ')}`;
  });
  return `${begin}\n${rows.join('\n')}\n${end}`;
}

test('each code is a name of words with hyphens', () => {
  const codes = [...codesInSource().keys()];
  expect(codes.length).toBeGreaterThan(200);
  expect(codes.filter((code) => !/^[a-z][a-z0-9]*(-([a-z0-9]+|…))*$/.test(code))).toEqual([]);
  expect(codes).not.toContain('unknown');
});

test('docs/exit-codes.md lists them', () => {
  const text = readFileSync(page, 'utf8');
  const [at, last] = [text.indexOf(begin), text.indexOf(end)];
  expect(at).toBeGreaterThan(0);
  const now = text.slice(0, at) + listed() + text.slice(last + end.length);
  if (process.env.POLYA_GOLDEN === 'update') writeFileSync(page, now);
  else expect(text).toBe(now);
});
