/** What the server tells without a stream: asked for again and again while it is looked at. */
import { useEffect, useState } from 'preact/hooks';
import { get } from './api.ts';

type PollOptions<T> = {
  readonly path: () => string;
  /** Missing: asked for once. */
  readonly everyMs?: number;
  /** What was found changes no more. */
  readonly isOver?: (found: T) => boolean;
  /** Asked for at once when one of these changes. */
  readonly again?: readonly unknown[];
  /** Equal data is not drawn again, because the user may be typing. */
  readonly isAlike?: (before: T, found: T) => boolean;
};

/** `found` is null until there is an answer; `problem` says why the last one failed. */
export function usePolling<T>({ path, everyMs, isOver, again = [], isAlike }: PollOptions<T>) {
  const [found, setFound] = useState<T | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let timer = 0;
    let isCurrent = true;
    let continues = everyMs !== undefined;
    const poll = async (): Promise<void> => {
      try {
        const told = await get<T>(path());
        if (!isCurrent) return;
        continues &&= !isOver?.(told);
        setFound((before) => (before !== null && isAlike?.(before, told) ? before : told));
        setProblem('');
      } catch (error) {
        if (isCurrent) setProblem(error instanceof Error ? error.message : String(error));
      }
      if (isCurrent && continues) timer = window.setTimeout(poll, everyMs);
    };
    poll();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, again);
  return { found, problem };
}
