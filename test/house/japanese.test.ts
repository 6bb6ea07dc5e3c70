/** The Japanese pages tell what the English ones tell: the same headings in the same order, the same commands, the same tables. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

/** Lines that are typed, without what is said of them. */
function commandsOf(page: string): readonly string[] {
  return [...page.matchAll(/^ {4}(?=\S)(.*)$/gm)].map(([, line = '']) =>
    line.replace(/^\s*(.*?)\s+#.*$/, '$1').trim(),
  );
}

/** By level, and their names in code, which are not translated. */
function headingsOf(page: string): readonly string[] {
  return [...page.replace(/```[\s\S]*?```/g, '').matchAll(/^(#+) (.*)$/gm)].map(
    ([, level = '', heading = '']) => `${level} ${(heading.match(/`[^`]+`/g) ?? []).join(' ')}`.trim(),
  );
}

/** Rows of each table, by their first cell where that is code. */
function tablesOf(page: string): readonly (readonly string[])[] {
  return [...page.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((row) => (row.split('|')[1] ?? '').match(/`[^`]+`/g)?.join(' ') ?? ''),
  );
}

describe.each([
  ['README.md', 'README.ja.md'],
  ['docs/ahc.md', 'docs/ahc.ja.md'],
])('%s in Japanese', (english, japanese) => {
  const [ours, theirs] = [read(english), read(japanese)];

  test('has its headings', () => expect(headingsOf(theirs)).toEqual(headingsOf(ours)));

  test('has its commands', () => expect(commandsOf(theirs)).toEqual(commandsOf(ours)));

  test('has its tables, row by row', () => expect(tablesOf(theirs)).toEqual(tablesOf(ours)));

  test('each links to the other', () => {
    expect(ours.includes(`(${japanese.split('/').at(-1)})`)).toBe(true);
    expect(theirs.includes(`(${english.split('/').at(-1)})`)).toBe(true);
  });
});
