/** A statement's HTML as Markdown: formulas between dollar signs, tables with bars, formats and samples as code. */
import TurndownService from 'turndown';

/** Of a part of a page as page.ts reads it. `imagePath`: where an image lies beside the Markdown, by its address there. */
export function toStatementMarkdown(html: string, imagePath: (src: string) => string): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  });
  // Nobody renders this but people in an editor, and a model reads `a_b` better than `a\_b`.
  service.escape = (text) => text;
  service.remove(['script', 'style', 'button', 'form']);
  service.addRule('formula', {
    filter: (node) => node.nodeName === 'VAR' && node.closest('pre') === null,
    replacement: (_content, node) => {
      const source = (node.textContent ?? '').trim();
      return `$${node.closest('td, th') ? withoutBars(source) : source}$`;
    },
  });
  service.addRule('format', {
    filter: 'pre',
    replacement: (_content, node) => `\n\n\`\`\`\n${(node.textContent ?? '').trim()}\n\`\`\`\n\n`,
  });
  service.addRule('image', {
    filter: 'img',
    replacement: (_content, node) => {
      const src = node.getAttribute('src');
      return src ? `![${node.getAttribute('alt') ?? ''}](${imagePath(src)})` : '';
    },
  });
  addTableRules(service);
  return service.turndown(html);
}

/** In a cell a bar would be escaped, and \\| is another sign: both have a name. */
function withoutBars(source: string): string {
  return source.replaceAll('\\|', '\\Vert ').replaceAll('|', '\\vert ');
}

function addTableRules(service: TurndownService): void {
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content) =>
      ` ${content
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll('|', '\\|')} |`,
  });
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) => {
      const isFirst = node.closest('table')?.querySelector('tr') === node;
      const columns = node.querySelectorAll('td, th').length;
      return `|${content.replaceAll('\n', '')}\n${isFirst ? `|${' --- |'.repeat(columns)}\n` : ''}`;
    },
  });
  service.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content });
  service.addRule('table', {
    filter: 'table',
    replacement: (content) => `\n\n${content.replaceAll(/\n{2,}/g, '\n').trim()}\n\n`,
  });
}
