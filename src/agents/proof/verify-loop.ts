/**
 * The solver–verifier loop for proofs (Huang and Yang 2025): solve, improve, then verify and correct until a proof has
 * passed five verifications in a row. Each attempt is a branch; each correction starts from a fresh context. A
 * draft on which a finding is open is not verified; `published.ts` is the loop without this memory.
 */
import type { Run, Solution, TypicalRun } from '../../core/agent.ts';
import { defineAgent } from '../../core/define.ts';
import { ContextOverflow, EffectFailed, LimitReached } from '../../core/errors.ts';
import { formatPasses, note } from '../../notes/proof.ts';
import { count } from '../../text/format.ts';
import { type Attempt, correctDraft, type Draft, firstSolution, improveDraft } from './attempt.ts';
import { type Abstention, Best } from './best.ts';
import { CutOff, Refused, Unusable } from './dialogue.ts';
import { Findings, formatEntries, isSameText } from './findings.ts';
import { verifyLoopPrompts } from './prompts.ts';
import { type Counters, publishedLoop } from './published.ts';
import { judgeOpen } from './reviewer.ts';
import { type Accepted, selectBest } from './selection.ts';
import { type VerifyLoopSettings, verifyLoopSettings } from './settings.ts';
import { type Review, reviewConfessions, verify } from './verification.ts';

export const verifyLoop = defineAgent({
  name: 'verify-loop',
  settings: verifyLoopSettings,
  needs: [],
  roles: ['solver', 'grader', 'judge', 'reviewer'],
  usual: estimateLoop,
  prompts: verifyLoopPrompts,

  async solve({ spec }, run, settings) {
    const best = new Best();
    const shared = { spec, settings, hints: [...settings.hints], findings: new Findings() };
    const pool: Accepted[] = [];
    const ends: AttemptEnd[] = [];
    for (let number = 1; number <= settings.attempts && pool.length < settings.pool; number += 1) {
      const end = await run.branch(`attempt-${number}`, (here) => {
        const place = { attempt: number, iteration: null };
        return runAttempt({ run: here, ...shared, place, verifications: 0 }, best);
      });
      ends.push(end);
      if (end.kind === 'accepted') pool.push({ attempt: number, draft: end.draft });
      // Another attempt would end in the same way.
      if (end.kind === 'limit' || end.kind === 'refused') break;
    }
    if (pool.length > 0) return acceptedSolution(run, pool, shared);
    return best.handedIn(run, abstention(ends, settings));
  },
});

/**
 * A proof that is found costs 18 to 120 calls in the published runs, with about 18,000 tokens out each, most of them
 * thoughts: eight turns of the solver, and eleven verifications besides those that accept it. Without the judges, whose
 * replies are short, it is more for each.
 */
function estimateLoop(settings: VerifyLoopSettings): TypicalRun {
  const { passes, iterations, attempts, pool, graders, judging } = settings;
  const isPublished = judging === 'published';
  // As published, a judge is asked about each report.
  const verification = isPublished ? 2 : graders;
  const usual = pool * (8 + (passes + 11) * verification);
  const most = attempts * (3 + verification + iterations * (2 + verification));
  return {
    turns: Math.min(usual, most),
    outputTokens: isPublished ? 18_000 : 30_000,
    carriedTokens: 4_000,
  };
}

type AttemptEnd =
  | { readonly kind: 'accepted'; readonly draft: Draft }
  | { readonly kind: 'failures' | 'iterations' }
  /** `how`: how far it came, for people. */
  | {
      readonly kind: 'partial' | 'limit' | 'context' | 'refused' | 'malformed' | 'cut-off' | 'call-failed';
      readonly how: string;
    };

async function runAttempt(here: Attempt, best: Best): Promise<AttemptEnd> {
  const { run, settings, place } = here;
  const counters: Counters = { passes: 0, failures: 0 };
  note(run, 'attempt-start', { attempt: place.attempt });
  const loop = settings.judging === 'published' ? publishedLoop : strictLoop;
  const end = await loop(here, counters, best).catch((error: unknown): AttemptEnd => {
    // Before its first iteration there is nothing to go on with: the published code begins anew.
    const mayFail = settings.judging === 'published';
    if (error instanceof EffectFailed && mayFail) return { kind: 'call-failed', how: error.message };
    const kind = endKind(error);
    if (!kind || !(error instanceof Error)) throw error;
    return { kind, how: `${error.message} ${describeProgress(here, counters)}` };
  });
  const doubts =
    end.kind === 'accepted' ? here.findings.doubtsOf(place.attempt).map(({ finding }) => finding.id) : [];
  note(run, 'attempt-end', { ...place, ...counters, end: end.kind, doubts });
  return end;
}

