/**
 * A proof as one HTML file that opens anywhere, also without a network. What models wrote is text: their HTML is shown and
 * not obeyed, their TeX may neither link nor load, and the file forbids scripts and everything from other places.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Token } from 'markdown-it';
import { htmlDocument } from '../../../cli/charts/markup.ts';
import { harmless } from '../../../text/format.ts';
import { markup } from '../../../text/markup.ts';
import type { Cell } from '../../../text/table.ts';
import type { Content } from './content.ts';
import { type Formula, lineOf } from './math.ts';
import { markdown, tokensOf } from './tokens.ts';
import { typeset } from './typeset.ts';

export function htmlOf(content: Content): string {
  const { title, facts, statement, hints, proof, attempts, findings, lists, rebuttals, reports } = content;
  const body = [
    `<h1>${lineOf(title, { words: markup, formula: formulaHtml })}</h1>`,
    `<dl class="facts">${facts.map(([name, fact]) => `<dt>${name}</dt><dd>${markup(fact)}</dd>`).join('\n')}</dl>`,
    `<h2>The problem</h2>\n<div class="model">${rendered(statement)}</div>`,
    hints.length
      ? `<h2>Hints</h2>\n${list(hints.map(({ from, hint }) => `<em>${markup(from)}:</em> ${rendered(hint)}`))}`
      : '',
    proof ? `<h2>${proof.heading}</h2>\n<div class="model">${rendered(proof.text)}</div>` : '',
    ...rebuttals.map(
      ({ heading, text }) => `<h2>${heading}</h2>\n<div class="model report">${rendered(text)}</div>`,
    ),
    ...attempts.map(attemptHtml),
    ...lists.map(({ heading, lines }) => `<h2>${heading}</h2>\n${list(lines.map(rendered))}`),
    findings.length ? '<h2>What was found</h2>' : '',
    ...findings.map(
      ({ heading, quote, text }) =>
        `<h3>${markup(heading)}</h3>\n<blockquote>${rendered(quote)}</blockquote>\n<div class="model report">${rendered(text)}</div>`,
    ),
    reports.length ? '<h2>The reports</h2>' : '',
    ...reports.map(
      ({ heading, text }) =>
        `<details><summary>${markup(heading)}</summary>\n<div class="model report">${rendered(text)}</div></details>`,
    ),
  ];
  const ours = readFileSync(new URL('page.css', import.meta.url), 'utf8');
  const style = `\n${ours}${katexStyle()}`;
  return htmlDocument({ title, style, body: body.filter(Boolean).join('\n\n'), hasFonts: true });
}

function list(items: readonly string[]): string {
  return `<ul>${items.map((item) => `<li>${item}</li>`).join('\n')}</ul>`;
}

function attemptHtml({ heading, plots, head, rows }: Content['attempts'][number]): string {
  const drawn = plots.map(({ name, blocks }) => `${name.padEnd(7)} ${blocks}`).join('\n');
  return `<h2>${heading}</h2>\n${drawn ? `<pre class="plot">${markup(drawn)}</pre>\n` : ''}${tableHtml(head, rows)}`;
}

function tableHtml(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${markup(String(cell))}</${tag}>`).join('')}</tr>`;
  return `<table>\n${[line(head, 'th'), ...rows.map((row) => line(row, 'td'))].join('\n')}\n</table>`;
}

function formulaHtml({ tex, isDisplay, source }: Formula): string {
  return typeset(tex, { isDisplay, faults: 'shown' }) ?? `<code>${markup(source)}</code>`;
}

/** The same for the page: MathML alone, no style within it, and no link, which a model could have set. */
export function renderedForPage(text: string): string {
  const known = renderings.get(text);
  if (known !== undefined) return known;
  const made = withoutStyles(text);
  // While a run is at work, most formulas of its page do not change.
  if (renderings.size >= mostRenderings) renderings.clear();
  renderings.set(text, made);
  return made;
}

const renderings = new Map<string, string>();
const mostRenderings = 2_000;

function withoutStyles(text: string): string {
  const { tokens } = tokensOf(harmless(text));
  for (const token of tokens) token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null;
  return markdown.renderer.render([...tokens], { ...markdown.options, maxNesting: 50 }, { isForPage: true });
}

function formulaMathml({ tex, isDisplay, source }: Formula): string {
  const set = typeset(tex, { isDisplay, faults: 'refused', output: 'mathml' });
  // Quotation marks of the formula itself are escaped.
  return set?.replaceAll(/ style="[^"]*"/g, '') ?? `<code>${markup(source)}</code>`;
}

/** Markdown with TeX as HTML. */
export function rendered(text: string): string {
  const { tokens } = tokensOf(harmless(text));
  return markdown.renderer.render([...tokens], { ...markdown.options, maxNesting: 50 }, {});
}

markdown.renderer.rules.math = (tokens, index, _options, env) => {
  const formula = (tokens[index] as Token).meta as Formula;
  return env?.isForPage ? formulaMathml(formula) : formulaHtml(formula);
};
markdown.renderer.rules.link_close = (tokens, index, options, env, self) =>
  env?.isForPage ? '' : self.renderToken(tokens, index, options);
markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
  if (env?.isForPage) return '';
  (tokens[index] as Token).attrSet('rel', 'noopener noreferrer nofollow');
  return self.renderToken(tokens, index, options);
};

function katexStyle(): string {
  const folder = dirname(fileURLToPath(import.meta.resolve('katex')));
  const style = readFileSync(join(folder, 'katex.min.css'), 'utf8');
  // The other forms of the fonts are for browsers that no longer exist.
  return style.replaceAll(/src:url\((fonts\/[\w-]+\.woff2)\) format\("woff2"\)[^;}]*/g, (_, font: string) => {
    const data = readFileSync(join(folder, font)).toString('base64');
    return `src:url(data:font/woff2;base64,${data}) format("woff2")`;
  });
}
