/** A proof as a document for others, in the forms there are. */
import { harmless } from '../../../text/format.ts';
import type { Cell } from '../../../text/table.ts';
import { type Content, contentOf, type Source } from './content.ts';
import { mathPieces, sourceOf } from './math.ts';

export const documentFormats = ['markdown', 'html', 'latex'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

export async function documentOf(report: Source, format: DocumentFormat): Promise<string> {
  const content = contentOf(report);
  if (format === 'markdown') return markdownOf(content);
  // Loaded here because a proof on the screen needs no typesetter.
  if (format === 'html') return (await import('./html.ts')).htmlOf(content);
  return (await import('./latex.ts')).latexOf(content);
}

export function markdownOf(content: Content): string {
  const { title, facts, statement, hints, proof, attempts, findings, lists, rebuttals, reports } = content;
  const sections = [
    `# ${asText(oneLine(title))}`,
    list(facts.map(([name, fact]) => `**${name}:** ${asText(oneLine(fact))}`)),
    `## The problem\n\n${quoted(statement)}`,
    hints.length
      ? `## Hints\n\n${list(hints.map(({ from, hint }) => `*${asText(from)}:* ${asText(oneLine(hint))}`))}`
      : '',
    proof ? `## ${proof.heading}\n\n${quoted(proof.text)}` : '',
    ...attempts.map(attemptText),
    ...rebuttals.map(({ heading, text }) => `## ${heading}\n\n${quoted(text)}`),
    ...lists.map(
      ({ heading, lines }) => `## ${heading}\n\n${list(lines.map((line) => asText(oneLine(line))))}`,
    ),
    findings.length ? '## What was found' : '',
    ...findings.map(
      ({ heading, quote, text }) =>
        `### ${asText(oneLine(heading))}\n\n${quoted(quote)}\n\n${asText(text.trim())}`,
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
    `| ${cells.map((cell) => asText(oneLine(String(cell))).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function quoted(text: string): string {
  const lines = asText(text).trim().split('\n');
  return lines.map((line) => (line.trim() === '' ? '>' : `> ${line}`)).join('\n');
}

/** What would begin a tag, a link or a picture begins none; a space changes no mathematics, and code is shown as it is. */
function asText(text: string): string {
  const pieces = mathPieces(harmless(text)).map((piece) => {
    if (piece.type === 'code') return piece.text;
    const [tag, link] = piece.type === 'math' ? ['< ', ' '] : ['&lt;', '\\'];
    return sourceOf(piece)
      .replaceAll(/<(?=[A-Za-z/!?])/g, tag)
      .replaceAll(/(?<=\])(?=[([:])/g, link);
  });
  return pieces.join('');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
