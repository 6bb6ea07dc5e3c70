/** What graders found in a proof: a table of places, and each finding in full. Pure; what models wrote is made harmless. */

import type { Output } from '../../cli/output.ts';
import { type ProofNoteData, pointsText } from '../../notes/proof.ts';
import { clip, count, harmless, oneLine } from '../../text/format.ts';
import { table } from '../../text/table.ts';

export type Grading = ProofNoteData<'grading'>;
type Finding = Grading['findings'][number];

export const findingKinds: Readonly<Record<Finding['kind'], string>> = {
  'critical-error': 'critical error',
  'justification-gap': 'justification gap',
};

export function gradingText(output: Output, grading: Grading): string {
  const { pass, findings } = grading;
  const verdict = output.paint(pass ? 'good' : 'bad', pass ? 'passed' : 'not passed');
  const heading = `Verdict: ${verdict}${countsText(grading)}\n`;
  if (findings.length === 0) return `${heading}Nothing was found.\n`;
  const rows = findings.map((finding, index) => [
    index + 1,
    findingKinds[finding.kind],
    whereText(finding),
    clip(oneLine(finding.quote), widestPlace),
  ]);
  return `${heading}\n${table(output, ['', 'kind', 'line', 'place'], rows)}\n${findings.map(wholeText).join('\n')}`;
}

const widestPlace = 64;

function countsText({ votes: { yes, no, of }, points, findings }: Grading): string {
  const errors = findings.filter(({ kind }) => kind === 'critical-error').length;
  const voted = of > 1 ? `, ${yes} of ${count(yes + no, 'grader')} for it` : '';
  const found = `, ${count(errors, 'critical error')}, ${count(findings.length - errors, 'justification gap')}`;
  return `${voted}${pointsText(points)}${findings.length > 0 ? found : ''}`;
}

/** The line in the file of the proof, as its reader counts them. */
export function whereText({ lines }: Finding): string {
  if (!lines) return 'nowhere';
  return lines.first === lines.last ? `${lines.first}` : `${lines.first}–${lines.last}`;
}

function wholeText(finding: Finding, index: number): string {
  const { kind, quote, explanation, lines, graders } = finding;
  const where = lines ? `line ${whereText(finding)}` : 'words that are not in the proof';
  const who = graders.length > 1 ? `, found by ${count(graders.length, 'grader')}` : '';
  return `${index + 1}. ${findingKinds[kind]}, ${where}${who}\n${indented(quote, '   | ')}\n${indented(explanation, '   ')}\n`;
}

function indented(text: string, margin: string): string {
  return harmless(text.trim())
    .split('\n')
    .map((line) => `${margin}${line}`.trimEnd())
    .join('\n');
}
