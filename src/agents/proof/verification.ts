/** A verification: graders vote on a draft, and what they found is listed; a reviewer judges what their vote leaves unclear. */
import { z } from 'zod';
import { note } from '../../notes/proof.ts';
import type { Attempt, Draft } from './attempt.ts';
import { formOf, requestForm, statementText, userAbout } from './dialogue.ts';
import { type FoundFinding, formatEntries } from './findings.ts';
import { gradeProof, type Report } from './grader.ts';
import { judgeOpen } from './reviewer.ts';
import { type Ballot, gatherVotes, medianPoints, type Tally } from './vote.ts';

export type Review = {
  /** `void`: no finding survived its review. Neither a pass nor a failure. */
  readonly verdict: 'pass' | 'fail' | 'void';
  readonly points: number | null;
  /** What is open, for the solver; empty where nothing is. */
  readonly bugReport: string;
};

const noVotes = { yes: 0, no: 0, of: 0 };

/** A text with an open finding is not graded: it is refuted as it stands. */
export async function verify(attempt: Attempt, draft: Draft): Promise<Review> {
  const refuted = openReview(attempt, draft);
  if (refuted) return refuted;
  const { settings, spec, run, place, findings } = attempt;
  attempt.verifications += 1;
  const vote = { name: `verification-${attempt.verifications}`, rule: settings, place };
  const tally = await gatherVotes<Report>(run, vote, (here, onReport) =>
    gradeProof({ run: here, settings }, { spec, proof: draft.text }, onReport),
  );
  const found = findingsIn(tally);
  findings.add(attempt, draft.text, found);
  if (tally.pass ? found.length > 0 : settings.review) await judgeOpen(attempt, { ...draft, rebuttal: null });
  const open = findings.openOn(draft.text, place.attempt);
  const verdict = open.length > 0 ? 'fail' : tally.pass ? 'pass' : 'void';
  return reviewOf(attempt, tally, {
    verdict,
    points: medianPoints(tally.ballots),
    bugReport: reportOn(attempt, draft, tally),
  });
}

/** The review of a draft on which findings are open; null where none is. */
export function openReview(attempt: Attempt, draft: Draft): Review | null {
  const bugReport = formatEntries(attempt.findings.openOn(draft.text, attempt.place.attempt));
  if (bugReport === '') return null;
  return reviewOf(attempt, { votes: noVotes }, { verdict: 'fail', points: null, bugReport });
}

function reviewOf({ run, place }: Attempt, { votes }: Pick<Tally<Report>, 'votes'>, review: Review): Review {
  note(run, 'verification', { ...place, votes, ...review });
  return review;
}

/** The findings of all who voted, in their order. */
export function findingsIn({ ballots }: { readonly ballots: readonly (Report & Ballot)[] }): FoundFinding[] {
  return ballots.flatMap(({ grader, pass, findings }) =>
    findings.map((finding) => ({ ...finding, grader, against: !pass })),
  );
}

function reportOn(attempt: Attempt, draft: Draft, { ballots }: Tally<Report>): string {
  const open = formatEntries(attempt.findings.openOn(draft.text, attempt.place.attempt));
  const points = medianPoints(ballots);
  const earned =
    points === null ? '' : `**Points:** ${points} of 7, where ${attempt.settings.passPoints} pass.`;
  return open === '' ? '' : [open, earned].filter(Boolean).join('\n\n');
}

const openForm = formOf('left-open', z.strictObject({ leftOpen: z.array(z.string()) }));

/**
 * Before a draft is accepted, whatever its graders said: one question, what the text itself leaves open. The review of a draft
 * that does.
 */
export async function reviewConfessions(attempt: Attempt, draft: Draft): Promise<Review | null> {
  const { run, spec } = attempt;
  const prompt = run.prompt('leftOpen', { problem: statementText(spec), solution: draft.text });
  const reply = await requestForm(attempt, 'grader', [userAbout(spec, prompt)], openForm);
  const quotes = reply?.leftOpen.filter((quote) => quote.trim() !== '') ?? [''];
  const explanation = reply
    ? 'The text itself leaves this open.'
    : 'No grader said what the text leaves open.';
  const found = quotes.map((quote): FoundFinding => {
    return { kind: 'proves-less', quote, explanation, grader: null, against: true };
  });
  attempt.findings.add(attempt, draft.text, found);
  // What nobody could say is a doubt, and nothing for the solver.
  return reply ? openReview(attempt, draft) : null;
}
