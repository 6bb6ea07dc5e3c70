/**
 * What a model wrote, Markdown with TeX, as HTML for the page. Its HTML is shown and not obeyed; formulas become MathML
 * without a style, and links stay as they were written, because a model could have chosen where they lead.
 */
import type { Token } from 'markdown-it';
import { escapeControls } from '../../../text/format.ts';
import { renderMarkup } from '../../../text/markup.ts';
import { type Formula, sourceOf, splitMath } from './math.ts';
import { markdown, tokensOf } from './tokens.ts';
import { typeset } from './typeset.ts';

/** `marks`: what of the text is marked, as far as it stands there; a formula is marked as a whole. */
export function renderedForPage(source: string, spans: readonly Span[] = []): string {
  const text = insertMarks(source, spans);
  const known = renderings.get(text);
  if (known !== undefined) return known;
  const output = rendered(text);
  // While a run is at work, most formulas of its page do not change.
  if (renderings.size >= mostRenderings) renderings.clear();
  renderings.set(text, output);
  return output;
}

type Span = { readonly start: number; readonly end: number };

/** No text has these: they stand where a mark begins and ends. */
const [begins, ends] = ['\ue002', '\ue003'];
const signs = /([\ue002\ue003])/g;
const leaves = ['text', 'math', 'code_inline'];
/** The sign of a list, a quotation or a heading stays the first of its line. */
const lineSign = /^[ \t>]*(?:(?:[-+*]|\d+[.)]|#+)[ \t]+)?/;

function insertMarks(source: string, spans: readonly Span[]): string {
  let text = source.replaceAll(signs, '\ufffd');
  if (spans.length === 0) return text;
  const closed: (Span & { readonly isBlock: boolean })[] = [];
  let at = 0;
  for (const textSegment of splitMath(text)) {
    const start = at;
    at += sourceOf(textSegment).length;
    const isBlock = textSegment.type === 'code' && textSegment.text.includes('\n');
    if (textSegment.type !== 'text') closed.push({ start, end: at, isBlock });
  }
  const edges = spans.flatMap(({ start, end }) => {
    if (start >= text.length || end <= 0) return [];
    const around = (edge: number) => closed.find((each) => each.start < edge && edge < each.end);
    // A sign before a block of code would make it a line of text.
    if (around(start)?.isBlock || around(end)?.isBlock) return [];
    const line = text.lastIndexOf('\n', start - 1) + 1;
    const first = line + (lineSign.exec(text.slice(line))?.[0].length ?? 0);
    const from = around(start)?.start ?? Math.max(start, first, 0);
    return [
      { at: from, sign: begins },
      { at: around(end)?.end ?? Math.min(end, text.length), sign: ends },
    ];
  });
  for (const { at, sign } of edges.toSorted((a, b) => b.at - a.at))
    text = text.slice(0, at) + sign + text.slice(at);
  return text;
}

function cloneToken(token: Token, changes: Partial<Token>): Token {
  return Object.assign(Object.create(Object.getPrototypeOf(token)), token, changes);
}

const renderings = new Map<string, string>();
const mostRenderings = 2_000;

function rendered(text: string): string {
  const { tokens } = tokensOf(escapeControls(text));
  let depth = 0;
  const tag = (token: Token, content: string) => cloneToken(token, { type: 'html_inline', content });
  const marked = (token: Token): Token[] => {
    const parts = token.type === 'text' ? token.content.split(signs) : [token.content.replaceAll(signs, '')];
    return parts.flatMap((content) => {
      depth += content === begins ? 1 : content === ends ? -1 : 0;
      if (content === begins || content === ends) return [];
      const created = cloneToken(token, { content });
      if (depth === 0 || content === '' || !leaves.includes(token.type)) return [created];
      return [tag(token, '<mark>'), created, tag(token, '</mark>')];
    });
  };
  for (const token of tokens) {
    token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null;
    if (text.includes(begins)) token.children = token.children?.flatMap(marked) ?? null;
  }
  return markdown.renderer.render([...tokens], { ...markdown.options, maxNesting: 50 }, {});
}

markdown.renderer.rules.math = (tokens, index) => formulaHtml((tokens[index] as Token).meta as Formula);

function formulaHtml({ tex, isDisplay, source }: Formula): string {
  // Quotation marks of the formula itself are escaped.
  return typeset(tex, isDisplay)?.replaceAll(/ style="[^"]*"/g, '') ?? `<code>${renderMarkup(source)}</code>`;
}
