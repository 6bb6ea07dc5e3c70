/**
 * A day's page, read. Never throws: what is not there is missing in the result. Knows no HTTP.
 * (The slim cheerio loads in a third of the time; its parser is lenient enough for these pages.)
 */
import { pageOf } from '../../pages/page.ts';
import type { StatementPart } from './statement.ts';

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
