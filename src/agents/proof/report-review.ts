/**
 * A second look at a grader's report before it is sent back: the complaints that do not hold are dropped. Where none is
 * left, the report is void. A reviewer who cannot be understood drops nothing.
 */
import { z } from 'zod';
import type { Attempt, Draft } from './attempt.ts';
import { note } from './note.ts';
import { formed, formOf, statementOf, system, userAbout } from './talk.ts';

const form = formOf(
  'complaints',
  z.strictObject({
    complaints: z.array(z.strictObject({ complaint: z.string(), holds: z.boolean(), why: z.string() })),
  }),
);

export type ReviewedReport = {
  /** Empty where no complaint holds. */
  readonly bugReport: string;
  readonly objections: string;
};

export async function reviewedReport(
  attempt: Attempt,
  { proof }: Draft,
  bugReport: string,
): Promise<ReviewedReport> {
  const { run, spec, place } = attempt;
  const places = { problem: statementOf(spec), solution: proof, report: bugReport };
  const asked = [system(run.prompt('reviewer')), userAbout(spec, run.prompt('reviewReport', places))];
  const complaints = (await formed(attempt, 'reviewer', asked, form))?.complaints ?? [];
  const kept = complaints.filter(({ holds }) => holds).map(({ complaint }) => complaint);
  const dropped = complaints.filter(({ holds }) => !holds).map(({ complaint, why }) => ({ complaint, why }));
  note(run, 'report-review', { ...place, kept, dropped });
  return {
    bugReport: dropped.length === 0 ? bugReport : numbered(kept),
    objections: numbered(dropped.map(({ complaint, why }) => `“${complaint}” does not hold: ${why}`)),
  };
}

function numbered(lines: readonly string[]): string {
  return lines.map((line, index) => `${index + 1}. ${line}`).join('\n\n');
}
