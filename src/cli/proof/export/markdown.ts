/** A proof as a Markdown document. What models wrote stands as it was written; reports are quoted, so that their headings are theirs. Pure. */
import type { Cell } from '../../table.ts';
import type { Content } from './content.ts';

export function markdownOf(content: Content): string {
  const { title, facts, statement, hints, proof, attempts, findings, reports } = content;
  const sections = [
    `# ${oneLine(title)}`,
    facts.map(([name, fact]) => `- **${name}:** ${oneLine(fact)}`).join('\n'),
    `## The problem\n\n${quoted(statement)}`,
    hints.length
      ? `## Hints\n\n${hints.map(({ from, hint }) => `- *${from}:* ${oneLine(hint)}`).join('\n')}`
      : '',
    proof ? `## ${proof.heading}\n\n${quoted(proof.text)}` : '',
    ...attempts.map(attemptText),
    findings.length ? '## What was found' : '',
    ...findings.map(({ heading, quote, text }) => `### ${heading}\n\n${quoted(quote)}\n\n${text.trim()}`),
    reports.length ? '## The reports' : '',
    ...reports.map(({ heading, text }) => `### ${heading}\n\n${quoted(text)}`),
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

function attemptText({ heading, plots, head, rows }: Content['attempts'][number]): string {
  const drawn = plots.map(([name, blocks]) => `${name}  ${blocks}`).join('\n');
  return [`## ${heading}`, drawn && `\`\`\`text\n${drawn}\n\`\`\``, tableText(head, rows)]
    .filter(Boolean)
    .join('\n\n');
}

export function tableText(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) =>
    `| ${cells.map((cell) => oneLine(String(cell)).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => (line.trim() === '' ? '>' : `> ${line}`))
    .join('\n');
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
