/**
 * The plainest answer to a contest, as data: what is printed, piece by piece, in numbers of the input, or said to a
 * judge. `printed` prints an answer for an input, and cpp.ts writes it as C++: both say the same. Pure.
 */
import type { InputValues } from './format.ts';

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

/** `list`: so many in a row; null: one. `isGlued`: nothing stands between those of the list. */
export type Item = { readonly value: Value; readonly list: Amount | null; readonly isGlued: boolean };

/** `rows`: null for one line that is no row. */
export type Rows = { readonly type: 'rows'; readonly rows: Amount | null; readonly items: readonly Item[] };

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

/** `told`: for people, `in order from 1`. */
export type PlainAnswer = { readonly told: string; readonly pieces: readonly Piece[] };

/** How a program talks to a judge: lines that it says turn by turn, and one at the end. */
export type Talk = {
  /** For people. */
  readonly told: string;
  /** Null: until the judge says no more. */
  readonly turns: Amount | null;
  /** Where a line of the judge's is read in a turn. */
  readonly listens: 'before' | 'after' | 'never';
  readonly says: Rows | null;
  readonly last: Rows | null;
};

export const fixed = (plus: number): Amount => ({ times: 0, names: [], plus });

export const ofName = (name: string, plus = 0): Amount => ({ times: 1, names: [name], plus });

/** All names of the amount are among these numbers of the input. */
export const isKnown = ({ names }: Amount, scalars: readonly string[]): boolean =>
  names.every((name) => scalars.includes(name));

export function amountText({ times, names, plus }: Amount): string {
  if (times === 0 || names.length === 0) return `${plus}`;
  return withPlus(`${times === 1 ? '' : times}${names.join('·')}`, plus);
}

/** `N - 1` */
export function withPlus(text: string, plus: number): string {
  return plus === 0 ? text : `${text} ${plus < 0 ? '-' : '+'} ${Math.abs(plus)}`;
}

/** All names of the input that an answer rests on as numbers. */
export function numbersOf({ pieces }: PlainAnswer): readonly string[] {
  const amounts = pieces.flatMap((piece) =>
    piece.type === 'groups'
      ? [piece.things, piece.groups]
      : [piece.rows, ...piece.items.flatMap(({ value, list }) => [list, amountIn(value)])],
  );
  return amounts.flatMap((amount) => amount?.names ?? []);
}

function amountIn(value: Value): Amount | null {
  if (value.type === 'amount') return value.amount;
  return value.type === 'remainder' || value.type === 'quotient' ? value.by : null;
}

/** A longer answer cannot be meant. */
const mostValues = 20_000;

/** Null where it cannot be printed: a count below 0, a name that holds nothing. */
export function printed({ pieces }: PlainAnswer, values: InputValues): string | null {
  const texts = pieces.map((piece) =>
    piece.type === 'groups' ? groupsText(piece, values) : rowsText(piece, values),
  );
  return texts.every((text) => text !== null) ? texts.join('') : null;
}

function rowsText({ rows, items }: Rows, values: InputValues): string | null {
  const lines = repeated(rows, values, (row) => {
    const texts = items.map((item) => itemText(item, row, values));
    return texts.every((text) => text !== null) ? `${texts.join(' ')}\n` : null;
  });
  return lines?.join('') ?? null;
}

function itemText({ value, list, isGlued }: Item, row: number, values: InputValues): string | null {
  const texts = repeated(list, values, (place) => valueText(value, { row, place }, values, list !== null));
  return texts?.join(isGlued ? '' : ' ') ?? null;
}

/** Once where there is no amount. Null where there are too many, or one of them is null. */
function repeated(amount: Amount | null, values: InputValues, textAt: (at: number) => string | null) {
  const count = amount === null ? 1 : numberOf(amount, values);
  if (count === null || count < 0 || count > mostValues) return null;
  const texts: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const text = textAt(at);
    if (text === null) return null;
    texts.push(text);
  }
  return texts;
}

function valueText(
  value: Value,
  at: Readonly<Record<Counter, number>>,
  values: InputValues,
  isListed: boolean,
): string | null {
  switch (value.type) {
    case 'text':
      return value.text;
    case 'amount': {
      const number = numberOf(value.amount, values);
      return number === null ? null : `${number}`;
    }
    case 'count':
      return `${at[value.of] + value.plus}`;
    case 'echo': {
      const { name, plus } = value;
      const { scalars, lists, tables } = values;
      const listed = lists.get(name)?.[isListed ? at.place : at.row];
      const text = scalars.get(name) ?? listed ?? tables.get(name)?.[at.row]?.[at.place];
      if (text === undefined || plus === 0) return text ?? null;
      return Number.isInteger(Number(text)) ? `${Number(text) + plus}` : null;
    }
    default: {
      const by = numberOf(value.by, values);
      if (by === null || by < 1) return null;
      const count = at[value.of];
      return `${(value.type === 'remainder' ? count % by : Math.floor(count / by)) + value.plus}`;
    }
  }
}

/** Dealt out exactly as the C++ does it: of groups that have as little, the first one gets it. */
function groupsText(piece: Groups, values: InputValues): string | null {
  const { way, base } = piece;
  const [things, groups] = [numberOf(piece.things, values), numberOf(piece.groups, values)];
  if (things === null || groups === null || groups < 1 || things < 0) return null;
  if (things > mostValues || groups > mostValues) return null;
  const members: number[][] = Array.from({ length: groups }, () => []);
  const load = members.map(() => 0);
  const size = Math.max(1, Math.ceil(things / groups));
  const groupFor = (thing: number): number => {
    if (way === 'first') return 0;
    if (way === 'turn') return thing % groups;
    if (way === 'blocks') return Math.min(groups - 1, Math.floor(thing / size));
    return load.indexOf(Math.min(...load));
  };
  for (let thing = 0; thing < things; thing += 1) {
    const group = groupFor(thing);
    const weight = typeof way === 'string' ? 0 : Number(values.lists.get(way.least)?.[thing]);
    if (Number.isNaN(weight)) return null;
    load[group] = (load[group] ?? 0) + weight;
    members[group]?.push(thing + base);
  }
  return members.map((those) => `${[those.length, ...those].join(' ')}\n`).join('');
}

function numberOf({ times, names, plus }: Amount, { scalars }: InputValues): number | null {
  const product = names.reduce((all, name) => all * Number(scalars.get(name) ?? Number.NaN), times);
  return Number.isInteger(product) ? product + plus : null;
}
