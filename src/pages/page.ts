/** HTML of a site as a page that can be searched. It is bounded in depth: what reads it calls itself for each level. */
import { type CheerioAPI, load } from 'cheerio/slim';
import type { Element } from 'domhandler';

export function pageOf(html: string): CheerioAPI {
  const page = load(limitNesting(html));
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

/**
 * HTML without the tags that stand deeper than any page is read: a parser does as much for each tag as there are open ones. What is
 * left is as deep as before, up to that bound. It knows which tags end others, as the parser does, and no other rule of HTML.
 */
const maxOpen = 1_000;

/** An end tag is looked for among so many open ones. */
const maxSearched = 20;

const tag = /<(\/?)([a-zA-Z][\w:-]{0,30})/g;

const isVoid = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;
const isBlock =
  /^(?:address|article|aside|blockquote|details|div|dl|fieldset|fig(?:caption|ure)|footer|form|h[1-6r]|header|main|nav|ol|p|pre|section|table|ul)$/;

const endedBy: Readonly<Record<string, RegExp>> = {
  li: /^li$/,
  dt: /^d[td]$/,
  dd: /^d[td]$/,
  td: /^t[dh]$/,
  th: /^t[dh]$/,
  tr: /^t[rdh]$/,
  option: /^option$/,
};

export function limitNesting(html: string): string {
  const open: string[] = [];
  const parts: string[] = [];
  let from = 0;
  for (const { index, 1: slash, 2: text = '' } of html.matchAll(tag)) {
    const name = text.toLowerCase();
    if (slash) {
      const at = open.slice(-maxSearched).lastIndexOf(name);
      if (at >= 0) open.length = Math.max(0, open.length - maxSearched) + at;
      continue;
    }
    while (ends(name, open.at(-1) ?? '')) open.pop();
    if (isVoid.test(name)) continue;
    if (open.length < maxOpen) open.push(name);
    else {
      if (index < from) continue;
      const end = html.indexOf('>', index);
      if (end < 0) break;
      parts.push(html.slice(from, index));
      from = end + 1;
    }
  }
  return from === 0 ? html : parts.join('') + html.slice(from);
}

function ends(name: string, last: string): boolean {
  return last === 'p' ? isBlock.test(name) : (endedBy[name]?.test(last) ?? false);
}

export function inlineSemantics(page: CheerioAPI): void {
  formulasToSource(page);
  page('pre br').replaceWith('\n');
  mark(page, 'sup', '^');
  mark(page, 'sub', '_');
}

/** KaTeX leaves a formula twice, as MathML and as boxes; an annotation holds its source. */
function formulasToSource(page: CheerioAPI): void {
  for (const each of page('.katex').toArray()) {
    const formula = page(each);
    const annotation = formula.find(':scope annotation').first();
    const source = (annotation.length > 0 ? annotation : formula).text().trim();
    const isInside = formula.closest('var, pre').length > 0;
    formula.replaceWith(isInside ? textNode(page, source) : page('<var></var>').text(source));
  }
}

/** `10<sup>9</sup>` would be 109. */
function mark(page: CheerioAPI, tag: 'sup' | 'sub', sign: string): void {
  for (const each of page(tag).toArray()) {
    const words = page(each).text().trim();
    const marked = [...words].length === 1 ? `${sign}${words}` : `${sign}{${words}}`;
    page(each).replaceWith(textNode(page, words === '' ? '' : marked));
  }
}

/** A node for any text, also text that looks like HTML. */
function textNode(page: CheerioAPI, text: string) {
  return page('<i></i>').text(text).contents();
}
