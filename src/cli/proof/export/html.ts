/**
 * A proof as one HTML file that opens anywhere, also without a network. What models wrote is text: their HTML is shown and
 * not obeyed, their TeX may neither link nor load, and the file forbids scripts and whatever comes from elsewhere.
 */
import type { Token } from 'markdown-it';
import { escaped, htmlDocument } from '../../charts/markup.ts';
import type { Cell } from '../../table.ts';
import type { Content } from './content.ts';
import type { Formula } from './math.ts';
import { documentStyle } from './style.ts';
import { markdown, tokensOf } from './tokens.ts';
import { typeset } from './typeset.ts';

export function htmlOf(content: Content): string {
  const { title, facts, statement, hints, proof, attempts, findings, lists, reports } = content;
  const body = [
    `<h1>${escaped(title)}</h1>`,
    `<dl class="facts">${facts.map(([name, fact]) => `<dt>${name}</dt><dd>${escaped(fact)}</dd>`).join('\n')}</dl>`,
    `<h2>The problem</h2>\n<div class="model">${rendered(statement)}</div>`,
    hints.length ? `<h2>Hints</h2>\n<ul>${hints.map(hintItem).join('\n')}</ul>` : '',
    proof ? `<h2>${proof.heading}</h2>\n<div class="model">${rendered(proof.text)}</div>` : '',
    ...attempts.map(attemptHtml),
    ...lists.map(
      ({ heading, lines }) =>
        `<h2>${heading}</h2>\n<ul>${lines.map((line) => `<li>${rendered(line)}</li>`).join('\n')}</ul>`,
    ),
    findings.length ? '<h2>What was found</h2>' : '',
    ...findings.map(
      ({ heading, quote, text }) =>
        `<h3>${escaped(heading)}</h3>\n<blockquote>${rendered(quote)}</blockquote>\n<div class="model report">${rendered(text)}</div>`,
    ),
    reports.length ? '<h2>The reports</h2>' : '',
    ...reports.map(
      ({ heading, text }) =>
        `<details><summary>${escaped(heading)}</summary>\n<div class="model report">${rendered(text)}</div></details>`,
    ),
  ];
  return htmlDocument({
    title,
    style: documentStyle(),
    body: body.filter(Boolean).join('\n\n'),
    hasFonts: true,
  });
}

function hintItem({ from, hint }: Content['hints'][number]): string {
  return `<li><em>${escaped(from)}:</em> ${rendered(hint)}</li>`;
}

function attemptHtml({ heading, plots, head, rows }: Content['attempts'][number]): string {
  const drawn = plots.map(([name, blocks]) => `${name.padEnd(7)} ${blocks}`).join('\n');
  return `<h2>${heading}</h2>\n${drawn ? `<pre class="plot">${escaped(drawn)}</pre>\n` : ''}${tableHtml(head, rows)}`;
}

function tableHtml(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(String(cell))}</${tag}>`).join('')}</tr>`;
  return `<table>\n${[line(head, 'th'), ...rows.map((row) => line(row, 'td'))].join('\n')}\n</table>`;
}

/** Markdown with TeX as HTML. */
export function rendered(text: string): string {
  const { tokens } = tokensOf(text);
  return markdown.renderer.render([...tokens], { ...markdown.options, maxNesting: 50 }, {});
}

markdown.renderer.rules.math = (tokens, index) => mathHtml((tokens[index] as Token).meta as Formula);
markdown.renderer.rules.link_open = (tokens, index, options, _env, self) => {
  (tokens[index] as Token).attrSet('rel', 'noopener noreferrer nofollow');
  return self.renderToken(tokens, index, options);
};

function mathHtml({ tex, isDisplay, source }: Formula): string {
  return typeset(tex, { isDisplay, faults: 'shown' }) ?? `<code>${escaped(source)}</code>`;
}
