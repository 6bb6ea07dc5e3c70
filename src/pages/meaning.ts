/**
 * What text alone would lose of a page: formulas that a browser has set already become their sources again, raised and
 * lowered words are marked, lines that a format breaks by hand stay lines. Changes the page that it is given.
 */
import type { CheerioAPI } from 'cheerio/slim';

export function keepMeaningInText(page: CheerioAPI): void {
  unsetFormulas(page);
  page('pre br').replaceWith('\n');
  mark(page, 'sup', '^');
  mark(page, 'sub', '_');
}

/** KaTeX leaves a formula twice, as MathML and as boxes; an annotation holds its source. */
function unsetFormulas(page: CheerioAPI): void {
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
