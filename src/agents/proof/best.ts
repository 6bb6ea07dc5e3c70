/** The partial result that came farthest, for when no proof is accepted. */
import type { Run, Solution } from '../../core/agent.ts';
import { note } from '../../notes/proof.ts';
import type { Draft } from './attempt.ts';
import type { Review } from './verification.ts';

type Partial = {
  readonly draft: Draft;
  readonly attempt: number;
  /** −1: it was never verified. */
  readonly passes: number;
  readonly points: number | null;
  readonly openGaps: string;
};

export type Abstention = {
  readonly end: 'gave-up' | 'refused' | 'malformed';
  readonly why: string;
  readonly limit?: 'context' | undefined;
};

/**
 * The partial result that came farthest, for when no proof is accepted: by the verifications it passed in a row, then
 * by its points, then the later one. It is handed in as what it is, with what is known to be open.
 */
export class Best {
  #best: Partial | null = null;

  drafted(draft: Draft, attempt: number): void {
    this.#take({ draft, attempt, passes: -1, points: null, openGaps: '' });
  }

  /** `passes`: in a row, after this verification. */
  verified(draft: Draft, { attempt, passes, review }: { attempt: number; passes: number; review: Review }) {
    const { verdict, points, bugReport } = review;
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
