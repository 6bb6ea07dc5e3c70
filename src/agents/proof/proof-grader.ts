/**
 * The grader alone, on a proof that somebody brought along: each of k graders writes its report, then lists what it
 * found with the places in the proof's own words, which are looked up in it. Their vote stops when it is decided.
 */

import { z } from 'zod';
import { defineAgent } from '../../core/define.ts';
import { LimitReached } from '../../core/errors.ts';
import { findingsText, mergedFindings } from './findings.ts';
import { type GradingSettings, gradingSettings } from './grading-settings.ts';
import { type Listing, listed } from './listing.ts';
import { note } from './note.ts';
import { proofGraderPrompts } from './proof-grader.prompts.ts';
import { Reports } from './reports.ts';
import { Refused, Unusable } from './talk.ts';
import { type Ballot, medianPoints, voted } from './vote.ts';

const settingsSchema = z.object(gradingSettings);

export const proofGrader = defineAgent({
  name: 'proof-grader',
  settings: settingsSchema,
  needs: ['candidate'],
  roles: ['grader'],
  // A report and a list each; that there are so few makes them no shorter.
  usual: ({ graders }) => ({ turns: 2 * graders, outputTokens: 12_000, carriedTokens: 3_000 }),
  prompts: proofGraderPrompts,

  async solve({ spec, candidate }, run, settings) {
    const proof = candidate.text;
    const finished: (Listing & Ballot)[] = [];
    const reports = new Reports();
    try {
      const { pass, votes } = await voted(run, { name: 'graders', rule: settings }, async (here, grader) => {
        const onReport = (report: string) => reports.heard(grader, report);
        const listing = await listed({ run: here, settings }, { spec, proof }, onReport);
        reports.voted({ ...listing, grader });
        finished.push({ ...listing, grader });
        return listing;
      }).finally(() => reports.tell(run, { attempt: 1, iteration: null }));
      const findings = mergedFindings(proof, finished);
      note(run, 'grading', { pass, votes, points: medianPoints(finished), findings });
      const verdict = pass ? 'The proof passed' : 'The proof did not pass';
      const detail = `${verdict}: ${votes.yes} of ${votes.yes + votes.no} graders who voted accepted it.`;
      return { end: 'answered', detail, answer: { type: 'text', text: findingsText(findings) } };
    } catch (error) {
      const stop = stopOf(error);
      if (stop === null) throw error;
      const { end, message } = stop;
      return { end, ...undecided(message, mergedFindings(proof, finished), { finished, settings }) };
    }
  },
});

type Stop = { readonly end: 'gave-up' | 'refused' | 'malformed'; readonly message: string };

function stopOf(error: unknown): Stop | null {
  if (error instanceof LimitReached) return { end: 'gave-up', message: error.message };
  if (error instanceof Refused) return { end: 'refused', message: error.message };
  return error instanceof Unusable ? { end: 'malformed', message: error.message } : null;
}

/** What was found is handed in; no verdict is. */
function undecided(
  message: string,
  findings: Parameters<typeof findingsText>[0],
  { finished, settings }: { finished: readonly unknown[]; settings: GradingSettings },
) {
  const detail = `${message} ${finished.length} of ${settings.graders} graders had finished, and nothing was decided.`;
  if (finished.length === 0) return { detail };
  return { detail, answer: { type: 'text' as const, text: findingsText(findings) } };
}
