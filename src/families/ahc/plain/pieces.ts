/**
 * The answers of one written form: its open lengths (none, one, the most), its groups, and one style for all its places.
 * Pure.
 */
import {
  type Amount,
  amountText,
  fixed,
  type Groups,
  type Item,
  ofName,
  type Piece,
  type PlainAnswer,
  type Way,
} from './answer.ts';
import type { OutField, OutStep } from './output-shape.ts';
import { type Ground, type Spot, type Style, stylesFor } from './styles.ts';

/** Of an answer that may be empty it is known that it is valid, where the statement says that it may. */
export type CandidateAnswer = PlainAnswer & { readonly isSure: boolean };

type Lengths = {
  readonly told: string;
  readonly of: ReadonlyMap<string, Amount>;
  /** Of a list whose length stands in its own row. */
  readonly own: number;
  readonly isSure: boolean;
};

export function answersOf(steps: readonly OutStep[], ground: Ground): readonly CandidateAnswer[] {
  const styles = stylesFor(ground);
  return lengthsOf(steps, ground).flatMap((lengths) => {
    const filled = styles.flatMap((style) => answerOf(steps, { lengths, style, ground }) ?? []);
    return [...filled, ...grouped(steps, { lengths, styles, ground })];
  });
}

/** Names that stand for a length and are none of the input's. */
function openNames(steps: readonly OutStep[], { scalars }: Ground): readonly string[] {
  const used = steps.flatMap(({ rows, fields }) => [
    ...(rows?.names ?? []),
    ...fields.flatMap(({ list }) => (list && 'names' in list ? list.names : [])),
  ]);
  return [...new Set(used)].filter((name) => !scalars.includes(name));
}

function lengthsOf(steps: readonly OutStep[], ground: Ground): readonly Lengths[] {
  const open = openNames(steps, ground);
  const hasOwn = steps.some(({ fields }) => fields.some(({ list }) => list && 'own' in list));
  if (open.length === 0 && !hasOwn) return [{ told: '', of: new Map(), own: 0, isSure: false }];
  const bounds = open.map((name) => ground.hints.bounds.get(name) ?? null);
  const isNone = bounds.every((bound) => bound?.low?.plus === 0 && bound.low.names.length === 0);
  const isAll = open.length > 0 && steps.every((step) => isOfLengths(step, open));
  const all = (of: (at: number) => Amount | null): ReadonlyMap<string, Amount> | null => {
    const amounts = open.map((_name, at) => of(at));
    return amounts.every((each) => each !== null && isKnown(each, ground))
      ? new Map(open.map((name, at) => [name, amounts[at] ?? fixed(0)]))
      : null;
  };
  const variants = [
    { of: all((at) => bounds[at]?.low ?? fixed(0)), own: 0, isSure: isNone && isAll },
    { of: all(() => fixed(0)), own: 0, isSure: false },
    { of: all(() => fixed(1)), own: 1, isSure: false },
    { of: all((at) => bounds[at]?.high ?? null), own: 1, isSure: false },
    ...ground.scalars.slice(0, 3).map((name) => ({ of: all(() => ofName(name)), own: 1, isSure: false })),
  ];
  return variants.flatMap(({ of, own, isSure }) => (of ? [{ told: lengthsTold(of), of, own, isSure }] : []));
}

const isKnown = ({ names }: Amount, { scalars }: Ground): boolean =>
  names.every((name) => scalars.includes(name));

/** Whether nothing is left of it where the lengths are 0, but these. */
function isOfLengths({ rows, fields }: OutStep, open: readonly string[]): boolean {
  const isOpen = (amount: Amount | null) =>
    amount !== null && amount.plus === 0 && amount.names.some((name) => open.includes(name));
  return (
    isOpen(rows) ||
    fields.every(({ name, list }) =>
      list && 'names' in list ? isOpen(list) : list === null && open.includes(name),
    )
  );
}

function lengthsTold(of: ReadonlyMap<string, Amount>): string {
  return [...of].map(([name, amount]) => `${name} is ${amountText(amount)}`).join(', ');
}

type Filling = { readonly lengths: Lengths; readonly style: Style; readonly ground: Ground };

function answerOf(steps: readonly OutStep[], filling: Filling): CandidateAnswer | null {
  const pieces = steps.map((step) => rowsOf(step, filling));
  const { lengths, style } = filling;
  if (!pieces.every((piece) => piece !== null)) return null;
  const told = lengths.isSure
    ? 'nothing, which is allowed'
    : [lengths.told, style.told].filter(Boolean).join('; ');
  return { told, pieces, isSure: lengths.isSure };
}

