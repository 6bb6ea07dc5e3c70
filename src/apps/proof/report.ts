/**
 * A proof as a result for people: what came of it, the counters of each attempt, hints, reports, and the proof itself.
 * Pure.
 */
import type { Output, RunResult } from '../../cli/contract.ts';
import { runText } from '../../cli/run-report.ts';
import {
  attemptEndText,
  findingNames,
  type ProofNoteData,
  placeText,
  pointsText,
} from '../../notes/proof.ts';
import { count, oneLine } from '../../text/format.ts';
import { type Cell, table } from '../../text/table.ts';
import { fitToWidth } from '../../text/wrap.ts';
import type { ProofAttempt, ProofRecord, Round } from './record.ts';

export type ProofReport = { readonly result: RunResult; readonly record: ProofRecord };

export function statementOf({ header }: ProofRecord): string | undefined {
  return header?.problem.statement.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

/** `withReports`: every report that was written on the way. */
export function proofText(
  output: Output,
  { result, record }: ProofReport,
  { withReports }: { readonly withReports: boolean },
): string {
  const hints = hintsOf(record).map(({ from, hint }) => `${from}: ${oneLine(hint)}`);
  const sections = [
    runText(output, result),
    ...record.attempts.map((attempt) => attemptText(output, attempt, record)),
    linesText(output, 'Hints', hints),
    record.grading ? gradingText(output, record.grading) : '',
    ...(withReports ? record.reports.map((report) => reportText(output, report, record)) : []),
    ...findRebuttals(record).map(({ heading, text }) => `${output.paint('warn', heading)}\n\n${text}\n`),
    linesText(output, 'Findings', findingLines(record)),
    linesText(output, 'The choice', choiceLines(record)),
    lastText(output, record),
  ];
  return sections.filter(Boolean).join('\n');
}

function attemptText(output: Output, attempt: ProofAttempt, record: ProofRecord): string {
  const lines = buildPlots(attempt, record).map(
    ({ name, blocks, top }) => `  ${output.paint('faint', name.padEnd(8))}${blocks}  of ${top}\n`,
  );
  const heading = `${output.paint('strong', `Attempt ${attempt.number}`)}, with the counters as they were when an iteration began\n`;
  return `${heading}${lines.join('')}\n${table(output, counterHead, counterRows(attempt))}`;
}

/** Curves of passes and of errors; empty before the first iteration. */
export function buildPlots(attempt: ProofAttempt, { header }: Pick<ProofRecord, 'header'>) {
  const points = pointsOf(attempt);
  if (points.length === 0) return [];
  const { passes = 5, failures = 10 } = header?.agent.settings ?? {};
  const drawn = (name: string, counter: 'passes' | 'failures', top: number) => {
    const values = points.map((point) => point[counter]);
    return { name, top, blocks: plot(values, top) };
  };
  return [drawn('passes', 'passes', Number(passes)), drawn('errors', 'failures', Number(failures))];
}

/** `from`: since when the solver knows it. */
export function hintsOf({ earlyHints, attempts }: ProofRecord) {
  const delayed = attempts.flatMap(({ rounds }) => rounds.flatMap(({ hints }) => hints));
  return [
    ...earlyHints.map((hint) => ({ from: 'from the beginning', hint })),
    ...delayed.map((each) => ({
      from: `${placeText(each)}, from its turn "${each.turn}" on`,
      hint: each.hint,
    })),
  ];
}

/** What the solver replied to reports beside its proofs; a word or two are told by the counters. */
export function findRebuttals({ attempts }: Pick<ProofRecord, 'attempts'>) {
  const drafts = attempts.flatMap(({ rounds }) => rounds.flatMap((round) => round.drafts));
  return drafts.flatMap(({ rebuttal, ...place }) => {
    const text = rebuttal?.trim() ?? '';
    return /\S\s+\S+\s+\S|[^\p{ASCII}]{4}/u.test(text)
      ? [{ heading: `Rebuttal, ${placeText(place)}`, text }]
      : [];
  });
}

function linesText(output: Output, heading: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `${output.paint('strong', heading)}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

type FoundReport = ProofRecord['reports'][number];

/** A proof that was brought along has one round. */
export function reportTitle({ grader, pass, points, ...place }: FoundReport, record: ProofRecord): string {
  const where = record.attempts.length > 0 ? `, ${placeText(place)}` : '';
  const vote = pass ? 'passed' : 'not passed';
  return `Report of grader ${grader}${where}: ${vote}${pointsText(points)}`;
}

function reportText(output: Output, report: FoundReport, record: ProofRecord): string {
  const heading = output.paint(report.pass ? 'good' : 'warn', reportTitle(report, record));
  return `${heading} (event ${report.seq})\n\n${fullReport(report)}\n`;
}

/** The report, below the points for each part of the rubric. */
export function fullReport({ report, parts = [] }: FoundReport): string {
  const lines = parts.map(({ part, points, reason }) => `- ${oneLine(`${part}: ${points}. ${reason}`)}`);
  return [lines.join('\n'), report.trim()].filter(Boolean).join('\n\n');
}

export const standings = {
  accepted: 'The accepted proof',
  doubtful: 'The proof, accepted with doubts',
  partial: 'No proof was accepted. The best partial result',
  draft: 'No proof was accepted yet. The last draft',
  passed: 'The proof that was graded, and passed',
  failed: 'The proof that was graded, and did not pass',
  undecided: 'The proof that was to be graded',
} as const;

function lastText(output: Output, { proof }: ProofRecord): string {
  if (!proof) return '';
  const tone = proof.standing === 'accepted' || proof.standing === 'passed' ? 'good' : 'warn';
  return `${output.paint(tone, standings[proof.standing])}\n\n${proof.text.trim()}\n`;
}

/** Nothing where there was nothing to choose. */
export function choiceLines({ selection, comparisons }: ProofRecord): readonly string[] {
  if (!selection) return [];
  const { pool, chosen, isComplete } = selection;
  const scores = pool.map(({ attempt, score }) => `attempt ${attempt}: ${score}`).join(', ');
  const cut = isComplete ? '' : '; a limit ended the comparison';
  return [
    `Of ${count(pool.length, 'accepted proof')} that of attempt ${chosen} was chosen (${scores}${cut}).`,
    ...comparisons.map(({ attempts: [one, other], better, reasons }) => {
      const text = better === null ? 'neither is better' : `attempt ${better} is better`;
      return oneLine(`Attempts ${one} and ${other}: ${text}. ${reasons.join(' / ')}`);
    }),
  ];
}

/** What graders found in the drafts, and how it was answered. */
export function findingLines({ findings }: Pick<ProofRecord, 'findings'>): readonly string[] {
  return findings.map(({ kind, quote, explanation, answer, why, ...place }) => {
    const reason = why === '' ? '' : ` (${why})`;
    return oneLine(
      `${placeText(place)}, ${findingNames[kind].toLowerCase()}, ${answer}${reason}: “${quote}” ${explanation}`,
    );
  });
}

/** The counters as they stood when an iteration began; at last, when the attempt ended. */
export function pointsOf({ rounds, end }: ProofAttempt) {
  const points = rounds.flatMap(({ iteration, counters }) =>
    counters ? [{ label: `${iteration}`, passes: counters.passes, failures: counters.failures }] : [],
  );
  return end ? [...points, { label: 'end', passes: end.passes, failures: end.failures }] : points;
}

export const counterHead = ['iteration', 'passes', 'errors', 'solver', 'verification', 'graders', 'points'];

/** A row an iteration: the counters before it, what the solver did, and what came of the verification. */
export function counterRows(attempt: ProofAttempt): readonly (readonly Cell[])[] {
  const rows = attempt.rounds.map((round): readonly Cell[] => {
    const { iteration, counters, verification } = round;
    const before = [iteration ?? 'begin', counters?.passes ?? '', counters?.failures ?? ''];
    const verdict = verification ? verdicts[verification.verdict] : '';
    return [...before, turnsText(round), verdict, votesOf(round), verification?.points ?? ''];
  });
  const { end } = attempt;
  return end ? [...rows, ['end', end.passes, end.failures, '', attemptEndText(end), '', '']] : rows;
}

function turnsText({ drafts, failedCalls }: Round): string {
  const turns = drafts.map(({ turn, rebuttal }) => (rebuttal === null ? turn : `${turn}, rebuts`));
  return [...turns, ...failedCalls.map(() => 'a call failed')].join(', ');
}

const verdicts = { pass: 'passed', fail: 'failed', void: 'void' } as const;

function votesOf({ verification }: Round): string {
  if (!verification) return '';
  const { yes, no, of } = verification.votes;
  return of > 1 ? `${yes} : ${no} of ${of}` : '';
}

const blocks = ['·', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** A block for each value, as high as its share of `top`; a dot for 0. */
export function plot(values: readonly number[], top: number): string {
  const highest = blocks.length - 1;
  const heightOf = (value: number): number =>
    value <= 0 ? 0 : Math.min(highest, Math.max(1, Math.round((value / top) * highest)));
  return values.map((value) => blocks[heightOf(value)]).join('');
}

type Grading = ProofNoteData<'grading'>;
type Finding = Grading['findings'][number];

function gradingText(output: Output, grading: Grading): string {
  const { pass, findings } = grading;
  const verdict = output.paint(pass ? 'good' : 'bad', pass ? 'passed' : 'not passed');
  const heading = `Verdict: ${verdict}${countsText(grading)}\n`;
  if (findings.length === 0) return `${heading}Nothing was found.\n`;
  const rows = findings.map(({ kind, lines, quote }, index) => [
    index + 1,
    findingNames[kind].toLowerCase(),
    lines ? linesOf(lines) : 'nowhere',
    fitToWidth(oneLine(quote), widestPlace),
  ]);
  return `${heading}\n${table(output, ['', 'kind', 'line', 'place'], rows)}\n${findings.map(fullFindingText).join('\n')}`;
}

const widestPlace = 64;

function countsText({ votes: { yes, no, of }, points, findings }: Grading): string {
  const errors = findings.filter(({ kind }) => kind === 'critical-error').length;
  const voted = of > 1 ? `, ${yes} of ${count(yes + no, 'grader')} for it` : '';
  const found = `, ${count(errors, 'critical error')}, ${count(findings.length - errors, 'justification gap')}`;
  return `${voted}${pointsText(points)}${findings.length > 0 ? found : ''}`;
}

/** In the file of the proof, as its reader counts them. */
function linesOf({ first, last }: NonNullable<Finding['lines']>): string {
  return first === last ? `${first}` : `${first}–${last}`;
}

export function findingTitle({ kind, lines }: Finding, index: number): string {
  const where = lines ? `line ${linesOf(lines)}` : 'words that are not in the proof';
  return `${index + 1}. ${findingNames[kind].toLowerCase()}, ${where}`;
}

function fullFindingText(finding: Finding, index: number): string {
  const { quote, explanation, graders } = finding;
  const name = graders.length > 1 ? `, found by ${count(graders.length, 'grader')}` : '';
  return `${findingTitle(finding, index)}${name}\n${indented(quote, '   | ')}\n${indented(explanation, '   ')}\n`;
}

function indented(text: string, margin: string): string {
  const lines = text.trim().split('\n');
  return lines.map((line) => `${margin}${line}`.trimEnd()).join('\n');
}
