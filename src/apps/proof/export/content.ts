/** What a document on a proof holds in each format, in its order: facts, problem, hints, proof, counters, reports. Pure. */
import type { RunResult } from '../../../cli/contract.ts';
import { modelsBehind } from '../../../core/event.ts';
import type { RunRow } from '../../../core/store.ts';
import { duration, formatTimestamp } from '../../../text/format.ts';
import { costText, modelsText, outcomeText, tokensText } from '../../../text/labels.ts';
import {
  buildPlots,
  choiceLines,
  counterHead,
  counterRows,
  findingLines,
  findingTitle,
  findRebuttals,
  fullReport,
  hintsOf,
  type ProofReport,
  reportTitle,
  standings,
  statementOf,
} from '../report.ts';

import { sourceOf, splitMath } from './math.ts';

export type Content = ReturnType<typeof contentOf>;

/** As much of a run as its document tells. */
export type Source = Pick<ProofReport, 'record'> & {
  readonly result: Pick<RunResult, 'view'> & { readonly row: Pick<RunRow, 'id' | 'createdAtMs'> };
};

/** The statement, the hints, the proof, the reports and the findings are Markdown with TeX. */
export function contentOf({ result, record }: Source) {
  const { header, proof, attempts, grading } = record;
  return {
    title: plainTitle(header?.problem.title ?? result.row.id),
    facts: exportMetadata({ result, record }),
    statement: statementOf(record) ?? '',
    hints: hintsOf(record),
    proof: proof && { heading: standings[proof.standing], text: proof.text },
    attempts: attempts.map((attempt) => ({
      heading: `Attempt ${attempt.number}`,
      plots: buildPlots(attempt, record),
      head: counterHead,
      rows: counterRows(attempt),
    })),
    lists: [
      { heading: 'Findings', lines: findingLines(record) },
      { heading: 'The choice', lines: choiceLines(record) },
    ].filter(({ lines }) => lines.length > 0),
    rebuttals: findRebuttals(record),
    reports: record.reports.map((report) => ({
      heading: reportTitle(report, record),
      text: fullReport(report),
    })),
    /** Findings on a proof that the user brought. */
    findings: (grading?.findings ?? []).map((finding, index) => ({
      heading: findingTitle(finding, index),
      quote: finding.quote,
      text: finding.explanation,
    })),
  };
}

function exportMetadata({ result: { row, view }, record: { header, end } }: Source) {
  const { totals, aliveMs } = view;
  const models = header ? modelsBehind(header) : {};
  const cost = `${tokensText(totals)} tokens, ${costText(totals, models)}, ${duration(aliveMs)}`;
  const facts = [
    ['Run', row.id],
    ['Outcome', end ? outcomeText(end) : 'not ended'],
    ['In words', end?.solution?.detail ?? ''],
    ['Agent', header?.agent.name ?? ''],
    ['Models', modelsText(models)],
    ['Begun', formatTimestamp(row.createdAtMs)],
    ['Took', `${totals.modelCalls} model calls, ${cost}`],
  ] as const;
  return facts.filter(([, entry]) => entry !== '');
}

/** A title that was cut within a formula is cut before it. */
function plainTitle(title: string): string {
  if (!title.endsWith('…')) return title;
  const words = splitMath(title).map((textSegment) =>
    textSegment.type === 'text'
      ? textSegment.text.replace(/(?<!\\)(?:\$|\\\(|\\\[)[\s\S]*$/, '…')
      : sourceOf(textSegment),
  );
  return words.join('');
}
