/** Words in all that a run's journal holds, found by the server: the page has a line of each event only. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from './api.ts';

export type FoundInRun = {
  readonly hits: ReadonlySet<number>;
  /** All of the journal was looked through. */
  readonly isWhole: boolean;
};

type SearchResult = { readonly hits: readonly number[]; readonly next: number | null };

const typingMs = 150;

/** Null where nothing is looked for. What the journal has more of is looked through when it is there. */
export function useFound(run: string, words: string, lastSeq: number): FoundInRun | null {
  const [found, setFound] = useState<FoundInRun | null>(null);
  const before = useRef<{ words: string; hits: readonly number[]; upTo: number }>({
    words: '',
    hits: [],
    upTo: 0,
  });
  useEffect(() => {
    if (words.trim() === '') {
      setFound(null);
      before.current = { words: '', hits: [], upTo: 0 };
      return;
    }
    let isCurrent = true;
    const isMore = before.current.words === words;
    let { hits, upTo } = isMore ? before.current : { hits: [] as readonly number[], upTo: 0 };
    const poll = async (): Promise<void> => {
      for (;;) {
        const query = new URLSearchParams({ words, after: String(upTo) });
        const searchResult = await get<SearchResult>(`/runs/${run}/search?${query}`);
        if (!isCurrent) return;
        hits = [...hits, ...searchResult.hits];
        upTo = searchResult.next ?? lastSeq;
        before.current = { words, hits, upTo };
        setFound({ hits: new Set(hits), isWhole: searchResult.next === null });
        if (searchResult.next === null) return;
      }
    };
    // If the server is gone, the search is repeated when it is back.
    const timer = setTimeout(() => void poll().catch(() => undefined), isMore ? 0 : typingMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [run, words, lastSeq]);
  return found;
}
