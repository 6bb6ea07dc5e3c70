/** What a plain answer prints for an input. Null where it cannot: a count below 0, a name that holds nothing. Pure. */
import type { Amount, Counter, Groups, Item, PlainAnswer, Rows, Value } from './answer.ts';
import type { Extent, Field, Step } from './format.ts';

/** An answer that is longer is none that anybody meant. */
const mostValues = 20_000;

type Counts = Readonly<Record<Counter, number>>;

export function printed({ pieces }: PlainAnswer, values: InputValues): string | null {
  const texts = pieces.map((piece) =>
    piece.type === 'groups' ? groupsText(piece, values) : rowsText(piece, values),
  );
  return texts.every((text) => text !== null) ? texts.join('') : null;
}

function rowsText({ rows, items }: Rows, values: InputValues): string | null {
  const count = rows === null ? 1 : amountIn(rows, values);
  if (count === null || count < 0 || count > mostValues) return null;
  const lines: string[] = [];
  for (let row = 0; row < count; row += 1) {
    const texts = items.map((item) => itemText(item, row, values));
    if (!texts.every((text) => text !== null)) return null;
    lines.push(`${texts.join(' ')}\n`);
  }
  return lines.join('');
}

function itemText({ value, list, isGlued }: Item, row: number, values: InputValues): string | null {
  if (list === null) return valueText(value, { row, place: 0 }, values);
  const count = amountIn(list, values);
  if (count === null || count < 0 || count > mostValues) return null;
  const texts: string[] = [];
  for (let place = 0; place < count; place += 1) {
    const text = valueText(value, { row, place }, values, true);
    if (text === null) return null;
    texts.push(text);
  }
  return texts.join(isGlued ? '' : ' ');
}

function valueText(value: Value, counts: Counts, values: InputValues, isListed = false): string | null {
  switch (value.type) {
    case 'text':
      return value.text;
    case 'amount':
      return textOf(amountIn(value.amount, values));
    case 'count':
      return `${counts[value.of] + value.plus}`;
    case 'echo':
      return echoText(value, counts, { values, isListed });
    default: {
      const by = amountIn(value.by, values);
      if (by === null || by < 1) return null;
      const count = counts[value.of];
      return `${(value.type === 'remainder' ? count % by : Math.floor(count / by)) + value.plus}`;
    }
  }
}

function echoText(
  { name, plus }: Value & { type: 'echo' },
  { row, place }: Counts,
  { values: { scalars, lists, tables }, isListed }: { values: InputValues; isListed: boolean },
): string | null {
  const text =
    scalars.get(name) ?? lists.get(name)?.[isListed ? place : row] ?? tables.get(name)?.[row]?.[place];
  if (text === undefined || plus === 0) return text ?? null;
  const number = Number(text);
  return Number.isInteger(number) ? `${number + plus}` : null;
}

/** Dealt out exactly as the C++ does it: of groups that have as little, the first one gets it. */
function groupsText(piece: Groups, values: InputValues): string | null {
  const [things, groups] = [amountIn(piece.things, values), amountIn(piece.groups, values)];
  if (things === null || groups === null || groups < 1 || things < 0) return null;
  if (things > mostValues || groups > mostValues) return null;
  const members: number[][] = Array.from({ length: groups }, () => []);
  const load = members.map(() => 0);
  const size = Math.max(1, Math.ceil(things / groups));
  for (let thing = 0; thing < things; thing += 1) {
    const group = groupFor(piece.way, { thing, groups, size, load });
    const weight = typeof piece.way === 'string' ? 0 : Number(values.lists.get(piece.way.least)?.[thing]);
    if (Number.isNaN(weight)) return null;
    load[group] = (load[group] ?? 0) + weight;
    members[group]?.push(thing + piece.base);
  }
  return members.map((those) => `${[those.length, ...those].join(' ')}\n`).join('');
}

function groupFor(
  way: Groups['way'],
  { thing, groups, size, load }: { thing: number; groups: number; size: number; load: readonly number[] },
): number {
  if (way === 'first') return 0;
  if (way === 'turn') return thing % groups;
  if (way === 'blocks') return Math.min(groups - 1, Math.floor(thing / size));
  return load.indexOf(Math.min(...load));
}

function amountIn({ times, names, plus }: Amount, { scalars }: InputValues): number | null {
  const product = names.reduce((all, name) => all * Number(scalars.get(name) ?? Number.NaN), times);
  return Number.isInteger(product) ? product + plus : null;
}

const textOf = (number: number | null): string | null => (number === null ? null : `${number}`);

export type InputValues = {
  readonly scalars: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly tables: ReadonlyMap<string, readonly (readonly string[])[]>;
};

/** Of an input that the format is known to fit (reading.ts). */
export function valuesIn(steps: readonly Step[], input: string): InputValues {
  const words = input.split(/\s+/).filter(Boolean);
  const [scalars, lists, tables] = [
    new Map<string, string>(),
    new Map<string, string[]>(),
    new Map<string, string[][]>(),
  ];
  let at = 0;
  const take = (count: number): string[] => {
    const taken = words.slice(at, at + count);
    at += count;
    return taken;
  };
  const lengthOf = ({ name, plus }: Extent, own?: ReadonlyMap<string, string>): number =>
    name === null ? plus : Number(own?.get(name) ?? scalars.get(name)) + plus;
  const readRow = (fields: readonly Field[]): void => {
    const own = new Map<string, string>();
    for (const { name, count } of fields) {
      const taken = take(count === null ? 1 : lengthOf(count, count.ofRow ? own : undefined));
      if (count === null) own.set(name, taken[0] ?? '');
      if (count === null) listed(lists, name).push(...taken);
      else listed(tables, name).push(taken);
    }
  };
  for (const step of steps) {
    if (step.type === 'rows') {
      for (const { name, count } of step.fields) listed<string | string[]>(count ? tables : lists, name);
      for (let rows = lengthOf(step.count); rows > 0; rows -= 1) readRow(step.fields);
      continue;
    }
    for (const { name, count } of step.fields) {
      if (count === null) scalars.set(name, take(1)[0] ?? '');
      else lists.set(name, take(lengthOf(count)));
    }
  }
  return { scalars, lists, tables };
}

function listed<T>(lists: Map<string, T[]>, name: string): T[] {
  const list = lists.get(name) ?? [];
  lists.set(name, list);
  return list;
}
