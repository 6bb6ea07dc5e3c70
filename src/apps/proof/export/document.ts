/** A proof as a document for others, in the forms there are. */

import type { Cell } from '../../../text/table.ts';
import type { ProofReport } from '../report.ts';
import { type Content, contentOf } from './content.ts';
import { mathPieces, sourceOf } from './math.ts';

export const documentFormats = ['markdown', 'html', 'latex'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

export async function documentOf(report: ProofReport, format: DocumentFormat): Promise<string> {
  const content = contentOf(report);
  if (format === 'markdown') return markdownOf(content);
  // Loaded here because a proof on the screen needs no typesetter.
  if (format === 'html') return (await import('./html.ts')).htmlOf(content);
  return (await import('./latex.ts')).latexOf(content);
}

function markdownOf(content: Content): string {
  const { title, facts, statement, hints, proof, attempts, findings, lists, rebuttals, reports } = content;
  const sections = [
    `# ${withoutHtml(oneLine(title))}`,
    list(facts.map(([name, fact]) => `**${name}:** ${withoutHtml(oneLine(fact))}`)),
    `## The problem\n\n${quoted(statement)}`,
    hints.length
      ? `## Hints\n\n${list(hints.map(({ from, hint }) => `*${from}:* ${withoutHtml(oneLine(hint))}`))}`
      : '',
    proof ? `## ${proof.heading}\n\n${quoted(proof.text)}` : '',
    ...attempts.map(attemptText),
    ...rebuttals.map(({ heading, text }) => `## ${heading}\n\n${quoted(text)}`),
    ...lists.map(({ heading, lines }) => `## ${heading}\n\n${list(lines.map(withoutHtml))}`),
    findings.length ? '## What was found' : '',
    ...findings.map(
      ({ heading, quote, text }) => `### ${heading}\n\n${quoted(quote)}\n\n${withoutHtml(text.trim())}`,
    ),
    reports.length ? '## The reports' : '',
    ...reports.map(({ heading, text }) => `### ${heading}\n\n${quoted(text)}`),
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

function attemptText({ heading, plots, head, rows }: Content['attempts'][number]): string {
  const drawn = plots.map(({ name, blocks }) => `${name}  ${blocks}`).join('\n');
  return [`## ${heading}`, drawn && `\`\`\`text\n${drawn}\n\`\`\``, tableText(head, rows)]
    .filter(Boolean)
    .join('\n\n');
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function tableText(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) =>
    `| ${cells.map((cell) => oneLine(String(cell)).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function quoted(text: string): string {
  const lines = withoutHtml(text).trim().split('\n');
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${line}`)).join('\n');
}

/** What would begin a tag begins none; a space changes no mathematics, and code is shown as it is anyway. */
function withoutHtml(text: string): string {
  const tag = /<(?=[A-Za-z/!?])/g;
  const pieces = mathPieces(text).map((piece) => {
    if (piece.type === 'code') return piece.text;
    return sourceOf(piece).replaceAll(tag, piece.type === 'math' ? '< ' : '&lt;');
  });
  return pieces.join('');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
