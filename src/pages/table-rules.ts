/** Tables as rows of bars. Their cells are even (see tables.ts) when these rules see them. */
import type TurndownService from 'turndown';

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
      const isFirst = node.closest('table')?.querySelector('tr') === node;
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

function isCell(node: unknown): boolean {
  return (
    typeof node === 'object' && node !== null && 'nodeName' in node && /^T[DH]$/.test(String(node.nodeName))
  );
}
