/**
 * A proof as Markdown for others: what GitHub, editors and pandoc read alike. Nothing of what a model wrote becomes HTML, a
 * link or a picture, and a formula stays one only where it does nothing but set type, in LaTeX too.
 */
import { escapeControls } from '../../../text/format.ts';
import type { Cell } from '../../../text/table.ts';
import { type Content, contentOf, type Source } from './content.ts';
import { type Formula, splitMath } from './math.ts';
import { canTypeset } from './typeset.ts';

export function proofMarkdown(report: Source): string {
  return markdownOf(contentOf(report));
}

export function markdownOf(content: Content): string {
  const { title, facts, statement, hints, proof, attempts, findings, lists, rebuttals, reports } = content;
  const sections = [
    `# ${asText(oneLine(title))}`,
    list(facts.map(([name, entry]) => `**${name}:** ${asText(oneLine(entry))}`)),
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
  const text = plots.map(({ name, blocks }) => `${name}  ${blocks}`).join('\n');
  return [`## ${heading}`, text && `\`\`\`text\n${text}\n\`\`\``, tableText(head, rows)]
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

/** What would begin a tag, a link or a picture begins none; code is shown as it is. */
function asText(text: string): string {
  const parts = splitMath(escapeControls(text)).map((textSegment) => {
    if (textSegment.type === 'code') return textSegment.text;
    if (textSegment.type === 'math') return formulaText(textSegment);
    return textSegment.text.replaceAll(/<(?=[A-Za-z/!?])/g, '&lt;').replaceAll(/(?<=\])(?=[([:])/g, '\\');
  });
  return parts.join('');
}

/** On one line, where no sign of it begins a list or a heading. */
function formulaText({ tex, isDisplay, source }: Formula): string {
  const text = oneLine(isDisplay ? inDisplay(withoutComments(tex)) : withoutComments(tex));
  if (text === '' || !canTypeset(text, isDisplay)) return codeText(oneLine(source));
  const signs = isDisplay ? '$$' : '$';
  // A space changes no mathematics.
  return `${signs}${text.replaceAll(/<(?=[A-Za-z/!?])/g, '< ').replaceAll(/(?<=\])(?=[([:])/g, ' ')}${signs}`;
}

/** A comment would eat what follows on its line. */
function withoutComments(tex: string): string {
  return tex.replaceAll(/(?<!\\)((?:\\\\)*)%[^\n]*/g, '$1');
}

/** Inside of a display these environments have other names. */
const inner: Readonly<Record<string, string>> = {
  align: 'aligned',
  alignat: 'alignedat',
  gather: 'gathered',
  multline: 'gathered',
  eqnarray: 'aligned',
};

function inDisplay(tex: string): string {
  return tex
    .replaceAll(/\\(?:begin|end)\{(?:equation|displaymath|math)\*?\}/g, ' ')
    .replaceAll(
      /\\(begin|end)\{(align|alignat|gather|multline|eqnarray)\*?\}/g,
      (_, side, name) => `\\${side}{${inner[name]}}`,
    );
}

function codeText(text: string): string {
  const maxLength = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(maxLength + 1);
  return maxLength > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
