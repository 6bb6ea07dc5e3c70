/** A puzzle's HTML as Markdown for a model: links and jokes in titles are left out. */
import { type MarkdownRules, toMarkdown as pageToMarkdown } from '../../pages/markdown.ts';

export function toMarkdown(html: string): string {
  return pageToMarkdown(html, rules);
}

const rules: MarkdownRules = {
  'words of a link': { filter: 'a', replacement: (content) => content },
  // The answer to an example stands as emphasis within code, which Markdown cannot nest.
  'emphasised code': {
    filter: (node) =>
      node.nodeName === 'CODE' && node.parentNode?.nodeName !== 'PRE' && Boolean(node.querySelector('em')),
    replacement: (_content, node) => `**\`${node.textContent ?? ''}\`**`,
  },
};