/** Until a draft has passed so often in a row, and leaves nothing open by its own words. */
async function strictLoop(here: Attempt, counters: Counters, best: Best): Promise<AttemptEnd> {
  const { run, settings, place } = here;
  const observe = (draft: Draft, review: Review): Review => {
    if (review.verdict === 'pass') {
      counters.passes += 1;
      counters.failures = 0;
    }
    best.verified(draft, { attempt: place.attempt, passes: counters.passes, review });
    return review;
  };
  /** Asked once a text: its answer is a finding, which lives on. */
  const confessed = new Set<string>();
  const confirm = async (draft: Draft, review: Review): Promise<Review> => {
    if (review.verdict !== 'pass' || counters.passes < settings.passes || confessed.has(draft.text))
      return review;
    confessed.add(draft.text);
    const open = await reviewConfessions(here, draft);
    return open ? observe(draft, open) : review;
  };
  const isAccepted = (review: Review) => review.verdict === 'pass' && counters.passes >= settings.passes;

  let draft = await firstSolution(here);
  best.drafted(draft, place.attempt);
  draft = await improveDraft(here, draft);
  best.drafted(draft, place.attempt);
  let review = await confirm(draft, observe(draft, await verify(here, draft)));
  const defended = new Set<string>();
  for (let iteration = 0; !isAccepted(review); iteration += 1) {
    if (iteration >= settings.iterations) return { kind: 'iterations' };
    place.iteration = iteration;
    const isRefuted = review.verdict === 'fail';
    if (isRefuted) {
      counters.passes = 0;
      counters.failures += 1;
    }
    note(run, 'counters', { attempt: place.attempt, iteration, ...counters });
    if (isRefuted) {
      const next = await correctDraft(here, draft, review.bugReport);
      const open = await judgeOpen(here, next);
      const isSame = isSameText(next.text, draft.text);
      if (isSame && open.length > 0 && (next.rebuttal === null || defended.has(draft.text)))
        return { kind: 'partial', how: unchanged };
      if (isSame) defended.add(draft.text);
      draft = next;
      best.drafted(draft, place.attempt);
    }
    review = await confirm(draft, observe(draft, await verify(here, draft)));
    if (counters.failures >= settings.failures) return { kind: 'failures' };
  }
  return { kind: 'accepted', draft };
}

const unchanged = 'The solver leaves its solution as it is, although a finding on it is open.';

/** After replies that were `cut-off` or `malformed` (without words) and a full `context`, another attempt may do better. */
function endKind(error: unknown): 'limit' | 'context' | 'refused' | 'malformed' | 'cut-off' | null {
  if (error instanceof LimitReached) return 'limit';
  if (error instanceof Refused) return 'refused';
  if (error instanceof ContextOverflow) return 'context';
  if (error instanceof CutOff) return 'cut-off';
  const model = error instanceof EffectFailed ? error.effectError.model?.kind : undefined;
  const isMalformed = error instanceof Unusable || model === 'malformed';
  return isMalformed ? 'malformed' : null;
}

async function acceptedSolution(
  run: Run,
  pool: readonly Accepted[],
  { findings, ...problem }: Pick<Attempt, 'spec' | 'settings' | 'findings'>,
): Promise<Solution> {
  const undoubted = pool.filter(({ attempt }) => findings.doubtsOf(attempt).length === 0);
  const candidates = undoubted.length > 0 ? undoubted : pool;
  const [only] = candidates;
  const selected = candidates.length === 1 && only ? only : await selectBest(run, candidates, problem);
  const of = pool.length === 1 ? '' : `, chosen of ${pool.length} accepted ones`;
  const { attempt, draft } = selected;
  const detail = `The proof of attempt ${attempt} passed ${problem.settings.passes} verifications in a row${of}.`;
  const changed = findings.mendedIn(attempt);
  const mended = changed === 0 ? '' : ` Changes of the text have answered ${count(changed, 'finding')}.`;
  const doubts = formatEntries(findings.doubtsOf(attempt));
  const answer = { type: 'text', text: draft.text } as const;
  if (doubts === '') return { end: 'answered', answer, detail: `${detail}${mended}` };
  const found = `It is accepted with doubts, because no change of the text has answered what was found:\n\n${doubts}`;
  return { end: 'doubtful', answer, detail: `${detail} ${found}` };
}

function describeProgress({ place }: Attempt, { passes, failures }: Counters): string {
  if (place.iteration === null) return `Attempt ${place.attempt} ended before its first iteration.`;
  const counted = `${formatPasses(passes)} and ${count(failures, 'failure')} in a row`;
  return `Attempt ${place.attempt} ended in its iteration ${place.iteration}, with ${counted}.`;
}

/** How the run ends without a proof: as its attempts did, where they all ended alike. */
function abstention(ends: readonly AttemptEnd[], { passes }: VerifyLoopSettings): Abstention {
  const last = ends.at(-1);
  const stops = last?.kind === 'limit' || last?.kind === 'refused';
  if (last && 'how' in last && (stops || ends.every(({ kind }) => kind === last.kind))) {
    const end = endsAs[last.kind] ?? 'gave-up';
    return { end, why: last.how, limit: last.kind === 'context' ? 'context' : undefined };
  }
  const none = ends.length === 1 ? 'The one attempt has not' : `None of ${ends.length} attempts has`;
  const how = last && 'how' in last ? ` The last one: ${last.how}` : '';
  return { end: 'gave-up', why: `${none} passed ${passes} verifications in a row.${how}` };
}

const endsAs: { readonly [Kind in AttemptEnd['kind']]?: Abstention['end'] } = {
  refused: 'refused',
  malformed: 'malformed',
  'cut-off': 'malformed',
};
