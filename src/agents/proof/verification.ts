/** A verification: graders vote on a proof, and their findings become the bug report that the solver is sent. */
import { z } from 'zod';
import type { Message } from '../../core/model.ts';
import { note } from '../../notes/proof.ts';
import { assistant, system, user } from '../kit/asking.ts';
import { cutBefore, textBefore } from '../kit/sections.ts';
import { type Attempt, type Draft, isStrict, type Review, readingOf } from './attempt.ts';
import { claimIn } from './confession.ts';
import { leftOpenIn, log, type Opinion, opinionOn, summaryOf } from './grader.ts';
import { placesIn, whyNowhere } from './quotes.ts';
import { formed, formOf, statementOf, Unusable, userAbout } from './talk.ts';
import { type Ballot, medianPoints, type Tally, voted } from './vote.ts';

/** `isLast`: a pass accepts the draft, so that its graders see all that will stand with it. */
export async function verify(
  attempt: Attempt,
  draft: Draft,
  { isLast }: { readonly isLast: boolean },
): Promise<Review> {
  const { settings, spec } = attempt;
  attempt.verifications += 1;
  const reading = readingOf(settings);
  const claim = claimIn(draft.text);
  // What the solver says in other words than those that it was asked for is for the graders to read.
  const isShown = isStrict(attempt) && claim.says === null && !draft.proof.includes(claim.words);
  const isWhole = isStrict(attempt) && isLast;
  const shown = isShown ? `${claim.words}\n\n${draft.proof}` : draft.proof;
  const rebuttal = reading === 'own' && !isWhole ? null : draft.rebuttal;
  const solution = { spec, solution: { proof: isWhole ? draft.text : shown, rebuttal }, reading };
  const vote = { name: `verification-${attempt.verifications}`, rule: settings, place: attempt.place };
  const tally = await voted(attempt.run, vote, (run, hear) => opinionOn({ run, settings }, solution, hear));
  const points = medianPoints(tally.ballots);
  if (tally.pass && reading === 'own' && claim.says === 'partial')
    return confessed(attempt, tally, claim.words);
  const found = bugReportOf(attempt, tally);
  // What a minority found stands in the result.
  if (tally.pass) return told(attempt, tally, { verdict: 'pass', points, bugReport: found, objections: '' });
  if (!settings.review)
    return told(attempt, tally, { verdict: 'fail', points, bugReport: found, objections: '' });
  const { bugReport, objections } = await reviewedReport(attempt, draft, found);
  return told(attempt, tally, { verdict: bugReport === '' ? 'void' : 'fail', points, bugReport, objections });
}

function confessed(attempt: Attempt, tally: Voted, words: string): Review {
  const bugReport = attempt.run.prompt('confessed', { words });
  const points = medianPoints(tally.ballots);
  return told(attempt, tally, { verdict: 'fail', points, bugReport, objections: '' });
}

/**
 * Before a solution is accepted that no grader has said to leave nothing open, or on which they differ: one question. Its
 * review where it does; null where it may be accepted. The original's reading of replies believes the solver's own word.
 */
export async function openReview(
  attempt: Attempt,
  draft: Draft,
  { leftOpen }: Pick<Review, 'leftOpen'>,
): Promise<Review | null> {
  const { settings } = attempt;
  if (leftOpen === 'none') return null;
  const claim = claimIn(draft.text);
  const isOriginal = readingOf(settings) === 'substring' || settings.compat.sections === 'substring';
  const said = claim.says === 'partial' ? [claim.words] : [];
  const words = isOriginal || said.length > 0 ? said : await openPlaces(attempt, draft);
  const votes = { yes: 0, no: 1, of: 1 };
  return words.length === 0 ? null : confessed(attempt, { ballots: [], votes }, words.join('\n> '));
}

const openForm = formOf('left-open', z.strictObject({ leftOpen: z.array(z.string()) }));

/** A wrong quotation is asked for once more; it counts all the same. */
async function openPlaces(attempt: Attempt, { text }: Draft): Promise<readonly string[]> {
  const { run, spec } = attempt;
  const asked = [userAbout(spec, run.prompt('leftOpen', { problem: statementOf(spec), solution: text }))];
  const read = async (turns: readonly Message[]) => {
    const list = await formed(attempt, 'grader', turns, openForm, (words) => openInWords(words, text));
    if (!list)
      throw new Unusable(
        'The grader does not say what the solution leaves open, although it was asked twice.',
      );
    return list.leftOpen.filter((quote) => quote.trim() !== '');
  };
  const quotes = await read(asked);
  const placeOf = placesIn(text);
  if (quotes.length === 0 || quotes.some((quote) => placeOf(quote) !== null)) return quotes;
  const faults = quotes.map((quote) => `- “${quote}” (${whyNowhere(text, quote)})`).join('\n');
  const again = user(run.prompt('leftOpenAgain', { faults }));
  return read([...asked, assistant(JSON.stringify({ leftOpen: quotes })), again]);
}

/** Some write a report once more, in the place of the list. */
function openInWords(report: string, solution: string): { leftOpen: string[] } | null {
  const open = leftOpenIn(report, solution);
  if (open === null) return plainPass.every((each) => each.test(report)) ? { leftOpen: [] } : null;
  return { leftOpen: open === 'none' ? [] : [...open] };
}

/** A report of the published form has no field `Left open`: there a bare verdict without findings leaves nothing open. */
const plainPass = [
  /^(?![\s\S]*left[ _-]?open)/i,
  /^[#>*_ \t]*final verdict[*_: \t]*the (?:solution|proof) is (?:complete|correct)(?: and (?:correct|rigorous))?[.*_ \t]*$/im,
  /^[#>*_ \t]*list of findings[*_: \t]*none[.*_ \t]*$/im,
];

type Voted = Pick<Tally<Opinion>, 'ballots' | 'votes'>;

function told({ run, place }: Attempt, { votes, ballots }: Voted, review: Omit<Review, 'leftOpen'>): Review {
  const { verdict, points, bugReport } = review;
  note(run, 'verification', { ...place, verdict, votes, points, bugReport });
  const said = ballots.map(({ leftOpen }) => leftOpen).filter((each) => each !== null);
  return { ...review, leftOpen: said.length > 0 && said.every((each) => each === 'none') ? 'none' : null };
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
  const summary = readingOf(settings) === 'own' ? summaryOf(report) : null;
  const found = summary ?? (textBefore(report, log) || report);
  if (points === null) return found;
  // Remarks on the parts of a rubric would show the rubric to the solver.
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
  const complaints = (await reviewersReply(attempt, asked))?.complaints ?? [];
  const kept = complaints.filter(({ holds }) => holds).map(({ complaint }) => complaint);
  const dropped = complaints.filter(({ holds }) => !holds).map(({ complaint, why }) => ({ complaint, why }));
  note(run, 'report-review', { ...place, kept, dropped });
  return {
    bugReport: dropped.length === 0 ? bugReport : numbered(kept),
    objections: numbered(dropped.map(({ complaint, why }) => `“${complaint}” does not hold: ${why}`)),
  };
}

/** Null also where its replies are cut off. */
async function reviewersReply(attempt: Attempt, messages: readonly Message[]) {
  try {
    return await formed(attempt, 'reviewer', messages, form);
  } catch (error) {
    if (error instanceof Unusable) return null;
    throw error;
  }
}

function numbered(lines: readonly string[]): string {
  return lines.map((line, index) => `${index + 1}. ${line}`).join('\n\n');
}
