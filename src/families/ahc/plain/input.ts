/** An input, read by the steps of its format: the values of each name, and of what type all of them are. Pure. */
import type { Extent, Field, Step } from './format.ts';

export type InputValues = {
  readonly scalars: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly tables: ReadonlyMap<string, readonly (readonly string[])[]>;
};

export type ValueType = 'long long' | 'double' | 'string';

/** By name; null where the format does not fit one of the inputs. `mayGoOn`: programs see the beginning alone. */
export function typesIn(
  steps: readonly Step[],
  inputs: readonly string[],
  mayGoOn: boolean,
): ReadonlyMap<string, ValueType> | null {
  const types = new Map<string, ValueType>();
  for (const input of inputs) {
    const { isRead, isWhole, scalars, lists, tables } = valuesIn(steps, input);
    if (!isRead || !(isWhole || mayGoOn)) return null;
    for (const [name, values] of [...scalars, ...lists, ...tables])
      for (const word of [values].flat(2)) types.set(name, widerOf(types.get(name), typeOfWord(word)));
  }
  return inputs.length === 0 ? null : types;
}

/** Longer lists than any input has: a format that asks for them is the wrong one. */
const mostValues = 5_000_000;

/** Up to where the steps do not fit any more, if they do not: `isRead`. `isWhole`: nothing is left behind them. */
export function valuesIn(steps: readonly Step[], input: string) {
  const words = input.split(/\s+/).filter(Boolean);
  const scalars = new Map<string, string>();
  const lists = new Map<string, string[]>();
  const tables = new Map<string, string[][]>();
  // What a row tells of itself holds until the next row.
  const numbers = new Map<string, number>();
  let at = 0;
  const lengthOf = ({ name, plus }: Extent): number | null => {
    const length = name === null ? plus : (numbers.get(name) ?? Number.NaN) + plus;
    return Number.isInteger(length) && length >= 0 && length <= mostValues ? length : null;
  };
  const take = (count: Extent | null): string[] | null => {
    const length = count === null ? 1 : lengthOf(count);
    if (length === null || at + length > words.length) return null;
    at += length;
    return words.slice(at - length, at);
  };
  const readField = ({ name, count }: Field, isRow: boolean): boolean => {
    const taken = take(count);
    if (taken === null) return false;
    const [word = ''] = taken;
    if (count === null) numbers.set(name, Number(word));
    if (isRow && count) listed(tables, name).push(taken);
    else if (isRow) listed(lists, name).push(word);
    else if (count) lists.set(name, taken);
    else scalars.set(name, word);
    return true;
  };
  const readStep = (step: Step): boolean => {
    if (step.type === 'once') return step.fields.every((field) => readField(field, false));
    const rows = lengthOf(step.count);
    if (rows === null) return false;
    for (const { name, count } of step.fields) listed<string | string[]>(count ? tables : lists, name);
    for (let row = 0; row < rows; row += 1)
      if (!step.fields.every((field) => readField(field, true))) return false;
    return true;
  };
  const isRead = steps.every(readStep);
  return { scalars, lists, tables, isRead, isWhole: isRead && at === words.length };
}

function listed<T>(lists: Map<string, T[]>, name: string): T[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}

function typeOfWord(word: string): ValueType {
  if (/^[+-]?\d{1,18}$/.test(word)) return 'long long';
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(word) ? 'double' : 'string';
}

const widths: readonly ValueType[] = ['long long', 'double', 'string'];

function widerOf(one: ValueType | undefined, other: ValueType): ValueType {
  return one === undefined || widths.indexOf(other) > widths.indexOf(one) ? other : one;
}
