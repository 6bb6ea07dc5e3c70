/** An input taken apart by its format: what each name holds there, as the words that stand in it. Pure. */
import type { Field, Step } from '../problem/format/shape.ts';
import type { Extent } from '../problem/format/token.ts';

export type InputValues = {
  readonly scalars: ReadonlyMap<string, string>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly tables: ReadonlyMap<string, readonly (readonly string[])[]>;
};

/** Of an input that the format is known to fit (rehearse.ts). */
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
