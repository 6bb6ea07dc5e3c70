/** Pages as Markdown: what Markdown itself cannot say is said in another way, never lost, never another thing. */
import { load } from 'cheerio/slim';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toMarkdown } from './markdown.ts';
import { normalizeTables } from './tables.ts';

const table = (...rows: string[]): string =>
  `<table>${rows.map((cells) => `<tr>${cells}</tr>`).join('')}</table>`;

describe('formulas', () => {
  test.each([
    ['<p><var>a</var><var>b</var></p>', '$a$ $b$'],
    ['<p><span><var>a</var></span><var>b</var></p>', '$a$ $b$'],
    ['<p><var>N</var>2</p>', '$N$ 2'],
    ['<p>表に<var>N</var>個、<var></var>$5</p>', '表に$N$個、$5'],
  ])('side by side stay formulas: %s', (html, markdown) => {
    expect(toMarkdown(html)).toBe(markdown);
  });
});

describe('tables', () => {
  test('over several rows and columns keep each cell under its head', () => {
    const html = table(
      '<th rowspan="2">Name</th><th colspan="2">Range</th>',
      '<th>least</th><th>most</th>',
      '<td rowspan="2"><var>N</var></td><td>1</td><td>2</td>',
      '<td>3</td><td>4</td>',
    );
    expect(toMarkdown(html).split('\n')).toEqual([
      '| Name | Range |  |',
      '| --- | --- | --- |',
      '| Name | least | most |',
      '| $N$ | 1 | 2 |',
      '| $N$ | 3 | 4 |',
    ]);
  });

  test('with short rows are filled up, and a caption stands before them', () => {
    const html = table('<th>a</th>', '<td>b</td><td>c</td>').replace(
      '<tr>',
      '<caption>Sizes of <var>x</var></caption><tr>',
    );
    expect(toMarkdown(html)).toBe('Sizes of $x$\n\n| a |  |\n| --- | --- |\n| b | c |');
  });

  test('that say nought, nonsense or a million stay in bounds', () => {
    expect(
      toMarkdown(
        table('<td rowspan="0">a</td><td colspan="x">b</td>', '<td>c</td>', '<td rowspan="-1">d</td>'),
      ),
    ).toBe('| a | b |\n| --- | --- |\n| a | c |\n| a | d |');
    const rows = load(table('<td colspan="999999999" rowspan="999999999">a</td>', '<td>b</td>'));
    normalizeTables(rows);
    expect(rows('td').length).toBeLessThanOrEqual(130);
  });

  test('hold no fences, and none of their heads reaches into the body', () => {
    expect(
      toMarkdown(
        '<table><thead><tr><th rowspan="9">h</th></tr></thead><tbody><tr><td><pre>a\nb</pre></td></tr></tbody></table>',
      ),
    ).toBe('| h |\n| --- |\n| `a` `b` |');
  });

  test('of any shape have rows of one length, in which no cell is lost', () => {
    const span = fc.integer({ min: 0, max: 4 });
    const cell = fc.record({ columns: span, rows: span });
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 4 }), { minLength: 1, maxLength: 5 }), (shape) => {
        const html = shape.map((cells, row) =>
          cells
            .map(({ columns, rows }, at) => `<td colspan="${columns}" rowspan="${rows}">c${row}-${at}</td>`)
            .join(''),
        );
        const page = load(table(...html));
        normalizeTables(page);
        const lengths = page('tr')
          .toArray()
          .map((row) => page(row).children().length);
        expect(new Set(lengths).size).toBe(1);
        for (const [row, cells] of shape.entries()) {
          for (const at of cells.keys()) {
            expect(page('tr').eq(row).text()).toContain(`c${row}-${at}`);
          }
        }
      }),
      { seed: 1 },
    );
  });
});

test('what stands as it is keeps its first indent, and its fence is longer than those in it', () => {
  expect(toMarkdown('<pre>\n  a\n```\nb\n\n</pre>')).toBe('````\n  a\n```\nb\n````');
});
