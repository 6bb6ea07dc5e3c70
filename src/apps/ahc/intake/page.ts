/**
 * A task's page, read: its statement in both languages, limits, images, links of the tools. Reads both layouts that
 * AtCoder has had, statements that stand twice, and pages that a browser has saved. Never throws: what is not there is
 * missing in the result. Knows no HTTP.
 */
import type { Cheerio, CheerioAPI } from 'cheerio/slim';
import type { AnyNode, Element } from 'domhandler';
import { inlineSemantics, pageOf } from '../../../pages/page.ts';

export const allLanguages = ['ja', 'en'] as const;
export type Language = (typeof allLanguages)[number];

export type Section = { readonly heading: string; readonly html: string };

export type Statement = {
  /** In the order of the page. What stands before the first heading has an empty one. */
  readonly sections: readonly Section[];
  readonly samples: readonly Sample[];
};

export type Sample = { readonly input: string; readonly output: string | null };

export type TaskPage = {
  /** `A - Lantern Garden`, null where the page has no such heading. */
  readonly title: string | null;
  readonly timeLimitSeconds: number | null;
  readonly memoryLimitMegabytes: number | null;
  readonly statements: Readonly<Partial<Record<Language, Statement>>>;
  /** Addresses as the page has them, each once. */
  readonly images: readonly string[];
  /** Archives of tools, best first; those for one operating system are left out. */
  readonly archives: readonly string[];
  /** The official visualizer. */
  readonly visualizer: string | null;
  /** What else is published beside the tools: programs in a jar, statements as PDF. */
  readonly attachments: readonly string[];
};

export function languagesOf({ statements }: TaskPage): Language[] {
  return allLanguages.filter((language) => statements[language] !== undefined);
}

export function parseTaskPage(html: string): TaskPage {
  const page = pageOf(html);
  inlineSemantics(page);
  const text = page.root().text();
  const valuesOf = (selector: string, attribute: string) =>
    page(selector)
      .toArray()
      .map((each) => page(each).attr(attribute) ?? '');
  const links = valuesOf('a[href]', 'href');
  const images = valuesOf('#task-statement img, .lang-ja img, .lang-en img', 'src');
  return {
    title: titleOf(page),
    timeLimitSeconds: seconds(text),
    memoryLimitMegabytes: megabytes(text),
    statements: statementsIn(page),
    images: distinct(images.filter((src) => src !== '' && !src.startsWith('data:'))),
    archives: distinct(links.filter(isArchive)).sort((a, b) => revision(b) - revision(a)),
    visualizer: links.find(isVisualizer)?.replace(/\?.*$/s, '') ?? null,
    attachments: distinct(links.filter((href) => /\.(jar|pdf)(\?|$)/i.test(href))),
  };
}

/** The heading holds buttons too. */
function titleOf(page: CheerioAPI): string | null {
  const heading = page('span.h2').first().clone();
  heading.find(':scope a, :scope button').remove();
  const title = heading.text().trim().replaceAll(/\s+/g, ' ');
  return title === '' ? null : title;
}

function seconds(text: string): number | null {
  const found =
    /(?:Time Limit|実行時間制限)(?: per (?:test|case|input)(?: case)?)?[\s*|:\uff1a]{1,9}([\d.]+)\s*(m?)(?:illi)?(?:s(?:ec(?:ond)?s?)?\b|秒)/i.exec(
      text,
    );
  return found && Number(found[1]) / (found[2] ? 1000 : 1);
}

function megabytes(text: string): number | null {
  const found =
    /(?:Memory Limit|メモリ制限)(?: per (?:test|case|input)(?: case)?)?[\s*|:\uff1a]{1,9}([\d.]+)\s*([KMG])(?:i?B|(?:ega|iga|ilo)bytes?)/i.exec(
      text,
    );
  const factors: Record<string, number> = { K: 1 / 1024, M: 1, G: 1024 };
  return found && Number(found[1]) * (factors[found[2]?.toUpperCase() ?? 'M'] ?? 1);
}

