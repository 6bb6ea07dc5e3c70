/**
 * What a model wrote, Markdown with TeX, as HTML for the page. Its HTML is shown and not obeyed; formulas become MathML
 * without a style, and links stay as they were written, because a model could have chosen where they lead.
 */
import type { Token } from 'markdown-it';
import { harmless } from '../../../text/format.ts';
import { markup } from '../../../text/markup.ts';
import type { Formula } from './math.ts';
import { markdown, tokensOf } from './tokens.ts';
import { typeset } from './typeset.ts';

export function renderedForPage(text: string): string {
  const known = renderings.get(text);
  if (known !== undefined) return known;
  const made = rendered(text);
  // While a run is at work, most formulas of its page do not change.
  if (renderings.size >= mostRenderings) renderings.clear();
  renderings.set(text, made);
  return made;
}

const renderings = new Map<string, string>();
const mostRenderings = 2_000;

function rendered(text: string): string {
  const { tokens } = tokensOf(harmless(text));
  for (const token of tokens) token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null;
  return markdown.renderer.render([...tokens], { ...markdown.options, maxNesting: 50 }, {});
}

markdown.renderer.rules.math = (tokens, index) => formulaHtml((tokens[index] as Token).meta as Formula);

function formulaHtml({ tex, isDisplay, source }: Formula): string {
  // Quotation marks of the formula itself are escaped.
  return typeset(tex, isDisplay)?.replaceAll(/ style="[^"]*"/g, '') ?? `<code>${markup(source)}</code>`;
}
