/**
 * The plainest answer to a contest, as data: what is printed, piece by piece, in numbers of the input. It can be printed
 * for an input (print.ts) and written as C++ (code.ts), and both say the same. Pure.
 */

/** `times` · the product of the input's `names` + `plus`: `2N^2 - 1` is 2 · N · N - 1. */
export type Amount = { readonly times: number; readonly names: readonly string[]; readonly plus: number };

/** Which of the numbers that count along: that of the row, or of the place within its list. Both begin at 0. */
export type Counter = 'row' | 'place';

export type Value =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'amount'; readonly amount: Amount }
  | { readonly type: 'count'; readonly of: Counter; readonly plus: number }
  | {
      readonly type: 'remainder' | 'quotient';
      readonly of: Counter;
      readonly by: Amount;
      readonly plus: number;
    }
  /** What the input holds at the same row and place. `plus` is 0 where that is no number. */
  | { readonly type: 'echo'; readonly name: string; readonly plus: number };

export type Item = {
  readonly value: Value;
  /** So many in a row; null: one. */
  readonly list: Amount | null;
  /** Nothing stands between those of the list. */
  readonly isGlued: boolean;
};

export type Rows = {
  readonly type: 'rows';
  /** Null: one line that is no row. */
  readonly rows: Amount | null;
  readonly items: readonly Item[];
};

/** How things are given to groups: in turn, in blocks, all to the first, or to the group with the least so far. */
export type Way = 'turn' | 'blocks' | 'first' | { readonly least: string };

/** One line a group: how many things it has, then these. Each thing is in exactly one. */
export type Groups = {
  readonly type: 'groups';
  readonly things: Amount;
  readonly groups: Amount;
  /** The number of the first thing. */
  readonly base: number;
  readonly way: Way;
};

export type Piece = Rows | Groups;

export type PlainAnswer = {
  /** For people: `in order from 1`. */
  readonly told: string;
  readonly pieces: readonly Piece[];
};

export const fixed = (plus: number): Amount => ({ times: 0, names: [], plus });

export const ofName = (name: string, plus = 0): Amount => ({ times: 1, names: [name], plus });

export function amountText({ times, names, plus }: Amount): string {
  if (times === 0 || names.length === 0) return `${plus}`;
  const product = `${times === 1 ? '' : times}${names.join('·')}`;
  return plus === 0 ? product : `${product} ${plus < 0 ? '-' : '+'} ${Math.abs(plus)}`;
}

/** All names of the input that an answer rests on as numbers. */
export function numbersOf({ pieces }: PlainAnswer): readonly string[] {
  return pieces.flatMap((piece) =>
    piece.type === 'groups'
      ? [...piece.things.names, ...piece.groups.names]
      : [...(piece.rows?.names ?? []), ...piece.items.flatMap(numbersOfItem)],
  );
}

function numbersOfItem({ value, list }: Item): readonly string[] {
  const own =
    value.type === 'amount'
      ? value.amount.names
      : value.type === 'remainder' || value.type === 'quotient'
        ? value.by.names
        : [];
  return [...(list?.names ?? []), ...own];
}
