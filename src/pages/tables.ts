/**
 * Makes tables even, because Markdown knows no cells over several rows or columns: a value for several rows is
 * repeated, short rows are filled up with empty cells, and a caption stands before its table. Changes the page.
 */
import type { Cheerio, CheerioAPI } from 'cheerio/slim';
import type { Element } from 'domhandler';
import type TurndownService from 'turndown';

/** Wider than any table that is read; a page may ask for a thousand in a few letters. */
const mostColumns = 64;

export function normalizeTables(page: CheerioAPI): void {
  // A table in a cell first, because the cell may be said again.
  for (const table of page('table').toArray().reverse()) {
    for (const caption of page(table).children('caption').toArray()) {
      page(table).before(page('<p></p>').append(page(caption).contents()));
      page(caption).remove();
    }
    // Without `:scope` cheerio compares each child of the table with all others.
    const rows = page(table).find(':scope tr').toArray();
    normalizeRows(
      page,
      // A table in a cell has rows of its own.
      rows.filter((row) => page(row).closest('table').get(0) === table),
    );
  }
}

/** A cell of a row above that still holds, by its column. */
type RowSpan = Map<number, { readonly part: Cheerio<Element>; rowsLeft: number }>;

function normalizeRows(page: CheerioAPI, rows: readonly Element[]): void {
  let rowSpan: RowSpan = new Map();
  let group: unknown = null;
  for (const row of rows) {
    // No cell reaches from a head into a body.
    if (row.parent !== group) rowSpan = new Map();
    group = row.parent;
    fillRow(page, row, rowSpan);
  }
  const width = Math.max(0, ...rows.map((row) => cellsOf(page, row).length));
  for (const row of rows) {
    for (let missing = width - cellsOf(page, row).length; missing > 0; missing -= 1) {
      page(row).append('<td></td>');
    }
  }
}

function fillRow(page: CheerioAPI, row: Element, held: RowSpan): void {
  const own = cellsOf(page, row);
  page(row).empty();
  for (let column = 0; column < mostColumns; column += 1) {
    const previous = held.get(column);
    if (previous) {
      page(row).append(previous.part.clone());
      previous.rowsLeft -= 1;
      if (previous.rowsLeft === 0) held.delete(column);
      continue;
    }
    const cell = own.shift();
    if (cell) column = place(page, { cell, row, column, held });
    else if (![...held.keys()].some((later) => later > column)) return;
    else page(row).append('<td></td>');
  }
}

/** Its last column. */
function place(
  page: CheerioAPI,
  { cell, row, column, held }: { cell: Element; row: Element; column: number; held: RowSpan },
): number {
  const columns = Math.min(span(page, cell, 'colspan'), mostColumns - column);
  const rowsLeft = span(page, cell, 'rowspan') - 1;
  page(cell).removeAttr('rowspan').removeAttr('colspan');
  for (let at = column; at < column + columns; at += 1) {
    const part = at === column ? page(cell) : page<Element, string>('<td></td>');
    page(row).append(part);
    if (rowsLeft > 0) held.set(at, { part, rowsLeft });
  }
  return column + columns - 1;
}

/** Nought means: to the end of its group. */
function span(page: CheerioAPI, cell: Element, attribute: 'rowspan' | 'colspan'): number {
  const question = /^\s*(\d{1,9})/.exec(page(cell).attr(attribute) ?? '')?.[1];
  if (question === undefined) return 1;
  if (Number(question) > 0) return Number(question);
  return attribute === 'rowspan' ? Number.MAX_SAFE_INTEGER : 1;
}

function cellsOf(page: CheerioAPI, row: Element): Element[] {
  return page(row).children('td, th').toArray();
}

export const tableRules: Readonly<Record<string, TurndownService.Rule>> = {
  cell: {
    filter: ['td', 'th'],
    replacement: (content) => {
      const line = content.trim().replaceAll(/(?<!\s)\s*\n\s*/g, ' ');
      return ` ${line.replaceAll('|', '\\|')} |`;
    },
  },
  row: {
    filter: 'tr',
    replacement: (content, node) => {
      const isFirst = isFirstRow(node);
      const columns = Array.from(node.childNodes).filter(isCell).length;
      return `|${content.replaceAll('\n', '')}\n${isFirst ? `|${' --- |'.repeat(columns)}\n` : ''}`;
    },
  },
  rows: { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content },
  table: {
    filter: 'table',
    replacement: (content) => `\n\n${content.replaceAll(/\n{2,}/g, '\n').trim()}\n\n`,
  },
};

/** One search a table, kept: a search for each row would walk the table once a row. */
const firstRows = new WeakMap<object, unknown>();

function isFirstRow(row: TurndownService.Node): boolean {
  const table = row.closest('table');
  if (table === null) return false;
  if (!firstRows.has(table)) firstRows.set(table, table.querySelector('tr'));
  return firstRows.get(table) === row;
}

function isCell(node: unknown): boolean {
  return (
    typeof node === 'object' && node !== null && 'nodeName' in node && /^T[DH]$/.test(String(node.nodeName))
  );
}
