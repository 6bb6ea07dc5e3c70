/** What the screens of run-sets share: a bar of progress, and the state of a set and of a row as a shape. */
import type { RefObject } from 'preact';
import type { SetRowItem } from '../notes/page-items.ts';
import { stateName } from '../notes/run-list.ts';
import type { StateName } from './states.tsx';

export function Bar({ share, isSpent = false }: { readonly share: number; readonly isSpent?: boolean }) {
  return (
    <svg
      class={`share ${isSpent ? 'spent' : ''}`}
      viewBox="0 0 40 4"
      width="40"
      height="4"
      aria-hidden="true"
    >
      <rect class="all" width="40" height="4" rx="2" />
      <rect class="part" width={40 * Math.min(1, share)} height="4" rx="2" />
    </svg>
  );
}

export function setState(state: string): StateName {
  if (state === 'running' || state === 'interrupted') return state;
  return state === 'budget' ? 'limit' : 'scored';
}

export function rowState({ state, outcome }: Pick<SetRowItem, 'state' | 'outcome'>): StateName {
  if (state === 'missing') return 'queued';
  return stateName({ state, outcome, question: null });
}

/** Null where nothing judged it: it has not ended, or its answer and its score say nothing of right and wrong. */
export function isRight({ correct, outcome, state }: SetRowItem): boolean | null {
  if (state !== 'ended') return null;
  if (correct !== null) return correct;
  const isUnjudged = outcome === 'answered' || outcome === 'doubtful' || outcome === 'scored';
  return isUnjudged ? null : outcome === 'solved';
}

export function judgedRows(rows: readonly SetRowItem[]): readonly SetRowItem[] {
  return rows.filter((row) => row && isRight(row) !== null);
}

type FindProps = {
  readonly box: RefObject<HTMLInputElement | null>;
  readonly words: string;
  readonly onType: (words: string) => void;
  /** How much is shown, where that is not all. */
  readonly told: string;
};

/** The field that finds in a set, and how much fits. */
export function Find({ box, words, onType, told }: FindProps) {
  return (
    <>
      <input
        ref={box}
        type="search"
        placeholder="in this set"
        aria-label="Find in this set"
        value={words}
        onInput={(event) => onType(event.currentTarget.value)}
      />
      <span class="told" role="status">
        {told}
      </span>
    </>
  );
}
