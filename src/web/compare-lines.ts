/** What a comparison shows in which order: alike rows folded, the parting with rows before it; rows come when they are seen. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComparedRow, Comparison } from '../notes/page-compare.ts';
import { formatDollars } from '../text/format.ts';
import { get } from './api.ts';
import { tokenWords } from './words.ts';

export type Line =
  | { readonly kind: 'row'; readonly row: number }
  | { readonly kind: 'fold'; readonly from: number; readonly to: number }
  | { readonly kind: 'parting' };

/** Shorter stretches are not worth a fold. */
const leastFolded = 3;

/** Before what differs two rows that are alike stand for the rest, after it one. */
export function linesOf({ alike, rows, parting }: Comparison, opened: ReadonlySet<number>): readonly Line[] {
  const lines: Line[] = [];
  const show = (from: number, to: number): void => {
    for (let row = from; row < to; row += 1) {
      if (row === parting) lines.push({ kind: 'parting' });
      lines.push({ kind: 'row', row });
    }
  };
  let at = 0;
  for (const [from, to] of alike) {
    show(at, from);
    const first = from === 0 ? 0 : from + 1;
    const last = to === rows ? to : to - 2;
    if (last - first < leastFolded || opened.has(first)) show(from, to);
    else {
      show(from, first);
      lines.push({ kind: 'fold', from: first, to: last });
      show(last, to);
    }
    at = to;
  }
  show(at, rows);
  return lines;
}

export function sameIn({ alike, rows }: Comparison): Uint8Array {
  const same = new Uint8Array(rows);
  for (const [from, to] of alike) same.fill(1, from, to);
  return same;
}

export function countDifferences(same: Uint8Array, upTo: number): number {
  let count = 0;
  for (let row = 0; row <= upTo; row += 1) if (!same[row]) count += 1;
  return count;
}

export function describePrefix({ a, beginning }: Comparison): string {
  const { modelCalls, tokens, costUsd, isShared } = beginning;
  const cost = a.item.free !== null ? 'free' : costUsd === null ? 'cost unknown' : formatDollars(costUsd);
  const used = `${modelCalls} model ${modelCalls === 1 ? 'call' : 'calls'}, ${tokens === null ? 'unknown' : tokenWords(tokens)} tokens, ${cost}`;
  return `${used}${isShared ? ': stored once and paid once' : ''}`;
}

const atOnce = 200;

/** Rows are fetched when they come into sight. */
export function useRows(
  query: string,
  found: Comparison | null,
): { at(row: number): ComparedRow | undefined } {
  const pages = useRef(new Map<number, readonly ComparedRow[] | null>());
  const [, setCount] = useState(0);
  useEffect(() => {
    pages.current = new Map();
    setCount((count) => count + 1);
  }, [found]);
  return {
    at(row) {
      const number = Math.floor(row / atOnce);
      const page = pages.current.get(number);
      if (page === undefined && found) {
        const current = pages.current;
        current.set(number, null);
        get<{ rows: readonly ComparedRow[] }>(
          `/compare/rows?${query}&from=${number * atOnce}&limit=${atOnce}`,
        ).then(
          (told) => {
            current.set(number, told.rows);
            setCount((count) => count + 1);
          },
          () => current.delete(number),
        );
      }
      return page?.[row % atOnce];
    },
  };
}
