/** Cells of CSV: what a spreadsheet would calculate is text to it. */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { withResult } from '../apps/ahc/session/folder.ts';
import { csvCell } from './csv.ts';

const formulas = [
  '=1+1',
  '+x',
  '-x',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '＝1+1',
  ' =x',
  '=HYPERLINK("http://x.example","a,b")',
];

test.each(formulas)('%j is no formula, and is not lost', (text) => {
  const [[cell = ''] = []] = parse(`${csvCell(text)}\n`, { relax_column_count: true });
  expect(cell).toBe(`'${text}`);
});

test.each(['', '-1', '+1.5e-3', '1,234', '-12%', 'a', 'a=b', '"', ' a'])('%j stays what it is', (text) => {
  expect(parse(`${csvCell(text)},x\n`)).toEqual([[text, 'x']]);
});

test('a session that is called like a formula keeps its one line in results.csv', () => {
  const once = withResult('', ['=cmd', '2026', '1']);
  expect(once).toMatch(/\n'=cmd,2026,1\n$/);
  expect(withResult(once, ['=cmd', '2026', '2'])).toBe(once.replace('2026,1', '2026,2'));
  expect(withResult(once.replace("'", ''), ['=cmd', '2026', '2'])).toBe(once.replace('2026,1', '2026,2'));
});
