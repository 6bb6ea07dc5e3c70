/** HTML of a site as a page that can be searched. It is bounded in depth: what reads it calls itself for each level. */
import { type CheerioAPI, load } from 'cheerio/slim';

export function pageOf(html: string): CheerioAPI {
  const page = load(html);
  flatten(page);
  // A search compares each of the outermost elements with all others.
  if ((page.root()[0]?.children.length ?? 0) > mostOutermost) {
    const all = page.root().contents();
    page.root().append(page('<div></div>').append(all));
  }
  return page;
}

/** No page of a site that is meant for people has as many. */
const deepest = 200;

const mostOutermost = 500;

type Parsed = ReturnType<CheerioAPI['root']>[0]['children'][number];

/** Deeper nesting is replaced by its text. */
function flatten(page: CheerioAPI): void {
  let level: readonly Parsed[] = page.root()[0]?.children ?? [];
  for (let depth = 0; depth < deepest && level.length > 0; depth += 1) level = level.flatMap(childrenOf);
  for (const node of level) if (childrenOf(node).length > 0) page(node).text(textIn(node));
}

function childrenOf(node: Parsed): readonly Parsed[] {
  return 'children' in node ? node.children : [];
}

function textIn(node: Parsed): string {
  const texts: string[] = [];
  const open = [node];
  for (let each = open.pop(); each; each = open.pop()) {
    if (each.type === 'text') texts.push(each.data);
    open.push(...childrenOf(each).toReversed());
  }
  return texts.join('');
}
