/** A statement's HTML as Markdown, with its images where they lie on this disk. */
import { toMarkdown } from '../../../pages/markdown.ts';

/** Of a part of a page as page.ts reads it. `placeOf`: of an image or a link, by its address there. */
export function toStatementMarkdown(html: string, placeOf: (address: string) => string): string {
  return toMarkdown(html, {
    image: {
      filter: 'img',
      replacement: (_content, node) => {
        const src = node.getAttribute('src');
        return src ? `![${node.getAttribute('alt') ?? ''}](${placeOf(src)})` : '';
      },
    },
    link: {
      filter: (node) => node.nodeName === 'A',
      replacement: (content, node) => {
        const address = node.getAttribute('href') ?? '';
        const leadsSomewhere = content.trim() !== '' && /^(?!#|javascript:)./i.test(address);
        return leadsSomewhere ? `[${content}](${placeOf(address)})` : content;
      },
    },
  });
}