function statementsIn(page: CheerioAPI): TaskPage['statements'] {
  const found: Partial<Record<Language, Statement>> = {};
  for (const language of allLanguages) {
    const all = page(`span.lang-${language}`);
    // Where the statement stands twice, one is inside the other: the innermost is whole and has no copy in it.
    const outer = new Set(all.toArray().flatMap((span) => page(span).parents().toArray()));
    const inner = all.filter((_, span) => !outer.has(span)).first();
    if (inner.length > 0) found[language] = statementOf(page, inner);
  }
  if (found.ja || found.en) return found;
  const only = page('#task-statement').last();
  if (only.length === 0 || only.text().trim() === '') return {};
  return { [/[\u3041-\u30ff]/.test(only.text()) ? 'ja' : 'en']: statementOf(page, only) };
}

function statementOf(page: CheerioAPI, root: Cheerio<Element>): Statement {
  const headings = root.find(':scope h3').toArray();
  const sections = headings.map((heading) => ({
    heading: page(heading).text().trim().replaceAll(/\s+/g, ' '),
    html: outerHtml(page, behind(page, heading)),
  }));
  const preamble = outerHtml(page, headings.length ? beforeFirst(page, root) : root.contents().toArray());
  const first = preamble.trim() === '' ? [] : [{ heading: '', html: preamble }];
  return { sections: [...first, ...sections], samples: samplesIn(sections) };
}

/** What follows a heading up to the next, bare text included. */
function behind(page: CheerioAPI, heading: AnyNode): AnyNode[] {
  const nodes: AnyNode[] = [];
  for (let node: AnyNode | null = heading.nextSibling; node && !page(node).is('h3'); node = node.nextSibling)
    nodes.push(node);
  return nodes;
}

/** The nodes before the outermost box of the first heading. */
function beforeFirst(page: CheerioAPI, root: Cheerio<Element>): AnyNode[] {
  const children = root.contents().toArray();
  const index = children.findIndex(
    (child) => page(child).is('h3') || page(child).find(':scope h3').length > 0,
  );
  return children.slice(0, Math.max(0, index));
}

function outerHtml(page: CheerioAPI, nodes: readonly AnyNode[]): string {
  return nodes.map((node) => page.html(node)).join('');
}

const inputHeading = /^(?:Sample Input|Input Example|入力例)\s*(\d*)/i;
const outputHeading = /^(?:Sample Output|Output Example|出力例)\s*(\d*)/i;

function samplesIn(sections: readonly Section[]): Sample[] {
  const numbered = (pattern: RegExp) =>
    sections.flatMap(({ heading, html }) => {
      const number = pattern.exec(heading)?.[1];
      return number === undefined ? [] : [[number, preIn(html)] as const];
    });
  const outputs = new Map(numbered(outputHeading));
  return numbered(inputHeading).flatMap(([number, input]) =>
    input === null ? [] : [{ input, output: outputs.get(number) ?? null }],
  );
}

function preIn(html: string): string | null {
  const pre = pageOf(html)('pre').first();
  // How far the first line is indented is the sample's own.
  const text = pre.text().replace(/^(?:[^\S\n]*\n)+/, '');
  return pre.length === 0 ? null : `${text.trimEnd()}\n`;
}

/** Tools are a zip, sometimes an archive of another kind; programs for one operating system are no use in a sandbox. */
function isArchive(href: string): boolean {
  return /\.(zip|tar\.gz|tgz)(\?|$)/i.test(href) && !/_(windows|win|mac|linux)[^/]*$/i.test(href);
}

/** Corrected tools are published beside the first ones as `_v2`, `_v3`. */
const revision = (href: string): number => Number(/_v(\d+)\.(?:zip|tar\.gz|tgz)/i.exec(href)?.[1] ?? 1);

function isVisualizer(href: string): boolean {
  return /\/[\w-]+\.html(\?|$)/.test(href) && /img\.atcoder\.jp|\/img\//.test(href);
}

function distinct<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
