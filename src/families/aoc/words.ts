/** The words of a page without its markup, in one line: for hashes and excerpts. Pure. */
import { load } from 'cheerio/slim';

export function plainText(html: string): string {
  return load(html).text().replaceAll(/\s+/g, ' ').trim();
}
