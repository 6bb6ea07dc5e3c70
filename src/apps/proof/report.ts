/**
 * A proof as a result for people: what came of it, the counters of each attempt, hints, reports, and the proof itself.
 * Pure; what models wrote is made harmless here.
 */

import type { Output } from '../../cli/output.ts';
import { runText } from '../../cli/run-report.ts';
import type { RunResult } from '../../cli/run-result.ts';
import { placeText, pointsText } from '../../notes/proof.ts';
import { harmless, oneLine } from '../../text/format.ts';
import { table } from '../../text/table.ts';
import { choiceLines, reviewLines } from './choice.ts';
import { counterHead, counterRows, plot, pointsOf } from './counters.ts';
import { gradingText } from './findings.ts';
import type { ProofAttempt, ProofRecord } from './record.ts';

export type ProofReport = { readonly result: RunResult; readonly record: ProofRecord };

/** `withReports`: every report that was written on the way. */
export function proofText(
  output: Output,
  { result, record }: ProofReport,
  { withReports }: { readonly withReports: boolean },
): string {
  const sections = [
    runText(output, result),
    ...record.attempts.map((attempt) => attemptText(output, attempt, record)),
    hintsText(output, record),
    record.grading ? gradingText(output, record.grading) : '',
    ...(withReports ? record.reports.map((report) => reportText(output, report, record)) : []),
    linesText(output, 'What a reviewer made of the complaints', withReports ? reviewLines(record) : []),
    linesText(output, 'The choice', choiceLines(record)),
    lastText(output, record),
  ];
  return sections.filter(Boolean).join('\n');
}

function attemptText(output: Output, attempt: ProofAttempt, { header }: ProofRecord): string {
  const points = pointsOf(attempt);
  const heading = `${output.paint('strong', `Attempt ${attempt.number}`)}, with the counters as they were when an iteration began\n`;
  if (points.length === 0) return `${heading}\n${table(output, counterHead, counterRows(attempt))}`;
  const { passes = 5, failures = 10 } = header?.agent.settings ?? {};
  const line = (name: string, values: readonly number[], top: number) =>
    `  ${output.paint('faint', name.padEnd(8))}${plot(values, top)}  of ${top}\n`;
  return [
    heading,
    line(
      'passes',
      points.map((point) => point.passes),
      Number(passes),
    ),
    line(
      'errors',
      points.map((point) => point.failures),
      Number(failures),
    ),
    `\n${table(output, counterHead, counterRows(attempt))}`,
  ].join('');
}

function hintsText(output: Output, { earlyHints, attempts }: ProofRecord): string {
  const early = earlyHints.map((hint) => `  from the beginning: ${oneLine(hint)}\n`);
  const later = attempts.flatMap(({ rounds }) =>
    rounds.flatMap(({ hints }) =>
      hints.map((hint) => `  ${placeText(hint)}, from its turn "${hint.turn}" on: ${oneLine(hint.hint)}\n`),
    ),
  );
  const told = [...early, ...later].join('');
  return told ? `${output.paint('strong', 'Hints')}\n${told}` : '';
}

function linesText(output: Output, heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `${output.paint('strong', heading)}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

export type FoundReport = ProofRecord['reports'][number];

/** A proof that was brought along has one round. */
export function reportTitle({ grader, pass, points, ...place }: FoundReport, record: ProofRecord): string {
  const where = record.attempts.length > 0 ? `, ${placeText(place)}` : '';
  const vote = pass === null ? 'called off before it voted' : pass ? 'passed' : 'not passed';
  return `Report of grader ${grader}${where}: ${vote}${pointsText(points)}`;
}

function reportText(output: Output, report: FoundReport, record: ProofRecord): string {
  const heading = output.paint(report.pass ? 'good' : 'warn', reportTitle(report, record));
  return `${heading} (event ${report.seq})\n\n${harmless(report.report.trim())}\n`;
}

export const standings = {
  accepted: 'The accepted proof',
  partial: 'No proof was accepted. The best partial result',
  draft: 'No proof was accepted yet. The last draft',
  passed: 'The proof that was graded, and passed',
  failed: 'The proof that was graded, and did not pass',
  undecided: 'The proof that was to be graded',
} as const;

function lastText(output: Output, { proof }: ProofRecord): string {
  if (!proof) return '';
  const tone = proof.standing === 'accepted' || proof.standing === 'passed' ? 'good' : 'warn';
  return `${output.paint(tone, standings[proof.standing])}\n\n${harmless(proof.text.trim())}\n`;
}
