/**
 * The solver–verifier loop for proofs (Huang and Yang 2025): solve, improve, then verify and correct until a proof has
 * passed five verifications in a row. Each attempt is a branch; each correction starts from a fresh context. What the
 * solver says, how graders vote and how accepted proofs are compared stands in `proof/`.
 */

import type { Run, Solution, UsualRun } from '../../core/agent.ts';
import { defineAgent } from '../../core/define.ts';
import { EffectFailed, LimitReached } from '../../core/errors.ts';
import type { Problem } from '../../core/problem.ts';
import type { Attempt, Draft, Review } from './attempt.ts';
import { type Abstention, Best } from './best.ts';
import { corrected, firstSolution, improved } from './drafting.ts';
import { note } from './note.ts';
import { type Accepted, bestOf } from './selection.ts';
import { Refused, Unusable } from './talk.ts';
import { verify } from './verification.ts';
import { verifyLoopPrompts } from './verify-loop.prompts.ts';
import { type VerifyLoopSettings, verifyLoopSettings } from './verify-loop-settings.ts';

export const verifyLoop = defineAgent({
  name: 'verify-loop',
  settings: verifyLoopSettings,
  needs: [],
  roles: ['solver', 'grader', 'judge', 'reviewer'],
  usual: usualOfLoop,
  prompts: verifyLoopPrompts,

  async solve(problem, run, settings) {
    const best = new Best();
    const hints = [...settings.hints];
    const pool: Accepted[] = [];
    const ends: AttemptEnd[] = [];
    for (let number = 1; number <= settings.attempts && pool.length < settings.pool; number += 1) {
      const end = await run.branch(`attempt-${number}`, (here) => {
        const place = { attempt: number, iteration: null };
        return attempt({ run: here, spec: problem.spec, settings, hints, place, verifications: 0 }, best);
      });
      ends.push(end);
      if (end.kind === 'accepted') pool.push({ attempt: number, draft: end.draft });
      // Neither would another attempt be spared.
      if (end.kind === 'limit' || end.kind === 'refused') break;
    }
    if (pool.length > 0) return accepted(run, pool, { problem, settings });
    return best.handedIn(run, abstention(ends, settings));
  },
});

/**
 * A proof that is found costs 18 to 120 calls in the published runs, with about 18,000 tokens out each, most of them
 * thoughts: eight turns of the solver, and eleven verifications besides those that accept it.
 */
function usualOfLoop(settings: VerifyLoopSettings): UsualRun {
  const { passes, iterations, attempts, pool, graders, review } = settings;
  const verification = 2 * graders + (review ? 1 : 0);
  const usual = pool * (8 + (passes + 11) * verification);
  const most = attempts * (2 + verification + iterations * (1 + verification));
  return { turns: Math.min(usual, most), outputTokens: 18_000, carriedTokens: 4_000 };
}

type AttemptEnd =
  | { readonly kind: 'accepted'; readonly draft: Draft }
  | { readonly kind: 'failures' | 'iterations' }
  /** `how`: how far it came, for people. */
  | { readonly kind: 'limit' | 'refused' | 'malformed' | 'call-failed'; readonly how: string };