function rowsOf({ rows, fields }: OutStep, filling: Filling): Piece | null {
  const { lengths } = filling;
  const count = rows && substituted(rows, lengths.of);
  const owned = new Set(fields.flatMap(({ list }) => (list && 'own' in list ? [list.own] : [])));
  const items = fields.map((field, at) => itemOf(field, { at, isRow: rows !== null, owned, ...filling }));
  return items.every((item) => item !== null) ? { type: 'rows', rows: count, items } : null;
}

type ItemPlace = Filling & {
  readonly at: number;
  readonly isRow: boolean;
  readonly owned: ReadonlySet<string>;
};

function itemOf({ name, text, list, isGlued }: OutField, place: ItemPlace): Item | null {
  const { lengths, owned, at, isRow, style } = place;
  const length = list === null ? null : 'own' in list ? fixed(lengths.own) : substituted(list, lengths.of);
  const item = (value: Item['value']): Item => ({ value, list: length, isGlued });
  if (text !== null) return item({ type: 'text', text });
  if (owned.has(name)) return item({ type: 'amount', amount: fixed(lengths.own) });
  const own = list === null ? lengths.of.get(name) : undefined;
  if (own) return item({ type: 'amount', amount: own });
  const depth = ((isRow ? 1 : 0) + (list === null ? 0 : 1)) as Spot['depth'];
  const counter = list !== null || !isRow ? 'place' : 'row';
  const value = style.valueOf({ name, at, counter, depth });
  return value && item(value);
}

function substituted({ times, names, plus }: Amount, of: ReadonlyMap<string, Amount>): Amount {
  const [first] = names;
  const found = names.length === 1 && first !== undefined ? of.get(first) : undefined;
  if (!found) return { times, names, plus };
  return { times: found.times * times, names: found.names, plus: found.plus * times + plus };
}

/** Groups are found by themselves; what stands beside them is filled in the first way that there is. */
function grouped(
  steps: readonly OutStep[],
  { lengths, styles, ground }: Omit<Filling, 'style'> & { readonly styles: readonly Style[] },
): readonly CandidateAnswer[] {
  const at = steps.findIndex((step) => groupsOf(step, ground).length > 0);
  const [step, style] = [steps[at], styles[0]];
  if (!step || lengths.own !== 0) return [];
  return styles.slice(0, steps.length === 1 ? 1 : 3).flatMap((each) =>
    groupsOf(step, ground).flatMap((groups) => {
      const others = steps.map((other, index) =>
        index === at ? groups : rowsOf(other, { lengths, style: each ?? style, ground }),
      );
      if (!others.every((piece) => piece !== null)) return [];
      const { way, things, base } = groups;
      const how = typeof way === 'string' ? wayTold[way] : `each to the group with the least ${way.least}`;
      return [{ told: `${amountText(things)} things from ${base}, ${how}`, pieces: others, isSure: false }];
    }),
  );
}

const wayTold = { turn: 'one to each group in turn', blocks: 'in blocks', first: 'all to the first group' };

/** Empty where the lines are not of this form. */
function groupsOf({ rows, fields }: OutStep, ground: Ground): readonly Groups[] {
  const [count, members] = fields;
  if (!rows || fields.length !== 2 || !count || count.list !== null) return [];
  if (!members?.list || !('own' in members.list) || members.list.own !== count.name) return [];
  if (!rows.names.every((name) => ground.scalars.includes(name))) return [];
  return thingsOf(members.name, rows, ground).flatMap(({ things, base }) =>
    waysOf(things, ground).map((way) => ({ type: 'groups', things, groups: rows, base, way })),
  );
}

function thingsOf(
  name: string,
  rows: Amount,
  { hints, scalars }: Ground,
): readonly { readonly things: Amount; readonly base: number }[] {
  const { low = null, high = null } = hints.bounds.get(name) ?? {};
  const isPlain = low?.names.length === 0 && high?.names.every((each) => scalars.includes(each));
  if (low && high && isPlain && high.names.length > 0) {
    return [{ things: { ...high, plus: high.plus - low.plus + 1 }, base: low.plus }];
  }
  const others = scalars.filter((scalar) => !rows.names.includes(scalar)).slice(0, 5);
  return others.flatMap((scalar) => [1, 0].map((base) => ({ things: ofName(scalar), base })));
}

function waysOf({ names, plus }: Amount, { steps }: Ground): readonly Way[] {
  const [length] = names;
  const lists = steps.flatMap((step) =>
    step.fields.flatMap(({ name, count }) => {
      const extent = step.type === 'rows' ? (count === null ? step.count : null) : count;
      return extent && extent.name === length && extent.plus === plus && !extent.ofRow ? [name] : [];
    }),
  );
  // A weight mostly stands behind the position of its thing; and `w` is mostly a weight.
  const weights = lists.toReversed().toSorted((a, b) => Number(/^w/i.test(b)) - Number(/^w/i.test(a)));
  return [...weights.map((least) => ({ least })), 'turn', 'blocks', 'first'];
}
