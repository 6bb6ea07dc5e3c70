/**
 * A day's page, read. Never throws: what is not there is missing in the result. Knows no HTTP.
 * (The slim cheerio loads in a third of the time; its parser is lenient enough for these pages.)
 */
import { type MarkdownRules, toMarkdown as pageToMarkdown } from '../../pages/markdown.ts';
import { pageOf } from '../../pages/page.ts';

export type DayPage = {
  readonly loggedIn: boolean;
  /** Null where the page has no heading of a day. */
  readonly title: string | null;
  /** Part 1 and, once part 1 is solved, part 2; without the lines on answers. */
  readonly parts: readonly StatementPart[];
  /** The known right answers, part by part. */
  readonly answers: readonly (string | undefined)[];
  /** What the page says that its reader has of this day. */
  readonly stars: 0 | 1 | 2;
};

export function parseDayPage(html: string): DayPage {
  const page = pageOf(html);
  const articles = page('article.day-desc');
  const heading = articles.find(':scope h2').first().text();
  const outside = page('p').filter((_, paragraph) => page(paragraph).closest('article').length === 0);
  const answers = outside
    .filter((_, paragraph) => page(paragraph).text().trim().startsWith('Your puzzle answer was'))
    .map((_, paragraph) => page(paragraph).find(':scope code').first().text());
  return {
    loggedIn: !hasLogInLink(html),
    title: titleIn(heading),
    parts: articles
      .toArray()
      .slice(0, 2)
      .map((article) => ({ format: 'html', source: page(article).html() ?? '' })),
    answers: answers.toArray().slice(0, 2),
    stars: starsIn(outside.text()),
  };
}

/** The title in a heading such as `--- Day 1: Title ---` or `## Day 1: Title`. */
export function titleIn(heading: string): string | null {
  const [, title] = /(?:---|^#{1,6})[ \t]*Day \d+:([^\n]*)/m.exec(heading) ?? [];
  return title?.split('---')[0]?.trim() || null;
}

function starsIn(text: string): 0 | 1 | 2 {
  if (text.includes('Both parts of this puzzle are complete')) return 2;
  return text.includes('The first half of this puzzle is complete') ? 1 : 0;
}

/** Pages for visitors who are not logged in carry this link. */
export function hasLogInLink(html: string): boolean {
  const page = pageOf(html);
  return page('a')
    .toArray()
    .some((link) => page(link).text().trim() === '[Log In]');
}

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

/** What the site said to an answer, as a value. Never throws: a page in no known form is `unknown`. */
export type SiteReply =
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly hint: 'too-high' | 'too-low' | null }
  /** `leftMs` is null where the page does not say how long. */
  | { readonly kind: 'too-recent'; readonly leftMs: number | null }
  | { readonly kind: 'wrong-level' }
  | { readonly kind: 'finished' }
  | { readonly kind: 'too-much-data' }
  | { readonly kind: 'logged-out' }
  /** For files without an answer: no site judges it. */
  | { readonly kind: 'unjudged' }
  | { readonly kind: 'unknown' };

/** With the page's own words, and the page, for the journal and for finding out what an unknown page is. */
type SiteReplyText = SiteReply & { readonly told: string; readonly raw: string };

/** A reply to a session that the site knows. */
export type JudgedReply = Exclude<SiteReplyText, { readonly kind: 'logged-out' }>;

const excerptCharacters = 1_000;
const rawCharacters = 20_000;

export function parseReply(html: string): SiteReplyText {
  const article = pageOf(html)('article').first();
  const text = article.length > 0 ? article.text().replaceAll(/\s+/g, ' ').trim() : plainText(html);
  const reply: SiteReply = article.length > 0 ? readArticle(text) : { kind: 'unknown' };
  const seen: SiteReply = reply.kind === 'unknown' && hasLogInLink(html) ? { kind: 'logged-out' } : reply;
  return { ...seen, told: text.slice(0, excerptCharacters), raw: html.slice(0, rawCharacters) };
}

function readArticle(text: string): SiteReply {
  if (text.includes("That's the right answer")) return { kind: 'right' };
  if (text.includes("That's not the right answer")) return { kind: 'wrong', hint: readHint(text) };
  if (text.includes('You gave an answer too recently')) return { kind: 'too-recent', leftMs: readWait(text) };
  if (text.includes("You don't seem to be solving the right level")) return { kind: 'wrong-level' };
  if (text.includes("You've finished every puzzle")) return { kind: 'finished' };
  if (text.includes("You're posting too much data")) return { kind: 'too-much-data' };
  return { kind: 'unknown' };
}

function readHint(text: string): 'too-high' | 'too-low' | null {
  if (text.includes('too high')) return 'too-high';
  return text.includes('too low') ? 'too-low' : null;
}

function readWait(text: string): number | null {
  const wait = /You have ((?:\d+[dhms] )+)left to wait/.exec(text)?.[1];
  if (wait === undefined) return null;
  const seconds: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };
  const units = [...wait.matchAll(/(?<!\d)(\d+)([dhms])/g)];
  return units.reduce((sum, [, number, unit = '']) => sum + Number(number) * (seconds[unit] ?? 0) * 1_000, 0);
}