async function attempt(here: Attempt, best: Best): Promise<AttemptEnd> {
  const { run, settings, place } = here;
  const counters = { passes: 1, failures: 0 };
  const ended = <End extends AttemptEnd>(end: End): End => {
    note(run, 'attempt-end', { ...place, ...counters, end: end.kind });
    return end;
  };
  const seen = (draft: Draft, review: Review): Review => {
    best.verified(draft, { attempt: place.attempt, passes: counters.passes, review });
    return review;
  };

  note(run, 'attempt-start', { attempt: place.attempt });
  try {
    let draft = await firstSolution(here);
    best.drafted(draft, place.attempt);
    draft = await improved(here, draft);
    best.drafted(draft, place.attempt);
    let review = seen(draft, await verify(here, draft));
    // The first verdict counts as the pass that is given already; the original resets it after a no.
    if (review.verdict === 'void') counters.passes = 0;
    const isAccepted = () => review.verdict === 'pass' && counters.passes >= settings.passes;
    if (isAccepted()) return ended({ kind: 'accepted', draft });

    for (let iteration = 0; iteration < settings.iterations; iteration += 1) {
      place.iteration = iteration;
      note(run, 'counters', { attempt: place.attempt, iteration, ...counters });
      if (review.verdict === 'fail') {
        counters.passes = 0;
        counters.failures += 1;
        // The original counts an iteration whose call failed, and goes on with what it has.
        const next = await orFailed(here, () => corrected(here, draft, review));
        if (next === null) continue;
        draft = next;
        best.drafted(draft, place.attempt);
      }
      // Whoever grades it next is told why the last complaints do not hold.
      if (review.verdict === 'void') draft = { ...draft, rebuttal: review.objections };
      const next = await orFailed(here, () => verify(here, draft));
      if (next === null) continue;
      review = next;
      if (review.verdict === 'pass') {
        counters.passes += 1;
        counters.failures = 0;
      }
      seen(draft, review);
      if (isAccepted()) return ended({ kind: 'accepted', draft });
      if (counters.failures >= settings.failures) return ended({ kind: 'failures' });
    }
    return ended({ kind: 'iterations' });
  } catch (error) {
    const how = howFar(here, counters);
    if (error instanceof LimitReached)
      return ended({ kind: 'limit', how: `${error.message} It came ${how}` });
    if (error instanceof Refused) return ended({ kind: 'refused', how: `${error.message} It came ${how}` });
    // Before its first iteration there is nothing to go on with: the original begins anew.
    if (error instanceof EffectFailed && settings.compat.failedCalls === 'count')
      return ended({ kind: 'call-failed', how: error.message });
    if (error instanceof Error && isUnusable(error))
      return ended({ kind: 'malformed', how: `${error.message} It came ${how}` });
    throw error;
  }
}

/** Replies without words, or a conversation too long for its model: another attempt may do better. */
function isUnusable(error: Error): boolean {
  if (error instanceof Unusable) return true;
  const kind = error instanceof EffectFailed ? error.effectError.model?.kind : undefined;
  return kind === 'malformed' || kind === 'context-overflow';
}

/** Null where the call failed and the settings go on all the same. */
async function orFailed<T>({ run, settings, place }: Attempt, work: () => Promise<T>): Promise<T | null> {
  if (settings.compat.failedCalls === 'end') return work();
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EffectFailed)) throw error;
    note(run, 'call-failed', { ...place, message: error.message });
    return null;
  }
}

async function accepted(
  run: Run,
  pool: readonly Accepted[],
  { problem, settings }: { problem: Problem; settings: VerifyLoopSettings },
): Promise<Solution> {
  const [only] = pool;
  const chosen = pool.length === 1 && only ? only : await bestOf(run, pool, { spec: problem.spec, settings });
  const of = pool.length === 1 ? '' : `, chosen of ${pool.length} accepted ones`;
  const detail = `The proof of attempt ${chosen.attempt} passed ${settings.passes} verifications in a row${of}.`;
  return { end: 'answered', answer: { type: 'text', text: chosen.draft.text }, detail };
}

function howFar({ place }: Attempt, { passes, failures }: { passes: number; failures: number }): string {
  if (place.iteration === null) return `not as far as the first iteration of attempt ${place.attempt}.`;
  return `to iteration ${place.iteration} of attempt ${place.attempt}, with ${passes} passes and ${failures} failures in a row.`;
}

/** How the run ends without a proof: as its attempts did, where they all ended alike. */
function abstention(ends: readonly AttemptEnd[], { passes }: VerifyLoopSettings): Abstention {
  const last = ends.at(-1);
  const stops = last?.kind === 'limit' || last?.kind === 'refused';
  if (last && 'how' in last && (stops || ends.every(({ kind }) => kind === last.kind))) {
    const end = last.kind === 'refused' || last.kind === 'malformed' ? last.kind : 'gave-up';
    return { end, why: last.how };
  }
  const none = ends.length === 1 ? 'The one attempt has not' : `None of ${ends.length} attempts has`;
  return { end: 'gave-up', why: `${none} passed ${passes} verifications in a row.` };
}
