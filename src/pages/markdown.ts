/**
 * HTML of a page as Markdown, for editors and models: formulas (`<var>`) between dollar signs, tables with bars,
 * formats and examples as code. A family's own rules go before these. Knows no site.
 */
import TurndownService from 'turndown';
import { inlineSemantics, pageOf } from './page.ts';
import { normalizeTables, tableRules } from './tables.ts';

export type MarkdownRules = Readonly<Record<string, TurndownService.Rule>>;

/** Never throws. */
export function toMarkdown(html: string, rules: MarkdownRules = {}): string {
  const page = pageOf(html.replaceAll(edge, ''));
  inlineSemantics(page);
  normalizeTables(page);
  return trimOuterPipes(serviceOf(rules).turndown(page.html()));
}

function serviceOf(rules: MarkdownRules): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  });
  // This is not rendered, and a model reads `[x]` and `a_b` better than `\[x\]` and `a\_b`.
  service.escape = (text) => text;
  service.remove(['script', 'style', 'button', 'form']);
  // The rule that is added last is asked first.
  for (const [name, rule] of Object.entries({ ...ownRules, ...tableRules, ...rules })) {
    service.addRule(name, rule);
  }
  return service;
}

const ownRules: MarkdownRules = {
  formula: {
    filter: (node) => node.nodeName === 'VAR' && node.closest('pre') === null,
    replacement: (_content, node) => {
      const source = (node.textContent ?? '').trim();
      if (source === '') return '';
      return `${edge}$${node.closest('td, th') ? escapePipes(source) : source}$${edge}`;
    },
  },
  format: {
    filter: 'pre',
    replacement: (_content, node) => {
      const lines = linesOf(node.textContent ?? '');
      // A cell is one line.
      if (node.closest('td, th')) return lines.map((line) => `\`${line}\``).join(' ');
      const fence = fenceFor(lines);
      return `\n\n${[fence, ...lines, fence].join('\n')}\n\n`;
    },
  },
};

/** Stands where a formula begins and ends until all is put together. A private sign: none of a page's own is lost. */
const edge = '\u{f8d3}';

/** `$a$$b$` would begin a displayed formula, and a digit behind a dollar sign would end none. */
function trimOuterPipes(text: string): string {
  return text.replaceAll(new RegExp(`${edge}(?=${edge}|\\d)`, 'gu'), ' ').replaceAll(edge, '');
}

/** In a cell a bar would be escaped, and `\\|` is a different sign: both have a name in TeX. */
function escapePipes(source: string): string {
  return source.replaceAll('\\|', '\\Vert ').replaceAll('|', '\\vert ');
}

/** Without the empty ones around; how far the first is indented may have a meaning. */
function linesOf(text: string): string[] {
  return text
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd()
    .split('\n');
}

/** Longer than any in the text. */
function fenceFor(lines: readonly string[]): string {
  const maxLength = Math.max(0, ...lines.map((line) => /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 0));
  return '`'.repeat(Math.max(3, maxLength + 1));
}
