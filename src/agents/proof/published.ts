/**
 * The loop as it was published, told by its code and its logs: a judge says yes or no on each report, sections are cut
 * where their names first occur, an iteration whose call failed counts, and nothing that was found is remembered.
 */
import { EffectFailed } from '../../core/errors.ts';
import { note } from '../../notes/proof.ts';
import { assistant, system, user } from '../kit/asking.ts';
import { cutBefore, cutBehind } from '../kit/sections.ts';
import { type Attempt, type Draft, noteDraft, solverMessages } from './attempt.ts';
import type { Best } from './best.ts';
import { requestText, statementText, userAbout } from './dialogue.ts';

/** In a row. */
export type Counters = { passes: number; failures: number };

type PublishedReview = {
  readonly verdict: 'pass' | 'fail';
  readonly points: null;
  readonly bugReport: string;
};

export async function publishedLoop(here: Attempt, counters: Counters, best: Best) {
  const { run, settings, place } = here;
  const { attempt } = place;
  const observe = (draft: Draft, review: PublishedReview): PublishedReview => {
    best.verified(draft, { attempt, passes: counters.passes, review });
    return review;
  };
  const isAccepted = () => review.verdict === 'pass' && counters.passes >= settings.passes;

  let draft = await say(here, 'solve');
  best.drafted(draft, attempt);
  draft = await say(here, 'improve', [draft.text, run.prompt('improve')]);
  best.drafted(draft, attempt);
  let review = await grade(here, draft);
  // The first verdict counts as a pass whatever it is, and is reset after a no.
  counters.passes = 1;
  observe(draft, review);
  for (let iteration = 0; !isAccepted(); iteration += 1) {
    if (iteration >= settings.iterations) return { kind: 'iterations' } as const;
    place.iteration = iteration;
    note(run, 'counters', { attempt, iteration, ...counters });
    if (review.verdict === 'fail') {
      counters.passes = 0;
      counters.failures += 1;
    }
    try {
      if (review.verdict === 'fail') {
        const correct = run.prompt('correct', { report: review.bugReport });
        draft = await say(here, 'correct', [draft.text, correct]);
        best.drafted(draft, attempt);
      }
      review = await grade(here, draft);
    } catch (error) {
      if (!(error instanceof EffectFailed)) throw error;
      note(run, 'call-failed', { ...place, message: error.message });
      continue;
    }
    if (review.verdict === 'pass') {
      counters.passes += 1;
      counters.failures = 0;
    }
    observe(draft, review);
    if (counters.failures >= settings.failures) return { kind: 'failures' } as const;
  }
  return { kind: 'accepted', draft } as const;
}

async function say(
  here: Attempt,
  turn: 'solve' | 'improve' | 'correct',
  revised: readonly [before: string, instruction: string] | null = null,
): Promise<Draft> {
  const turns = revised === null ? [] : [assistant(revised[0]), user(revised[1])];
  const text = await requestText(here, 'solver', [...(await solverMessages(here, turn)), ...turns]);
  return noteDraft(here, turn, { text, rebuttal: null });
}

async function grade(here: Attempt, { text }: Draft): Promise<PublishedReview> {
  const { run, spec, place, settings } = here;
  const solution = cutBehind(text, 'Detailed Solution');
  const question = run.prompt('grade', { problem: statementText(spec), solution, rubric: '' });
  const messages = [system(run.prompt('publishedGrader')), userAbout(spec, question)];
  const report = await requestText(here, 'grader', messages);
  const judgement = await requestText(here, 'judge', [user(run.prompt('publishedVerdict', { report }))]);
  const pass = /yes/i.test(judgement);
  const bugReport = pass ? '' : findingsOf(report, settings.reportFrom);
  const review = { verdict: pass ? 'pass' : 'fail', points: null, bugReport } as const;
  note(run, 'report', { ...place, grader: 1, pass, points: null, report });
  note(run, 'verification', { ...place, votes: { yes: Number(pass), no: Number(!pass), of: 1 }, ...review });
  return review;
}

function findingsOf(report: string, from: 'start' | 'summary'): string {
  const start = from === 'start' ? 0 : report.search(/(?:### )?Summary/);
  return start < 0 ? '' : cutBefore(report.slice(start), 'Detailed Verification');
}
