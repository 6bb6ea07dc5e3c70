/** One HTML file that opens without a network: it holds its charts and forbids scripts and anything from elsewhere. */
import { markup } from '../../text/markup.ts';
import { chartStyle } from './frame.ts';
import { htmlDocument } from './markup.ts';

export type Section = {
  readonly heading: string;
  /** HTML of ours; what others wrote went through `markup`. */
  readonly body: string;
};

export type Page = {
  readonly title: string;
  /** The text below the title. */
  readonly subtitle: string;
  readonly facts: readonly (readonly [name: string, fact: string])[];
  readonly sections: readonly Section[];
};

export function pageOf({ title, subtitle, facts, sections }: Page): string {
  const listed = facts.map(([name, fact]) => `<div><dt>${markup(name)}</dt><dd>${markup(fact)}</dd></div>`);
  const body = [
    `<h1>${markup(title)}</h1>`,
    `<p class="subtitle">${markup(subtitle)}</p>`,
    `<dl class="facts">\n${listed.join('\n')}\n</dl>`,
    ...sections.map(({ heading, body }) => `<section>\n<h2>${markup(heading)}</h2>\n${body}\n</section>`),
  ];
  return htmlDocument({ title, style, body: body.join('\n') });
}

export type Cell = string | number;

/** Numbers are aligned right. */
export function tableOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const isNumber = head.map((_, column) =>
    rows.every((row) => typeof row[column] === 'number' || looksNumeric(row[column])),
  );
  const line = (cells: readonly Cell[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell, column) => `<${tag}${isNumber[column] ? ' class="number"' : ''}>${markup(String(cell))}</${tag}>`).join('')}</tr>`;
  return `<div class="wide"><table>\n<thead>${line(head, 'th')}</thead>\n<tbody>\n${rows.map((row) => line(row, 'td')).join('\n')}\n</tbody>\n</table></div>`;
}

function looksNumeric(cell: Cell | undefined): boolean {
  return /^(–|[+\-−]?[$]?[\d,.]+\s?[%k]?)$/.test(String(cell ?? ''));
}

/** A long text that opens when it is wanted. */
export function folded(summary: string, text: string): string {
  return `<details><summary>${markup(summary)}</summary>\n<pre>${markup(text)}</pre></details>`;
}

export function paragraph(text: string): string {
  return `<p>${markup(text)}</p>`;
}

const style = `
:root { color-scheme: light dark; --ink: #1c1c1c; --paper: #fff; --faint: #6a6a6a; --line: #d9d9d9; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #16181b; --faint: #a0a0a0; --line: #3a3d42; } }
body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1 { margin-bottom: 0; } .subtitle { margin-top: .2rem; color: var(--faint); }
h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line); }
.facts { display: flex; flex-wrap: wrap; gap: .4rem 1.8rem; } .facts dt { color: var(--faint); font-size: .8rem; } .facts dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .92rem; }
th, td { padding: .15rem .7rem .15rem 0; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; } .number { text-align: right; font-variant-numeric: tabular-nums; }
pre { overflow-x: auto; background: color-mix(in srgb, var(--ink) 6%, var(--paper)); padding: .6rem; font-size: .85rem; }
details > summary { cursor: pointer; }
.chart { width: 100%; height: auto; }
${chartStyle({ ink: 'var(--ink)', faint: 'var(--faint)', line: 'var(--line)' })}
@media print { details > *:not(summary) { display: block; } }
`;
