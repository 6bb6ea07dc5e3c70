/** What the page is told of two runs side by side, and of a run's forks. Pure. */
import type { Header } from '../core/event.ts';
import { type EventItem, eventItem, type RunItem } from './page-items.ts';
import { type HeaderDifference, hasSameContent, type Pair } from './run-difference.ts';

/** What a run, or one of its branches, came to. Null: not known. */
export type RunFigures = {
  readonly modelCalls: number;
  readonly toolCalls: number;
  readonly programs: number;
  readonly tokens: number | null;
  readonly costUsd: number | null;
  readonly timeMs: number;
  readonly score: number | null;
};

export type ComparedSide = {
  readonly item: RunItem;
  /** Empty for the whole run. */
  readonly branch: string;
  readonly branches: readonly string[];
  readonly explanation: string;
  readonly answer: string | null;
  readonly figures: RunFigures;
  readonly damage: { readonly seq: number; readonly reason: string } | null;
};

export type ComparedRow = {
  readonly place: string;
  readonly isSame: boolean;
  readonly a: EventItem | null;
  readonly b: EventItem | null;
};

export type Comparison = {
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  readonly header: readonly HeaderDifference[];
  readonly rows: number;
  /** The row at which they part; null where they say the same. */
  readonly parting: number | null;
  readonly differences: number;
  /** Stretches of rows that say the same, each with its first row and the one after its last. */
  readonly alike: readonly (readonly [from: number, to: number])[];
  /** What the rows took that are alike at the beginning. */
  readonly beginning: Pick<RunFigures, 'modelCalls' | 'tokens' | 'costUsd'> & {
    /** One run has them from the other: they were paid once. */
    readonly isShared: boolean;
  };
};

export function comparedRows(
  pairs: readonly Pair[],
  [header, authorB]: readonly [Header | null, Header | null],
): readonly ComparedRow[] {
  return pairs.map(({ place, a, b }) => ({
    place,
    isSame: a !== null && b !== null && hasSameContent(a, b),
    a: a && eventItem(a, header),
    b: b && eventItem(b, authorB),
  }));
}

export function equalRanges(rows: readonly ComparedRow[]): Comparison['alike'] {
  const stretches: [number, number][] = [];
  let from = 0;
  for (let index = 0; index <= rows.length; index += 1) {
    if (rows[index]?.isSame) continue;
    if (index > from) stretches.push([from, index]);
    from = index + 1;
  }
  return stretches;
}

/** Of a part of a journal; a reply whose tokens or cost are not known makes the sum unknown. */
export function summarizeItems(items: readonly EventItem[]): Omit<RunFigures, 'score'> {
  const ended = (effect: EventItem['effect']) =>
    items.filter((item) => item.effect === effect && item.half === 'settlement');
  const replies = ended('model');
  const sum = (of: (item: EventItem) => number | null) =>
    replies.reduce<number | null>((all, item) => {
      const own = of(item);
      return all === null || own === null ? null : all + own;
    }, 0);
  return {
    modelCalls: replies.length,
    toolCalls: ended('tool').length,
    programs: ended('exec').length,
    tokens: sum(({ tokens }) => tokens),
    costUsd: sum(({ costUsd }) => costUsd),
    timeMs: (items.at(-1)?.atMs ?? 0) - (items[0]?.atMs ?? 0),
  };
}

/** A run among those that were forked from one another. */
export type ForkItem = {
  readonly item: RunItem;
  /** Null for the first, also where its own parent was deleted. */
  readonly parent: string | null;
  /** How many forks lie between it and the first. */
  readonly depth: number;
  readonly score: number | null;
  readonly answer: string | null;
  /** Against its parent. */
  readonly changed: readonly HeaderDifference[];
};
