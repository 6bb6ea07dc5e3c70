/** A statement's HTML as Markdown for a model: code, emphasis, lists and examples are kept, links and jokes in titles not. */
import TurndownService from 'turndown';

export function toMarkdown(html: string): string {
  return service.turndown(html);
}

const service = new TurndownService({
  headingStyle: 'atx',
  codeBlockStyle: 'fenced',
  bulletListMarker: '-',
  emDelimiter: '*',
});

// A model reads `[x]` and `a_b` better than `\[x\]` and `a\_b`, and nobody renders this.
service.escape = (text) => text;

service.remove(['script', 'style', 'form']);

service.addRule('words of a link', { filter: 'a', replacement: (content) => content });

// The answer to an example stands as emphasis within code, which Markdown cannot nest.
service.addRule('emphasised code', {
  filter: (node) =>
    node.nodeName === 'CODE' && node.parentNode?.nodeName !== 'PRE' && Boolean(node.querySelector('em')),
  replacement: (_content, node) => `**\`${node.textContent ?? ''}\`**`,
});

// 10<sup>9</sup> would be 109.
for (const [tag, sign] of [
  ['sup', '^'],
  ['sub', '_'],
] as const) {
  service.addRule(tag, {
    filter: tag,
    replacement: (content) => ([...content].length > 1 ? `${sign}{${content}}` : `${sign}${content}`),
  });
}
