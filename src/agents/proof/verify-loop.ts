/**
 * The solver–verifier loop for proofs (Huang and Yang 2025): solve, improve, then verify and correct until a proof has
 * passed five verifications in a row. Each attempt is a branch; each correction starts from a fresh context. What the
 * solver says, how graders vote and how accepted proofs are compared stands in `proof/`.
 */
import type { Run, Solution, TypicalRun } from '../../core/agent.ts';
import { defineAgent } from '../../core/define.ts';
import { ContextOverflow, EffectFailed, LimitReached } from '../../core/errors.ts';
import type { Problem } from '../../core/problem.ts';
import { formatPasses, note } from '../../notes/proof.ts';
import { count } from '../../text/format.ts';
import {
  type Attempt,
  correctDraft,
  type Draft,
  firstSolution,
  improveDraft,
  isStrict,
  type Review,
  readingOf,
  type VerifyLoopSettings,
  verifyLoopSettings,
} from './attempt.ts';
import { claimIn } from './confession.ts';
import { verifyLoopPrompts } from './prompts.ts';
import { type Accepted, bestOf } from './selection.ts';
import { CutOff, Refused, Unusable } from './talk.ts';
import { openReview, verify } from './verification.ts';

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
      // Another attempt would end in the same way.
      if (end.kind === 'limit' || end.kind === 'refused') break;
    }
    if (pool.length > 0) return accepted(run, pool, { problem, settings, best });
    return best.handedIn(run, abstention(ends, settings));
  },
});

/**
 * A proof that is found costs 18 to 120 calls in the published runs, with about 18,000 tokens out each, most of them
 * thoughts: eight turns of the solver, and eleven verifications besides those that accept it. Without the judges, whose
 * replies are short, it is more for each.
 */
function usualOfLoop(settings: VerifyLoopSettings): TypicalRun {
  const { passes, iterations, attempts, pool, graders, grading, review } = settings;
  // A report, and a verdict or points in a call of their own.
  const calls = readingOf(settings) === 'own' && grading === 'verdict' ? 1 : 2;
  const verification = calls * graders + (review ? 1 : 0);
  const usual = pool * (8 + (passes + 11) * verification);
  const most = attempts * (2 + verification + iterations * (1 + verification));
  return { turns: Math.min(usual, most), outputTokens: calls === 1 ? 30_000 : 18_000, carriedTokens: 4_000 };
}

type AttemptEnd =
  | { readonly kind: 'accepted'; readonly draft: Draft }
  | { readonly kind: 'failures' | 'iterations' }
  /** `how`: how far it came, for people. */
  | {
      readonly kind: 'partial' | 'limit' | 'context' | 'refused' | 'malformed' | 'cut-off' | 'call-failed';
      readonly how: string;
    };

async function attempt(here: Attempt, best: Best): Promise<AttemptEnd> {
  const { run, settings, place } = here;
  const counters = { passes: 0, failures: 0 };
  const strict = isStrict(here);
  const ended = <End extends AttemptEnd>(end: End): End => {
    note(run, 'attempt-end', { ...place, ...counters, end: end.kind });
    return end;
  };
  // What one grader left unclear, no other one of the same words makes clear.
  const unclear = new Set<string>();
  const seen = (draft: Draft, review: Review): Review => {
    if (review.verdict === 'pass' && review.leftOpen === null) unclear.add(draft.text);
    best.verified(draft, { attempt: place.attempt, passes: counters.passes, review });
    return review;
  };

  note(run, 'attempt-start', { attempt: place.attempt });
  try {
    let draft = await firstSolution(here);
    best.drafted(draft, place.attempt);
    draft = await improveDraft(here, draft);
    best.drafted(draft, place.attempt);
    let review = await verify(here, draft, { isLast: settings.passes === 1 });
    // As in the original, the first verdict counts as a pass, and is reset after a no.
    if (review.verdict !== 'void') counters.passes = 1;
    seen(draft, review);
    const isAccepted = async (): Promise<boolean> => {
      if (review.verdict !== 'pass' || counters.passes < settings.passes) return false;
      const leftOpen = unclear.has(draft.text) ? null : review.leftOpen;
      const open = await openReview(here, draft, { leftOpen });
      if (open) review = seen(draft, open);
      return open === null;
    };
    if (await isAccepted()) return ended({ kind: 'accepted', draft });

    for (let iteration = 0; iteration < settings.iterations; iteration += 1) {
      place.iteration = iteration;
      const tell = () => note(run, 'counters', { attempt: place.attempt, iteration, ...counters });
      // The original counts a failure behind what it tells.
      if (!strict) tell();
      if (review.verdict === 'fail') {
        counters.passes = 0;
        counters.failures += 1;
      }
      if (strict) tell();
      if (review.verdict === 'fail') {
        // The original counts an iteration whose call failed, and goes on with what it has.
        const next = await orFailed(here, () => correctDraft(here, draft, review));
        if (next === null) continue;
        if (isAllThatItProves(here, next, draft)) return ended({ kind: 'partial', how: noMore });
        draft = next;
        best.drafted(draft, place.attempt);
      }
      // Tells the next grader why the last complaints were wrong.
      if (review.verdict === 'void' && !strict) draft = { ...draft, rebuttal: review.objections };
      const isLast = counters.passes + 1 >= settings.passes;
      const next = await orFailed(here, () => verify(here, draft, { isLast }));
      if (next === null) continue;
      review = next;
      if (review.verdict === 'pass') {
        counters.passes += 1;
        counters.failures = 0;
      }
      seen(draft, review);
      if (await isAccepted()) return ended({ kind: 'accepted', draft });
      if (counters.failures >= settings.failures) return ended({ kind: 'failures' });
    }
    return ended({ kind: 'iterations' });
  } catch (error) {
    // Before its first iteration there is nothing to go on with: the original begins anew.
    const mayFail = settings.compat.failedCalls === 'count';
    if (error instanceof EffectFailed && mayFail) return ended({ kind: 'call-failed', how: error.message });
    const kind = kindOf(error);
    if (!kind || !(error instanceof Error)) throw error;
    return ended({ kind, how: `${error.message} ${howFar(here, counters)}` });
  }
}

