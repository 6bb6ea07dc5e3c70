/** What a document on a proof holds, in its order, whatever the form: facts, problem, hints, proof, counters, reports. Pure. */
import { modelsBehind } from '../../../core/event.ts';
import { placeText } from '../../../notes/proof.ts';
import { duration, moment } from '../../../text/format.ts';
import { costText, modelsText, outcomeText, tokensText } from '../../../text/labels.ts';
import type { Cell } from '../../../text/table.ts';
import {
  choiceLines,
  counterHead,
  counterRows,
  findingKinds,
  type ProofReport,
  plot,
  pointsOf,
  reportTitle,
  reviewLines,
  standings,
  whereText,
} from '../report.ts';

export type Content = {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, fact: string])[];
  /** Markdown with TeX, as are the proof, the reports and the hints. */
  readonly statement: string;
  readonly hints: readonly { readonly from: string; readonly hint: string }[];
  readonly proof: { readonly heading: string; readonly text: string } | null;
  readonly attempts: readonly {
    readonly heading: string;
    readonly plots: readonly (readonly [name: string, blocks: string])[];
    readonly head: readonly string[];
    readonly rows: readonly (readonly Cell[])[];
  }[];
  /** Headings, and lines below them. */
  readonly lists: readonly { readonly heading: string; readonly lines: readonly string[] }[];
  readonly reports: readonly { readonly heading: string; readonly text: string }[];
  /** Of a proof that was brought along. */
  readonly findings: readonly { readonly heading: string; readonly quote: string; readonly text: string }[];
};

export function contentOf({ result, record }: ProofReport): Content {
  const { header, proof, attempts, earlyHints } = record;
  const { problem } = header ?? {};
  return {
    title: problem?.title ?? result.row.id,
    facts: factsOf({ result, record }),
    statement: (problem?.statement ?? [])
      .flatMap((part) => (part.type === 'text' ? [part.text] : []))
      .join('\n\n'),
    hints: [
      ...earlyHints.map((hint) => ({ from: 'from the beginning', hint })),
      ...attempts.flatMap(({ rounds }) =>
        rounds.flatMap(({ hints }) =>
          hints.map((hint) => ({
            from: `${placeText(hint)}, from its turn "${hint.turn}" on`,
            hint: hint.hint,
          })),
        ),
      ),
    ],
    proof: proof && { heading: standings[proof.standing], text: proof.text },
    attempts: attempts.map((attempt) => ({
      heading: `Attempt ${attempt.number}`,
      plots: plotsOf(attempt, header?.agent.settings ?? {}),
      head: counterHead,
      rows: counterRows(attempt),
    })),
    lists: [
      { heading: 'What a reviewer made of the complaints', lines: reviewLines(record) },
      { heading: 'The choice', lines: choiceLines(record) },
    ].filter(({ lines }) => lines.length > 0),
    reports: record.reports.map((report) => ({ heading: reportTitle(report, record), text: report.report })),
    findings: findingsOf(record),
  };
}

function findingsOf({ grading }: ProofReport['record']): Content['findings'] {
  return (grading?.findings ?? []).map((finding, index) => {
    const { kind, lines, quote, explanation } = finding;
    const where = lines ? `line ${whereText(finding)}` : 'words that are not in the proof';
    return { heading: `${index + 1}. ${findingKinds[kind]}, ${where}`, quote, text: explanation };
  });
}

function plotsOf(
  attempt: Parameters<typeof pointsOf>[0],
  { passes = 5, failures = 10 }: Readonly<Record<string, unknown>>,
): Content['attempts'][number]['plots'] {
  const points = pointsOf(attempt);
  if (points.length === 0) return [];
  return [
    [
      'passes',
      plot(
        points.map((point) => point.passes),
        Number(passes),
      ),
    ],
    [
      'errors',
      plot(
        points.map((point) => point.failures),
        Number(failures),
      ),
    ],
  ];
}

function factsOf({ result: { row, view }, record: { header, end } }: ProofReport): [string, string][] {
  const models = header ? modelsBehind(header) : {};
  const facts: [string, string][] = [
    ['Run', row.id],
    ['Outcome', end ? outcomeText(end) : 'not ended'],
    ['In words', end?.solution?.detail ?? ''],
    ['Agent', header?.agent.name ?? ''],
    ['Models', modelsText(models)],
    ['Begun', moment(row.createdAtMs)],
    [
      'Took',
      `${view.totals.modelCalls} model calls, ${tokensText(view.totals)} tokens, ${costText(view.totals, models)}, ${duration(view.aliveMs)}`,
    ],
  ];
  return facts.filter(([, fact]) => fact !== '');
}
