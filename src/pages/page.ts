/** HTML of a site as a page that can be searched. It is bounded in depth: what reads it calls itself for each level. */
import { type CheerioAPI, load } from 'cheerio/slim';
import type { Element } from 'domhandler';
import { shallow } from './shallow.ts';

export function pageOf(html: string): CheerioAPI {
  const page = load(shallow(html));
  flatten(page);
  const root = page.root()[0];
  // A search compares each of the outermost elements with all others.
  if (root && root.children.length > mostOutermost) wrapChildren(page, root);
  return page;
}

/** By hand: to append them compares each with all others as well. */
function wrapChildren(page: CheerioAPI, root: ReturnType<CheerioAPI['root']>[0]): void {
  const [box] = page<Element, string>('<div></div>').toArray();
  if (!box) return;
  box.children = root.children;
  for (const child of box.children) child.parent = box;
  root.children = [box];
  box.parent = root;
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