const noMore = 'The solver calls its solution partial, and can prove no more.';

/** The solver calls its solution partial, and leaves it as it is: its graders would say what they have said. */
function isAllThatItProves(here: Attempt, next: Draft, last: Draft): boolean {
  return isStrict(here) && next.text === last.text && claimIn(next.text).says === 'partial';
}

/** After replies that were `cut-off` or `malformed` (without words) and a full `context`, another attempt may do better. */
function kindOf(error: unknown): 'limit' | 'context' | 'refused' | 'malformed' | 'cut-off' | null {
  if (error instanceof LimitReached) return 'limit';
  if (error instanceof Refused) return 'refused';
  if (error instanceof ContextOverflow) return 'context';
  if (error instanceof CutOff) return 'cut-off';
  const model = error instanceof EffectFailed ? error.effectError.model?.kind : undefined;
  const isMalformed = error instanceof Unusable || model === 'malformed';
  return isMalformed ? 'malformed' : null;
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
  { problem, settings, best }: { problem: Problem; settings: VerifyLoopSettings; best: Best },
): Promise<Solution> {
  const [only] = pool;
  const chosen = pool.length === 1 && only ? only : await bestOf(run, pool, { spec: problem.spec, settings });
  const of = pool.length === 1 ? '' : `, chosen of ${pool.length} accepted ones`;
  const detail = `The proof of attempt ${chosen.attempt} passed ${settings.passes} verifications in a row${of}.`;
  const doubts = readingOf(settings) === 'own' ? best.findingsOn(chosen.draft.text) : [];
  const found = `It is accepted with doubts, because graders found in this same text:\n\n${doubts.join('\n\n')}`;
  return {
    end: 'answered',
    answer: { type: 'text', text: chosen.draft.text },
    detail: doubts.length === 0 ? detail : `${detail} ${found}`,
  };
}

function howFar({ place }: Attempt, { passes, failures }: { passes: number; failures: number }): string {
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

type Partial = {
  readonly draft: Draft;
  readonly attempt: number;
  /** −1: it was never verified. */
  readonly passes: number;
  readonly points: number | null;
  readonly openGaps: string;
};

type Abstention = {
  readonly end: 'gave-up' | 'refused' | 'malformed';
  readonly why: string;
  readonly limit?: 'context' | undefined;
};

/**
 * The partial result that came farthest, for when no proof is accepted: by the verifications it passed in a row, then
 * by its points, then the later one. It is handed in as what it is, with what is known to be open.
 */
class Best {
  #best: Partial | null = null;
  /** By the text of a draft: what graders found in it, which no later pass of the same text answers. */
  readonly #findings = new Map<string, string[]>();

  findingsOn(text: string): readonly string[] {
    return this.#findings.get(text) ?? [];
  }

  drafted(draft: Draft, attempt: number): void {
    this.#take({ draft, attempt, passes: -1, points: null, openGaps: '' });
  }

  /** `passes`: in a row, after this verification. */
  verified(draft: Draft, { attempt, passes, review }: { attempt: number; passes: number; review: Review }) {
    const { verdict, points, bugReport } = review;
    if (bugReport !== '') this.#findings.set(draft.text, [...this.findingsOn(draft.text), bugReport]);
    const best = this.#best;
    if (verdict === 'pass') return this.#take({ draft, attempt, passes, points, openGaps: '' });
    // What was passed before may fail now: then it is known what is open in it.
    if (best?.draft.text === draft.text && best.passes > 0) this.#best = { ...best, openGaps: bugReport };
    else this.#take({ draft, attempt, passes: 0, points, openGaps: bugReport });
  }

  #take(next: Partial): void {
    const best = this.#best;
    if (!best || isAtLeast(next, best)) this.#best = next;
  }

  /** Nothing is claimed: what is handed in is called partial, and says what is open. */
  handedIn(run: Run, { end, why, limit }: Abstention): Solution {
    const best = this.#best;
    if (!best) return { end, detail: why, limit };
    const { attempt, passes, points, openGaps, draft } = best;
    note(run, 'abstention', { attempt, passes: Math.max(0, passes), points, openGaps });
    const text = openGaps === '' ? draft.text : run.prompt('openGaps', { solution: draft.text, openGaps });
    const detail = `${why} No proof was accepted; handed in is the best partial result, of attempt ${attempt}, ${standing(best)}.`;
    return { end, detail, limit, answer: { type: 'text', text } };
  }
}

function isAtLeast(next: Partial, best: Partial): boolean {
  if (next.passes !== best.passes) return next.passes > best.passes;
  return (next.points ?? 0) >= (best.points ?? 0);
}

function standing({ passes, points, openGaps }: Partial): string {
  const told = points === null ? '' : `, with ${points} of 7 points`;
  if (passes < 0) return 'which was never verified';
  const passed = passes === 0 ? 'which passed no verification' : `which passed ${passes} in a row`;
  return `${passed}${told}${openGaps === '' ? '' : '; what is open in it stands below it'}`;
}
