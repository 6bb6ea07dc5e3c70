/** A verification: graders vote on a proof, and their findings become the bug report that the solver is sent. */
import { z } from 'zod';
import { note } from '../../notes/proof.ts';
import { system } from '../kit/asking.ts';
import { cutBefore, sectionFrom, textBefore } from '../kit/sections.ts';
import { type Attempt, type Draft, type Review, readingOf } from './attempt.ts';
import { confessionIn } from './confession.ts';
import { type Opinion, opinionOn } from './grader.ts';
import { formed, formOf, statementOf, userAbout } from './talk.ts';
import { type Ballot, medianPoints, type Tally, voted } from './vote.ts';

export async function verify(attempt: Attempt, draft: Draft): Promise<Review> {
  const { settings, spec } = attempt;
  attempt.verifications += 1;
  const solution = { spec, solution: draft, reading: readingOf(settings) };
  const vote = { name: `verification-${attempt.verifications}`, rule: settings, place: attempt.place };
  const tally = await voted(attempt.run, vote, (run, hear) => opinionOn({ run, settings }, solution, hear));
  const points = medianPoints(tally.ballots);
  const words = tally.pass && readingOf(settings) === 'own' ? confessionIn(draft.text) : null;
  if (words !== null) {
    const bugReport = attempt.run.prompt('confessed', { words });
    return told(attempt, tally, { verdict: 'fail', points, bugReport, objections: '' });
  }
  if (tally.pass) return told(attempt, tally, { verdict: 'pass', points, bugReport: '', objections: '' });
  const found = bugReportOf(attempt, tally);
  if (!settings.review)
    return told(attempt, tally, { verdict: 'fail', points, bugReport: found, objections: '' });
  const { bugReport, objections } = await reviewedReport(attempt, draft, found);
  return told(attempt, tally, { verdict: bugReport === '' ? 'void' : 'fail', points, bugReport, objections });
}

function told({ run, place }: Attempt, { votes }: Tally<Opinion>, review: Review): Review {
  const { verdict, points, bugReport } = review;
  note(run, 'verification', { ...place, verdict, votes, points, bugReport });
  return review;
}

/** What those found who did not pass the proof, one after the other. */
function bugReportOf(attempt: Attempt, { ballots }: Tally<Opinion>): string {
  const reports = ballots.filter(({ pass }) => !pass).map((ballot) => findingsOf(attempt, ballot));
  if (reports.length === 1) return reports[0] ?? '';
  return reports.map((report, index) => `## Report ${index + 1} ##\n\n${report}`).join('\n\n');
}

/** Without the log of the check. */
function findingsOf({ settings }: Attempt, { report, points, reason, parts }: Opinion & Ballot): string {
  const { compat, passPoints } = settings;
  if (compat.sections === 'substring') return originalFindings(report, compat.reportFrom);
  const log = 'Detailed Verification(?: Log)?';
  const summary = readingOf(settings) === 'own' ? sectionFrom(report, 'Summary', [log]) : null;
  const found = summary ?? (textBefore(report, log) || report);
  if (points === null) return found;
  // What is said of the parts of a rubric would show it to the solver.
  const why = parts === undefined || parts.length === 0 ? reason : '';
  return `${found}\n\n**Points:** ${points} of 7, where ${passPoints} pass. ${why}`.trim();
}

function originalFindings(report: string, from: 'start' | 'summary'): string {
  const summary = from === 'start' ? 0 : report.search(/(?:### )?Summary/);
  return summary < 0 ? '' : cutBefore(report.slice(summary), 'Detailed Verification');
}

const form = formOf(
  'complaints',
  z.strictObject({
    complaints: z.array(z.strictObject({ complaint: z.string(), holds: z.boolean(), why: z.string() })),
  }),
);

/**
 * A second look at a grader's report before it is sent back: the complaints that do not hold are dropped. Where none is
 * left, the report is void, and empty. A reviewer whose reply cannot be read drops nothing.
 */
async function reviewedReport(attempt: Attempt, { proof }: Draft, bugReport: string) {
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
