/**
 * A day's page, read. Never throws: what is not there is missing in the result. Knows no HTTP.
 * (The slim cheerio loads in a third of the time; its parser is lenient enough for these pages.)
 */
import { load } from 'cheerio/slim';

export type DayPage = {
  readonly loggedIn: boolean;
  /** Null where the page has no heading of a day. */
  readonly title: string | null;
  /** The HTML of part 1 and, once part 1 is solved, of part 2; answers stand outside of it. */
  readonly parts: readonly string[];
  /** The known right answers, part by part. */
  readonly answers: readonly string[];
};

export function parseDayPage(html: string): DayPage {
  const page = load(html);
  const articles = page('article.day-desc');
  const heading = articles.find('h2').first().text();
  const answers = page('p')
    .filter((_, paragraph) => page(paragraph).closest('article').length === 0)
    .filter((_, paragraph) => page(paragraph).text().trim().startsWith('Your puzzle answer was'))
    .map((_, paragraph) => page(paragraph).find('code').first().text());
  return {
    loggedIn: !hasLogInLink(html),
    title: /---\s*Day \d+:\s*(.*?)\s*---/.exec(heading)?.[1] ?? null,
    parts: articles
      .toArray()
      .slice(0, 2)
      .map((article) => page(article).html() ?? ''),
    answers: answers.toArray().slice(0, 2),
  };
}

/** Whoever is logged in is not invited to. */
export function hasLogInLink(html: string): boolean {
  const page = load(html);
  return page('a')
    .toArray()
    .some((link) => page(link).text().trim() === '[Log In]');
}

/** The words alone, in one line: for hashes and excerpts. */
export function plainText(html: string): string {
  return load(html).text().replaceAll(/\s+/g, ' ').trim();
}
