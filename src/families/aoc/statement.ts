/** The text of one part of a puzzle, as Markdown for a model and as bare words for hashes. Pure. */
import { type MarkdownRules, toMarkdown as pageToMarkdown } from '../../pages/markdown.ts';
import { pageOf } from '../../pages/page.ts';

/** `text` is plain text or Markdown, and is shown as it is. */
export type StatementPart = { readonly format: 'html' | 'text'; readonly source: string };

export function markdownOf({ format, source }: StatementPart): string {
  return format === 'html' ? toMarkdown(source) : source.trim();
}

export function wordsOf({ format, source }: StatementPart): string {
  return format === 'html' ? plainText(source) : source.replaceAll(/\s+/g, ' ').trim();
}

export function toMarkdown(html: string): string {
  return pageToMarkdown(html, rules);
}

/** `--- Part Two ---` is decoration of the site's. */
const withoutDashes = (title: string): string =>
  title
    .replace(/^-+/, '')
    .replace(/(?<!-)-+$/, '')
    .trim();

const rules: MarkdownRules = {
  headings: {
    filter: 'h2',
    replacement: (content) => `\n\n## ${withoutDashes(content.trim())}\n\n`,
  },
  'words of a link': { filter: 'a', replacement: (content) => content },
  // The answer to an example stands as emphasis within code, which Markdown cannot nest.
  'emphasised code': {
    filter: (node) =>
      node.nodeName === 'CODE' && node.parentNode?.nodeName !== 'PRE' && Boolean(node.querySelector('em')),
    replacement: (_content, node) => `**\`${node.textContent ?? ''}\`**`,
  },
};

export function plainText(html: string): string {
  return pageOf(html).text().replaceAll(/\s+/g, ' ').trim();
}
